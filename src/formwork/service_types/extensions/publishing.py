"""`Publisher` and `PublicTypeVersion`: an account as a publisher, and a version tested and published.

Neither can be undone: deleting such a resource leaves what is published, as on AWS.
"""

from collections.abc import Mapping
from typing import Any

from formwork.extensions import ExtensionKind
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import ask_again
from formwork.registry.errors import RegistryError
from formwork.registry.names import parse_type_arn
from formwork.registry.requests import (
    DescribeTypeRequest,
    PublishTypeRequest,
    RegisterPublisherRequest,
    TestTypeRequest,
    TypeReference,
)
from formwork.registry.results import TypeDescription
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers, wanted


class PublisherHandlers(RegistryTypeHandlers):
    """Handlers of `Publisher`."""

    def create(self, call: HandlerCall) -> Outcome:
        """Register the account as a publisher."""
        model = wanted(call)
        request = RegisterPublisherRequest(
            accepts_terms=bool(model["AcceptTermsAndConditions"]), connection_arn=model.get("ConnectionArn")
        )
        return Succeeded({**model, "PublisherId": self.registry.register_publisher(self.scope, request)})

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the publisher."""
        found = self.registry.describe_publisher(self.scope, wanted(call)["PublisherId"])
        model = {
            "PublisherId": found.id,
            "PublisherStatus": found.status,
            "IdentityProvider": found.identity,
            "PublisherProfile": found.profile,
            "AcceptTermsAndConditions": True,
        }
        return Succeeded({name: value for name, value in model.items() if value is not None})


class PublicVersionHandlers(RegistryTypeHandlers):
    """Handlers of `PublicTypeVersion`."""

    def create(self, call: HandlerCall) -> Outcome:
        """Test the version, then publish it; each step is recorded before it is taken, so that none is taken twice."""
        model, context = wanted(call), dict(call.context or {})
        if "version" not in context:
            return ask_again(call, None, version=self._version(call).arn)
        version = str(context["version"])
        if "before" in context:
            return self._publish(call, version, context["before"])
        found = self._describe(TypeReference(arn=version))
        if found.tests_status != "PASSED" and "testing" not in context:
            request = TestTypeRequest(type=TypeReference(arn=version), log_bucket=model.get("LogDeliveryBucket"))
            self.registry.test_type(self.scope, request)
            return ask_again(call, None, testing=True)
        if found.tests_status == "IN_PROGRESS":
            return ask_again(call, None)
        if found.tests_status != "PASSED":
            return Failed("NotStabilized", f"The tests of '{version}' failed: {found.tests_description}")
        return ask_again(call, None, before=self._newest(found))

    def _publish(self, call: HandlerCall, version: str, before: str | None) -> Outcome:
        described = self._describe(TypeReference(arn=version))
        if self._newest(described) == before:  # else it was published before a crash
            request = PublishTypeRequest(
                type=TypeReference(arn=version), version=wanted(call).get("PublicVersionNumber")
            )
            self.registry.publish_type(self.scope, request)
        publisher = self.registry.describe_publisher(self.scope)
        public = self._public(described, publisher.id)
        assert public is not None
        return Succeeded({"PublicTypeArn": public.arn, "PublisherId": publisher.id, "TypeVersionArn": version})

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the published version."""
        found = self._describe(TypeReference(arn=wanted(call)["PublicTypeArn"]))
        return Succeeded(
            {
                "PublicTypeArn": found.arn,
                "PublisherId": found.publisher_id,
                "Type": str(found.kind),
                "TypeName": found.name,
                "PublicVersionNumber": found.public_version,
                **self._private_arn(found),
            }
        )

    def _private_arn(self, found: TypeDescription) -> Mapping[str, Any]:
        """Return the ARN of the version that was published: the default one, which publishing uses."""
        try:
            return {"TypeVersionArn": self._describe(TypeReference(kind=found.kind, name=found.name)).arn}
        except RegistryError:
            return {}

    def _version(self, call: HandlerCall) -> TypeDescription:
        model = wanted(call)
        if (arn := model.get("Arn")) is not None:
            return self._describe(TypeReference(arn=arn))
        return self._describe(TypeReference(kind=ExtensionKind(model["Type"]), name=model["TypeName"]))

    def _describe(self, reference: TypeReference) -> TypeDescription:
        return self.registry.describe_type(self.scope, DescribeTypeRequest(type=reference))

    def _newest(self, found: TypeDescription) -> str | None:
        """Return the latest public version number of the caller's type, None if it is not published."""
        publisher = self.registry.describe_publisher(self.scope)
        public = self._public(found, publisher.id)
        return None if public is None else public.public_version

    def _public(self, found: TypeDescription, publisher: str) -> TypeDescription | None:
        parsed = parse_type_arn(found.arn)
        assert parsed is not None
        reference = TypeReference(kind=parsed.kind, name=parsed.name)
        try:
            return self.registry.describe_type(self.scope, DescribeTypeRequest(type=reference, publisher_id=publisher))
        except RegistryError:
            return None
