"""`ResourceVersion`, `ModuleVersion` and `HookVersion`: a version registered from its package.

Source: seed 002 ("Using StackSets to publish in multiple Regions"); their schemas in `registry/aws_types`.
"""

from typing import Any

from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import ask_again
from formwork.registry.names import parse_type_arn, type_arn
from formwork.registry.requests import (
    DescribeTypeRequest,
    ListTypeRegistrationsRequest,
    ListTypeVersionsRequest,
    RegisterTypeRequest,
    TypeReference,
)
from formwork.registry.results import TypeDescription
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, logging_config, wanted


class VersionHandlers(RegistryTypeHandlers):
    """Handlers of `ResourceVersion`, `ModuleVersion` and `HookVersion`."""

    @property
    def _is_module(self) -> bool:
        return self.kind is ExtensionKind.MODULE

    def create(self, call: HandlerCall) -> Outcome:
        """Register the version, and wait for its registration."""
        model = wanted(call)
        if call.context is None:
            token = self.registry.register_type(self.scope, self._request(call))
            begun = self.registry.describe_type_registration(self.scope, token)
            return ask_again(call, {**model, "Arn": begun.version_arn}, registration=token)
        token = str(call.context["registration"])
        found = self._status(token)
        if found.status == "IN_PROGRESS":
            return ask_again(call, model)
        if found.status == "FAILED":
            return Failed("NotStabilized", found.description or "The registration failed.", model)
        return Succeeded(model)

    def _status(self, token: str) -> Any:
        return self.registry.describe_type_registration(self.scope, token)

    def _request(self, call: HandlerCall) -> RegisterTypeRequest:
        model = wanted(call)
        return RegisterTypeRequest(
            type_name=model["ModuleName" if self._is_module else "TypeName"],
            package_url=model["ModulePackage" if self._is_module else "SchemaHandlerPackage"],
            kind=self.kind,
            logging=logging_config(model),
            execution_role_arn=model.get("ExecutionRoleArn"),
            client_token=call.token,
        )

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the version."""
        found = self._find(call)
        if found.status != "LIVE":
            return Failed("NotFound", f"The version '{found.arn}' is deregistered.")
        model: dict[str, Any] = {
            "Arn": found.arn,
            "VersionId": found.arn.rpartition("/")[2],
            "IsDefaultVersion": bool(found.is_default),
            "Visibility": found.visibility,
        }
        if self._is_module:
            model |= {"ModuleName": found.name, "Schema": found.schema, "Description": found.description}
            model |= {"DocumentationUrl": found.documentation_url}
            if found.created is not None:
                model["TimeCreated"] = found.created.isoformat()
        else:
            model |= {"TypeName": found.name, "TypeArn": type_arn(self.scope, found.kind, found.name)}
            model |= {"ExecutionRoleArn": found.execution_role_arn}
            if found.logging is not None:
                config = {"LogRoleArn": found.logging.log_role_arn, "LogGroupName": found.logging.log_group_name}
                model["LoggingConfig"] = config
        if self.kind is ExtensionKind.RESOURCE:
            model["ProvisioningType"] = found.provisioning
        return Succeeded({name: value for name, value in model.items() if value is not None})

    def delete(self, call: HandlerCall) -> Outcome:
        """Deregister the version, with its type if it is the last one."""
        arn = str(wanted(call)["Arn"])
        if self._is_being_registered(arn):  # by an operation that no longer waits for it
            return ask_again(call, call.desired)
        found = self._find(call)
        if found.status != "LIVE":
            return Failed("NotFound", f"The version '{arn}' is deregistered.")
        reference = TypeReference(arn=arn)
        if found.is_default and len(self._live(found)) == 1:
            reference = TypeReference(kind=found.kind, name=found.name)
        self.registry.deregister_type(self.scope, reference)
        return Succeeded(None)

    def _find(self, call: HandlerCall) -> TypeDescription:
        request = DescribeTypeRequest(type=TypeReference(arn=str(wanted(call)["Arn"])))
        return self.registry.describe_type(self.scope, request)

    def _live(self, found: TypeDescription) -> tuple[Any, ...]:
        request = ListTypeVersionsRequest(type=TypeReference(kind=found.kind, name=found.name))
        return self.registry.list_type_versions(self.scope, request).items

    def _is_being_registered(self, arn: str) -> bool:
        named = parse_type_arn(arn)
        assert named is not None
        request = ListTypeRegistrationsRequest(type=TypeReference(kind=named.kind, name=named.name))
        tokens = self.registry.list_type_registrations(self.scope, request).items
        return any(self._status(token).version_arn == arn for token in tokens)
