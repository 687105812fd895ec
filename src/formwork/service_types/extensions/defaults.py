"""`ResourceDefaultVersion`, `HookDefaultVersion`, `ModuleDefaultVersion`: which version operations use.

Deleting such a resource changes nothing: a type has one default version or another.
"""

from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.registry.names import parse_type_arn, type_arn
from formwork.registry.requests import DescribeTypeRequest, TypeReference
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, wanted


class DefaultVersionHandlers(RegistryTypeHandlers):
    """Handlers of `ResourceDefaultVersion` and `HookDefaultVersion`, identified by the ARN of the type."""

    def create(self, call: HandlerCall) -> Outcome:
        """Set the default version."""
        model = wanted(call)
        arn = model.get("TypeVersionArn")
        reference = TypeReference(arn=arn)
        name = model.get("TypeName")
        if arn is None:
            reference = TypeReference(kind=self.kind, name=name, version=model.get("VersionId"))
        elif (parsed := parse_type_arn(arn)) is not None:
            name = parsed.name
        self.registry.set_type_default_version(self.scope, reference)
        return Succeeded({**model, "Arn": type_arn(self.scope, self.kind, str(name))})

    def update(self, call: HandlerCall) -> Outcome:
        """Set the default version that the template names now."""
        return self.create(call)

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the default version of the type."""
        request = DescribeTypeRequest(type=TypeReference(arn=wanted(call)["Arn"]))
        found = self.registry.describe_type(self.scope, request)
        if found.status != "LIVE":
            return Failed("NotFound", f"The type '{found.name}' is deregistered.")
        return Succeeded(
            {
                "Arn": type_arn(self.scope, self.kind, found.name),
                "TypeName": found.name,
                "VersionId": found.default_version,
                "TypeVersionArn": found.arn,
            }
        )


class ModuleDefaultVersionHandlers(RegistryTypeHandlers):
    """Handlers of `ModuleDefaultVersion`, identified by the ARN of the version."""

    def create(self, call: HandlerCall) -> Outcome:
        """Set the default version."""
        model = wanted(call)
        arn = model.get("Arn")
        reference = TypeReference(arn=arn)
        if arn is None:
            reference = TypeReference(kind=self.kind, name=model.get("ModuleName"), version=model.get("VersionId"))
        self.registry.set_type_default_version(self.scope, reference)
        found = self.registry.describe_type(self.scope, DescribeTypeRequest(type=reference))
        return Succeeded({**model, "Arn": found.arn})

    def update(self, call: HandlerCall) -> Outcome:
        """Set the default version that the template names now."""
        return self.create(call)

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the version; NotFound unless it is the default."""
        arn = wanted(call)["Arn"]
        found = self.registry.describe_type(self.scope, DescribeTypeRequest(type=TypeReference(arn=arn)))
        if found.status != "LIVE" or not found.is_default:
            return Failed("NotFound", f"'{arn}' is not the default version.")
        return Succeeded({"Arn": found.arn})
