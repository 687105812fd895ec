"""What connects the handlers with AWS's runtime: entry points, base classes of handlers and of the configuration."""

from collections.abc import Sequence

from formwork.generate.java.models import Place
from formwork.generate.java.text import header
from formwork.generate.templates import render_template
from formwork.model import Kind, TypeModel

_TEMPLATES = "java/templates"
_OPERATIONS = ("create", "read", "update", "delete", "list")
_POINTS = {
    "preCreate": "CREATE_PRE_PROVISION",
    "preUpdate": "UPDATE_PRE_PROVISION",
    "preDelete": "DELETE_PRE_PROVISION",
}
_LAMBDA_IMPORTS = (
    "com.amazonaws.services.lambda.runtime.Context",
    "org.apache.commons.io.IOUtils",
    "software.amazon.cloudformation.loggers.LambdaLogPublisher",
)
# Only the entry point for tests uses these, only the program those.
_OF_LAMBDA = frozenset(
    {
        "AmazonServiceException",
        "AwsServiceException",
        "BaseHandlerException",
        "DelayFactory",
        "HandlerErrorCode",
        "HookHandlerTestPayload",
        "InputStream",
        "OutputStream",
        "ResourceHandlerTestPayload",
        "WaitStrategy",
    }
)
_OF_PROGRAM = frozenset({"ByteArrayInputStream", "ByteArrayOutputStream"})


def handler_names(types: TypeModel) -> Sequence[str]:
    """The handlers that the schema has, in the order of the contract; all five where it names none."""
    known = tuple(_POINTS) if types.kind is Kind.HOOK else _OPERATIONS
    return tuple(each for each in known if each in types.handlers) or known


def handler_class(types: TypeModel, handler: str) -> str:
    """`CreateHandler`, `PreCreateHookHandler`."""
    return f"{handler[0].upper()}{handler[1:]}{'HookHandler' if types.kind is Kind.HOOK else 'Handler'}"


def render_wrappers(types: TypeModel, place: Place) -> dict[str, str]:
    """File name → source of everything beside the models."""
    prefix = "Hook" if types.kind is Kind.HOOK else ""
    bases = (f"Base{prefix}Handler", f"Base{prefix}Configuration")
    words = {**_words(place), **configuration_words(types)}
    files = {f"{each}.java": _render(f"{each}.java.txt", words) for each in bases}
    for program in (False, True):
        name = f"{prefix}HandlerWrapper{'Executable' if program else ''}"
        files[f"{name}.java"] = _wrapper(types, words, name, program=program)
    return files


def configuration_words(types: TypeModel) -> dict[str, str]:
    """Handlers of a resource get the type configuration only where the schema has one."""
    if types.type_configuration is None:
        return {"configuration_argument": "", "configuration_parameter": "", "configuration_doc": ""}
    return {
        "configuration_argument": ", typeConfiguration",
        "configuration_parameter": ",\n        TypeConfigurationModel typeConfiguration",
        "configuration_doc": "\n     * @param typeConfiguration how the account configures the type",
    }


def _wrapper(types: TypeModel, words: dict[str, str], name: str, *, program: bool) -> str:
    hook = types.kind is Kind.HOOK
    prefix = "Hook" if hook else ""
    entry = f"{'hook' if hook else 'resource'}_{'main' if program else 'lambda'}.txt"
    summary = "Runs the handlers as a program of its own." if program else "The entry points of the Lambda function."
    text = _render(
        f"{prefix}HandlerWrapper.java.txt",
        {
            **words,
            "class_name": name,
            "parent": f"{prefix}{'Executable' if program else 'Lambda'}Wrapper",
            "summary": summary,
            "more_imports": "" if program else "".join(f"import {each};\n" for each in _LAMBDA_IMPORTS),
            "handlers": "\n".join(
                f"        handlers.put({_action(types, each)}, new {handler_class(types, each)}());"
                for each in handler_names(types)
            ),
            "entry": _render(entry, {"class_name": name}).rstrip(),
        },
    )
    return _without_imports(text, _OF_LAMBDA if program else _OF_PROGRAM)


def _without_imports(text: str, names: frozenset[str]) -> str:
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not (line.startswith("import ") and line.rstrip(";\n").rsplit(".", 1)[-1] in names)
    )


def _action(types: TypeModel, handler: str) -> str:
    return f"HookInvocationPoint.{_POINTS[handler]}" if types.kind is Kind.HOOK else f"Action.{handler.upper()}"


def _words(place: Place) -> dict[str, str]:
    return {"header": header(place.type_name), "package": place.package}


def _render(name: str, words: dict[str, str]) -> str:
    return render_template(f"{_TEMPLATES}/{name}", words)
