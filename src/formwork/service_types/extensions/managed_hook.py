"""`GuardHook` and `LambdaHook`: AWS's managed hooks, activated under an alias and configured."""

import json
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.managed import GUARD_HOOK, LAMBDA_HOOK, PUBLISHER
from formwork.registry.names import configuration_arn, parse_type_arn
from formwork.registry.requests import (
    ActivateTypeRequest,
    ConfigurationReference,
    DescribeTypeRequest,
    SetTypeConfigurationRequest,
    TypeReference,
)
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, wanted

# Properties of the resource that are settings of every hook, by the name of the setting.
_SETTINGS = {
    "HookInvocationStatus": "HookStatus",
    "TargetOperations": "TargetOperations",
    "FailureMode": "FailureMode",
    "TargetFilters": "TargetFilters",
    "StackFilters": "StackFilters",
}


class ManagedHookHandlers(RegistryTypeHandlers):
    """Handlers of a managed hook's resource type, identified by the ARN of the activated hook."""

    managed: ClassVar[str]

    @abstractmethod
    def properties(self, model: Mapping[str, Any]) -> dict[str, Any]:
        """Return the properties of the hook's configuration that a model asks for."""
        ...

    @abstractmethod
    def shown(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Return the members of the model that properties of a configuration come from."""
        ...

    def create(self, call: HandlerCall) -> Outcome:
        """Activate the hook under its alias and configure it."""
        model = wanted(call)
        request = ActivateTypeRequest(
            type=TypeReference(kind=self.kind, name=self.managed),
            publisher_id=PUBLISHER,
            alias=model["Alias"],
            execution_role_arn=model["ExecutionRole"],
        )
        arn = self.registry.activate_type(self.scope, request)
        self._configure(model)
        return Succeeded({**model, "HookArn": arn})

    def update(self, call: HandlerCall) -> Outcome:
        """Configure the hook anew."""
        read = self.read(call)
        if isinstance(read, Failed):
            return read
        self._configure(wanted(call))
        return Succeeded(dict(wanted(call)))

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the hook and its configuration."""
        arn = wanted(call)["HookArn"]
        found = self.registry.describe_type(self.scope, DescribeTypeRequest(type=TypeReference(arn=arn)))
        if not found.is_activated:
            return Failed("NotFound", f"The type '{found.name}' is not activated.")
        asked = [
            ConfigurationReference(
                type=TypeReference(), arn=configuration_arn(self.scope, self.kind, found.name, "default")
            )
        ]
        configurations, _ = self.registry.describe_type_configurations(self.scope, asked)
        content = configurations[0].content if configurations else None
        model = {"HookArn": arn, "Alias": found.name, "ExecutionRole": found.execution_role_arn}
        return Succeeded({**model, **self._shown_configuration(json.loads(content or "{}"))})

    def delete(self, call: HandlerCall) -> Outcome:
        """Deactivate the hook, with its configuration."""
        read = self.read(call)
        if isinstance(read, Failed):
            return read
        parsed = parse_type_arn(wanted(call)["HookArn"])
        assert parsed is not None
        self.registry.deactivate_type(self.scope, TypeReference(kind=parsed.kind, name=parsed.name))
        return Succeeded(None)

    def _configure(self, model: Mapping[str, Any]) -> None:
        settings = {setting: model[name] for setting, name in _SETTINGS.items() if name in model}
        hook = {"HookConfiguration": {**settings, "Properties": self.properties(model)}}
        request = SetTypeConfigurationRequest(
            type=TypeReference(kind=self.kind, name=model["Alias"]),
            configuration=json.dumps({"CloudFormationConfiguration": hook}),
            alias=None,
        )
        self.registry.set_type_configuration(self.scope, request)

    def _shown_configuration(self, configuration: Mapping[str, Any]) -> dict[str, Any]:
        hook = configuration.get("CloudFormationConfiguration", {}).get("HookConfiguration", {})
        model = {name: hook[setting] for setting, name in _SETTINGS.items() if setting in hook}
        return {**model, **self.shown(hook.get("Properties", {}))}


class GuardHookHandlers(ManagedHookHandlers):
    """Handlers of `GuardHook`."""

    managed = GUARD_HOOK

    def properties(self, model: Mapping[str, Any]) -> dict[str, Any]:
        """See `ManagedHookHandlers.properties`."""
        properties: dict[str, Any] = {"ruleLocation": _location(model["RuleLocation"])}
        if "LogBucket" in model:
            properties["logBucket"] = model["LogBucket"]
        if "InputParams" in model.get("Options", {}):
            properties["options"] = {"inputParams": _location(model["Options"]["InputParams"])}
        return properties

    def shown(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """See `ManagedHookHandlers.shown`."""
        model: dict[str, Any] = {}
        if "ruleLocation" in properties:
            model["RuleLocation"] = _shown_location(properties["ruleLocation"])
        if "logBucket" in properties:
            model["LogBucket"] = properties["logBucket"]
        parameters = properties.get("options", {}).get("inputParams")
        if isinstance(parameters, (str, dict)):
            model["Options"] = {"InputParams": _shown_location(parameters)}
        return model


class LambdaHookHandlers(ManagedHookHandlers):
    """Handlers of `LambdaHook`."""

    managed = LAMBDA_HOOK

    def properties(self, model: Mapping[str, Any]) -> dict[str, Any]:
        """See `ManagedHookHandlers.properties`."""
        return {"LambdaFunction": model["LambdaFunction"]}

    def shown(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """See `ManagedHookHandlers.shown`."""
        return {name: properties[name] for name in ("LambdaFunction",) if name in properties}


def _location(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name[0].lower() + name[1:]: value for name, value in given.items()}


def _shown_location(given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        return {"Uri": given}
    return {name[0].upper() + name[1:]: value for name, value in given.items()}
