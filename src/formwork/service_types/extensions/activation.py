"""`TypeActivation`: a publisher's type as one of the account's own."""

from collections.abc import Mapping

from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_type_arn
from formwork.registry.requests import ActivateTypeRequest, DescribeTypeRequest, TypeReference
from formwork.service_types.extensions.asking import Desk, Handler, guarded, logging_config, wanted


def activation_handlers(desk: Desk) -> Mapping[str, Handler]:
    """The handlers of the type."""
    activations = _Activations(desk)
    found: dict[str, Handler] = {
        "CREATE": activations.activate,
        "UPDATE": activations.activate,
        "READ": activations.read,
        "DELETE": activations.delete,
    }
    return {action: guarded(handler) for action, handler in found.items()}


class _Activations:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def activate(self, call: HandlerCall) -> Outcome:
        model = wanted(call)
        kind = ExtensionKind(model["Type"]) if "Type" in model else None
        reference = TypeReference(arn=model.get("PublicTypeArn"))
        if reference.arn is None:
            reference = TypeReference(kind=kind, name=model.get("TypeName"))
        request = ActivateTypeRequest(
            type=reference,
            publisher_id=model.get("PublisherId"),
            alias=model.get("TypeNameAlias"),
            auto_update=model.get("AutoUpdate"),
            logging=logging_config(model),
            execution_role_arn=model.get("ExecutionRoleArn"),
            bump=model.get("VersionBump"),
            major=model.get("MajorVersion"),
        )
        return Succeeded({**model, "Arn": self._desk.registry.activate_type(self._desk.scope, request)})

    def read(self, call: HandlerCall) -> Outcome:
        arn = wanted(call)["Arn"]
        request = DescribeTypeRequest(type=TypeReference(arn=arn))
        found = self._desk.registry.describe_type(self._desk.scope, request)
        if not found.is_activated:
            return Failed("NotFound", f"The type '{found.name}' is not activated.")
        model = {
            "Arn": arn,
            "PublicTypeArn": found.original_arn,
            "PublisherId": found.publisher_id,
            "TypeName": found.original_name,
            "TypeNameAlias": found.name,
        }
        return Succeeded({name: value for name, value in model.items() if value is not None})

    def delete(self, call: HandlerCall) -> Outcome:
        parsed = parse_type_arn(wanted(call)["Arn"])
        assert parsed is not None
        self._desk.registry.deactivate_type(self._desk.scope, TypeReference(kind=parsed.kind, name=parsed.name))
        return Succeeded(None)
