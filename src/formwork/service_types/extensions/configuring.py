"""`HookTypeConfig`: a hook's configuration, which says when it is called and what its refusal does."""

from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_configuration_arn
from formwork.registry.requests import ConfigurationReference, SetTypeConfigurationRequest, TypeReference
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, wanted


class HookConfigurationHandlers(RegistryTypeHandlers):
    """Handlers of `HookTypeConfig`."""

    def create(self, call: HandlerCall) -> Outcome:
        """Set the configuration."""
        model = wanted(call)
        reference = TypeReference(arn=model.get("TypeArn"))
        if reference.arn is None:
            reference = TypeReference(kind=self.kind, name=model.get("TypeName"))
        request = SetTypeConfigurationRequest(
            type=reference, configuration=model["Configuration"], alias=model.get("ConfigurationAlias")
        )
        arn = self.registry.set_type_configuration(self.scope, request)
        if call.action == "UPDATE" and arn != model.get("ConfigurationArn"):
            return Failed("NotUpdatable", "The configuration of a hook can't become another hook's.")
        return Succeeded({**model, "ConfigurationArn": arn})

    def update(self, call: HandlerCall) -> Outcome:
        """Set the configuration again; it stays that of the same hook."""
        return self.create(call)

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the configuration."""
        arn = wanted(call)["ConfigurationArn"]
        asked = [ConfigurationReference(type=TypeReference(), arn=arn)]
        found, failures = self.registry.describe_type_configurations(self.scope, asked)
        parsed = parse_configuration_arn(arn)
        if failures or not found or parsed is None:
            return Failed("NotFound", failures[0].message if failures else f"'{arn}' is not a configuration's ARN.")
        (configuration,) = found
        return Succeeded(
            {
                "ConfigurationArn": configuration.arn,
                "ConfigurationAlias": configuration.alias,
                "Configuration": configuration.content,
                "TypeArn": configuration.type_arn,
                "TypeName": parsed[2],
            }
        )

    def delete(self, call: HandlerCall) -> Outcome:
        """Remove the configuration."""
        read = self.read(call)
        if isinstance(read, Failed):
            return read
        parsed = parse_configuration_arn(wanted(call)["ConfigurationArn"])
        assert parsed is not None
        reference = TypeReference(kind=parsed[1], name=parsed[2])
        self.registry.remove_type_configuration(self.scope, reference)
        return Succeeded(None)
