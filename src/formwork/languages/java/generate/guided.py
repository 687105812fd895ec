"""The guided style: handlers as chains of calls to an AWS service, with one class that makes requests of models."""

from collections.abc import Callable

from formwork.languages.java.generate.promises import promise_lines
from formwork.languages.java.generate.wrappers import handler_class, handler_names
from formwork.model import TypeModel

# Handler → how its chain ends.
_ENDS = {
    "create": ".progress())\n            .then(progress -> new ReadHandler().handleRequest("
    "proxy, request, callbackContext, proxyClient, logger$argument));",
    "update": ".progress())\n            .then(progress -> new ReadHandler().handleRequest("
    "proxy, request, callbackContext, proxyClient, logger$argument));",
    "read": ".done(response -> ProgressEvent.defaultSuccessHandler(Translator.modelOf(response))));",
    "delete": ".done(response -> ProgressEvent.defaultSuccessHandler(null)));",
    "list": ".done(response -> Translator.pageOf(response)));",
}


_READERS = """
    static ResourceModel modelOf(final AwsResponse response) {
        throw notWritten("the model of the read handler's response");
    }

    static ProgressEvent<ResourceModel, CallbackContext> pageOf(final AwsResponse response) {
        throw notWritten("the page of the list handler's response");
    }
"""


def guided_sources(types: TypeModel, render: Callable[..., str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sources of the program and of its tests, by class name; `render` fills in a template."""
    argument = ", typeConfiguration" if types.type_configuration else ""
    names = handler_names(types)
    main = {
        "BaseHandlerStd": render(
            "guided_BaseHandlerStd.java",
            configuration_parameter_plain=",\n        TypeConfigurationModel typeConfiguration" if argument else "",
        ),
        "ClientBuilder": render("guided_ClientBuilder.java"),
        "Translator": render("guided_Translator.java", methods="".join(map(_methods, names)) + _READERS),
    }
    test: dict[str, str] = {}
    for each in names:
        end = _ENDS[each] if "read" in names or each not in ("create", "update") else _ENDS["delete"]
        name = handler_class(types, each)
        main[name] = render(
            "guided_Handler.java",
            class_name=name,
            handler=each,
            suffix=each.capitalize(),
            graph=types.type_name.replace("::", "-"),
            promises=promise_lines(each),
            done=end.replace("$argument", argument),
        )
        test[f"{name}Test"] = render(
            "guided_Test.java", class_name=name, handler=each, null_argument=", null" if argument else ""
        )
    return main, test


def _methods(handler: str) -> str:
    return f"""
    static AwsRequest {handler}Request(final ResourceModel model) {{
        throw notWritten("the request of the {handler} handler");
    }}

    static AwsResponse call{handler.capitalize()}(final SdkClient client, final AwsRequest request) {{
        throw notWritten("the call of the {handler} handler");
    }}
"""
