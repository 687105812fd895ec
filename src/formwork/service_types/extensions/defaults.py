"""`ResourceDefaultVersion`, `HookDefaultVersion`, `ModuleDefaultVersion`: which version operations use.

Deleting such a resource changes nothing: a type has one default version or another.
"""

from collections.abc import Mapping

from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_type_arn, type_arn
from formwork.registry.requests import DescribeTypeRequest, TypeReference
from formwork.service_types.extensions.asking import Desk, Handler, guarded, wanted


def default_handlers(desk: Desk) -> Mapping[str, Handler]:
    """The handlers of the type for default versions of the desk's kind."""
    defaults = _ModuleDefaults(desk) if desk.kind is ExtensionKind.MODULE else _Defaults(desk)
    found: dict[str, Handler] = {"CREATE": defaults.set, "UPDATE": defaults.set, "READ": defaults.read}
    return {**{action: guarded(handler) for action, handler in found.items()}, "DELETE": lambda _: Succeeded(None)}


class _Defaults:
    """Known by the ARN of the type."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def set(self, call: HandlerCall) -> Outcome:
        desk, model = self._desk, wanted(call)
        arn = model.get("TypeVersionArn")
        reference = TypeReference(arn=arn)
        name = model.get("TypeName")
        if arn is None:
            reference = TypeReference(kind=desk.kind, name=name, version=model.get("VersionId"))
        elif (parsed := parse_type_arn(arn)) is not None:
            name = parsed.name
        desk.registry.set_type_default_version(desk.scope, reference)
        return Succeeded({**model, "Arn": type_arn(desk.scope, desk.kind, str(name))})

    def read(self, call: HandlerCall) -> Outcome:
        desk = self._desk
        request = DescribeTypeRequest(type=TypeReference(arn=wanted(call)["Arn"]))
        found = desk.registry.describe_type(desk.scope, request)
        if found.status != "LIVE":
            return Failed("NotFound", f"The type '{found.name}' is deregistered.")
        return Succeeded(
            {
                "Arn": type_arn(desk.scope, desk.kind, found.name),
                "TypeName": found.name,
                "VersionId": found.default_version,
                "TypeVersionArn": found.arn,
            }
        )


class _ModuleDefaults:
    """Known by the ARN of the version."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def set(self, call: HandlerCall) -> Outcome:
        desk, model = self._desk, wanted(call)
        arn = model.get("Arn")
        reference = TypeReference(arn=arn)
        if arn is None:
            reference = TypeReference(kind=desk.kind, name=model.get("ModuleName"), version=model.get("VersionId"))
        desk.registry.set_type_default_version(desk.scope, reference)
        found = desk.registry.describe_type(desk.scope, DescribeTypeRequest(type=reference))
        return Succeeded({**model, "Arn": found.arn})

    def read(self, call: HandlerCall) -> Outcome:
        desk, arn = self._desk, wanted(call)["Arn"]
        found = desk.registry.describe_type(desk.scope, DescribeTypeRequest(type=TypeReference(arn=arn)))
        if found.status != "LIVE" or not found.is_default:
            return Failed("NotFound", f"'{arn}' is not the default version.")
        return Succeeded({"Arn": found.arn})
