"""`TypeActivation`: a publisher's type as one of the account's own."""

from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_type_arn
from formwork.registry.requests import ActivateTypeRequest, DescribeTypeRequest, TypeReference
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, logging_config, wanted


class TypeActivationHandlers(RegistryTypeHandlers):
    """Handlers of `TypeActivation`."""

    def create(self, call: HandlerCall) -> Outcome:
        """Activate the public type."""
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
        return Succeeded({**model, "Arn": self.registry.activate_type(self.scope, request)})

    def update(self, call: HandlerCall) -> Outcome:
        """Activate the type again, with what the template says now."""
        return self.create(call)

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the activated type."""
        arn = wanted(call)["Arn"]
        request = DescribeTypeRequest(type=TypeReference(arn=arn))
        found = self.registry.describe_type(self.scope, request)
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
        """Deactivate the type."""
        parsed = parse_type_arn(wanted(call)["Arn"])
        assert parsed is not None
        self.registry.deactivate_type(self.scope, TypeReference(kind=parsed.kind, name=parsed.name))
        return Succeeded(None)
