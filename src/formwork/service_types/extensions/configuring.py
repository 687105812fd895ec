"""`HookTypeConfig`: a hook's configuration, which says when it is called and what its refusal does."""

from collections.abc import Mapping

from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_configuration_arn
from formwork.registry.requests import ConfigurationReference, SetTypeConfigurationRequest, TypeReference
from formwork.service_types.extensions.asking import Desk, Handler, guarded, wanted


def configuration_handlers(desk: Desk) -> Mapping[str, Handler]:
    """The handlers of the type."""
    configurations = _Configurations(desk)
    found: dict[str, Handler] = {
        "CREATE": configurations.set,
        "UPDATE": configurations.set,
        "READ": configurations.read,
        "DELETE": configurations.delete,
    }
    return {action: guarded(handler) for action, handler in found.items()}


class _Configurations:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def set(self, call: HandlerCall) -> Outcome:
        model = wanted(call)
        reference = TypeReference(arn=model.get("TypeArn"))
        if reference.arn is None:
            reference = TypeReference(kind=self._desk.kind, name=model.get("TypeName"))
        request = SetTypeConfigurationRequest(
            type=reference, configuration=model["Configuration"], alias=model.get("ConfigurationAlias")
        )
        arn = self._desk.registry.set_type_configuration(self._desk.scope, request)
        if call.action == "UPDATE" and arn != model.get("ConfigurationArn"):
            return Failed("NotUpdatable", "The configuration of a hook can't become another hook's.")
        return Succeeded({**model, "ConfigurationArn": arn})

    def read(self, call: HandlerCall) -> Outcome:
        arn = wanted(call)["ConfigurationArn"]
        asked = [ConfigurationReference(type=TypeReference(), arn=arn)]
        found, failures = self._desk.registry.describe_type_configurations(self._desk.scope, asked)
        parsed = parse_configuration_arn(arn)
        if failures or not found or parsed is None:
            return Failed("NotFound", failures[0].message if failures else f"'{arn}' is no configuration.")
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
        read = self.read(call)
        if isinstance(read, Failed):
            return read
        parsed = parse_configuration_arn(wanted(call)["ConfigurationArn"])
        assert parsed is not None
        reference = TypeReference(kind=parsed[1], name=parsed[2])
        self._desk.registry.remove_type_configuration(self._desk.scope, reference)
        return Succeeded(None)
