"""The classes between handlers and AWS's runtime: entry points, base classes of handlers and of the configuration."""

from collections.abc import Sequence

from formwork.extensions import ExtensionKind
from formwork.generate.templates import render_template
from formwork.languages.java.generate.models import Place
from formwork.languages.java.generate.runtime import EXECUTABLES, TYPE_CONFIGURATION, WRITES_RESPONSES, Runtime
from formwork.languages.java.generate.templates import TEMPLATES
from formwork.languages.java.generate.text import header
from formwork.model import TypeModel

_OPERATIONS = ("create", "read", "update", "delete", "list")
_POINTS = {
    "preCreate": "CREATE_PRE_PROVISION",
    "preUpdate": "UPDATE_PRE_PROVISION",
    "preDelete": "DELETE_PRE_PROVISION",
}
_LAMBDA_IMPORTS = (
    "com.amazonaws.services.lambda.runtime.Context",
    "org.apache.commons.io.IOUtils",
    "org.json.JSONException",
    "software.amazon.cloudformation.loggers.LambdaLogPublisher",
)
# Names that only the entry point for tests uses, and those that only the program uses.
_OF_LAMBDA = frozenset(
    {
        "AmazonServiceException",
        "AwsServiceException",
        "BaseHandlerException",
        "HandlerErrorCode",
        "HookHandlerTestPayload",
        "InputStream",
        "LoggerProxy",
        "OutputStream",
        "ResourceHandlerTestPayload",
    }
)
_OF_PROGRAM = frozenset({"ByteArrayOutputStream"})


def handler_names(types: TypeModel) -> Sequence[str]:
    """Return the handlers of the schema, in the order of the contract; all five if it names none."""
    known = tuple(_POINTS) if types.kind is ExtensionKind.HOOK else _OPERATIONS
    return tuple(each for each in known if each in types.handlers) or known


def handler_class(types: TypeModel, handler: str) -> str:
    """Return the class of a handler: `CreateHandler`, `PreCreateHookHandler`."""
    return f"{handler[0].upper()}{handler[1:]}{'HookHandler' if types.kind is ExtensionKind.HOOK else 'Handler'}"


def render_wrappers(types: TypeModel, place: Place, runtime: Runtime) -> dict[str, str]:
    """Return file name → source of all generated classes except the models."""
    prefix = "Hook" if types.kind is ExtensionKind.HOOK else ""
    bases = (f"Base{prefix}Handler", f"Base{prefix}Configuration")
    words = {**_words(place), **configuration_words(types, runtime), **_runtime_words(runtime)}
    files = {f"{each}.java": _render(f"{each}.java.txt", words) for each in bases}
    for program in (False, True) if runtime.has(EXECUTABLES) else (False,):
        name = f"{prefix}HandlerWrapper{'Executable' if program else ''}"
        files[f"{name}.java"] = _wrapper(types, words, name, program=program)
    return files


def configuration_words(types: TypeModel, runtime: Runtime) -> dict[str, str]:
    """Return the template's values about the type configuration, empty if the schema or the runtime has none.

    If there is one, it is a parameter of resource handlers, as in code that AWS's plugin generates.
    """
    if types.type_configuration is None or not runtime.has(TYPE_CONFIGURATION):
        nothing = ("argument", "declared", "doc", "parameter", "type_doc")
        return {
            "handler_arguments": "CallbackContext",
            "handler_parameters": "CallbackT",
            **{f"configuration_{each}": "" for each in nothing},
        }
    return {
        "handler_arguments": "CallbackContext, TypeConfigurationModel",
        "handler_parameters": "CallbackT, ConfigurationT",
        "configuration_declared": ",\n        ConfigurationT typeConfiguration",
        "configuration_argument": ", typeConfiguration",
        "configuration_parameter": ",\n        TypeConfigurationModel typeConfiguration",
        "configuration_doc": "\n     * @param typeConfiguration how the account configures the type",
        "configuration_type_doc": "\n * @param <ConfigurationT> how an account configures the type",
    }


def _runtime_words(runtime: Runtime) -> dict[str, str]:
    """Return the template's values that differ on older runtimes."""
    known = runtime.has(TYPE_CONFIGURATION)
    answer = "answerTest(event, context)"
    text = f"serializer.serialize({answer}).getBytes(StandardCharsets.UTF_8)"
    return {
        "request_types": f"ResourceModel, CallbackContext{', TypeConfigurationModel' if known else ''}",
        "request_members": runtime.request_members(),
        "configuration_given": ",\n        final TypeConfigurationModel typeConfiguration" if known else "",
        "configuration_of_payload": ",\n                payload.getTypeConfiguration()" if known else "",
        "write_answer": f"writeResponse(output, {answer});"
        if runtime.has(WRITES_RESPONSES)
        else f"output.write({text});",
    }


def _wrapper(types: TypeModel, words: dict[str, str], name: str, *, program: bool) -> str:
    hook = types.kind is ExtensionKind.HOOK
    prefix = "Hook" if hook else ""
    entry = f"{'hook' if hook else 'resource'}_{'main' if program else 'lambda'}.txt"
    summary = "Runs the handlers as a program of its own." if program else "The entry points of the Lambda function."
    own = {"class_name": name, "parent": f"{prefix}{'Executable' if program else 'Lambda'}Wrapper", "summary": summary}
    text = _render(
        f"{prefix}HandlerWrapper.java.txt",
        {
            **words,
            **own,
            "more_imports": "" if program else "".join(f"import {each};\n" for each in _LAMBDA_IMPORTS),
            "handlers": "\n".join(
                f"        handlers.put({_action(types, each)}, new {handler_class(types, each)}());"
                for each in handler_names(types)
            ),
            "entry": _render(entry, {**words, **own}).rstrip(),
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
    return (
        f"HookInvocationPoint.{_POINTS[handler]}" if types.kind is ExtensionKind.HOOK else f"Action.{handler.upper()}"
    )


def _words(place: Place) -> dict[str, str]:
    return {"header": header(place.type_name), "package": place.package}


def _render(name: str, words: dict[str, str]) -> str:
    return render_template(TEMPLATES / name, words)
