"""The guided style of hooks: a base class that selects by target, and one method per target in each handler."""

from collections.abc import Callable, Collection, Iterable

from formwork.languages.java.generate.naming import target_class, target_package
from formwork.languages.java.generate.promises import promise_lines
from formwork.languages.java.generate.text import literal
from formwork.languages.java.generate.wrappers import handler_class, handler_names
from formwork.model import TypeModel

_CASE = """            case $NAME:
                answer = judge$CLASS(
                    proxy,
                    request.getHookContext().getTargetModel($CLASSTargetModel.class),
                    context,
                    typeConfiguration);
                break;"""
_DECLARED = """
    protected abstract ProgressEvent<HookTargetModel, CallbackContext> judge$CLASS(
        AmazonWebServicesClientProxy proxy,
        $CLASSTargetModel target,
        CallbackContext callbackContext,
        TypeConfigurationModel typeConfiguration);
"""
_WRITTEN = """
    @Override
    protected ProgressEvent<HookTargetModel, CallbackContext> judge$CLASS(
        final AmazonWebServicesClientProxy proxy,
        final $CLASSTargetModel target,
        final CallbackContext callbackContext,
        final TypeConfigurationModel typeConfiguration) {
        // target.getResourceProperties() is the $CLASS to judge$PREVIOUS.
        // One that complies: ProgressEvent.success(null, null, why). One that does not:
        // ProgressEvent.failed(null, null, HandlerErrorCode.NonCompliant, what is wrong with these properties).
        return ProgressEvent.failed(
            null, null, HandlerErrorCode.InternalFailure, "the $HANDLER handler is not written yet for $TARGET");
    }
"""
_PREVIOUS = ", target.getPreviousResourceProperties() what it was before"


def guided_hook_sources(
    types: TypeModel, targets: Collection[str], package: str, render: Callable[..., str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sources of the program and of its tests, by class name; `targets` are those with schemas."""
    imports = _imports(package, targets)
    main = {
        "BaseHookHandlerStd": render(
            "guided_BaseHookHandlerStd.java",
            imports=imports,
            cases="\n".join(_filled(_CASE, each) for each in targets),
            methods="".join(_filled(_DECLARED, each) for each in targets),
        )
    }
    test: dict[str, str] = {}
    for handler in handler_names(types):
        name = handler_class(types, handler)
        previous = _PREVIOUS if handler == "preUpdate" else ""
        written = _WRITTEN.replace("$PREVIOUS", previous).replace("$HANDLER", handler)
        main[name] = render(
            "guided_HookHandler.java",
            class_name=name,
            promises=promise_lines(handler),
            imports=imports,
            methods="".join(_filled(written, each) for each in targets),
        )
        test[f"{name}Test"] = render(
            "guided_HookTest.java", class_name=name, targets=", ".join(literal(each) for each in targets)
        )
    return main, test


def _filled(text: str, target: str) -> str:
    return text.replace("$CLASS", target_class(target)).replace("$NAME", literal(target)).replace("$TARGET", target)


def _imports(package: str, targets: Iterable[str]) -> str:
    found = []
    for each in targets:
        place = ".".join((package, *target_package(each), target_class(each)))
        found.append(f"import {place}TargetModel;")
    return "\n".join(sorted(found))
