"""The registry: one method an operation of AWS's API, and what the stack engine asks."""

from typing import Self

from formwork.aws.scope import Scope
from formwork.durable import Database, Work
from formwork.extensions import ExtensionKind
from formwork.invoke import HandlerTransport
from formwork.lambda_host.live_lines import CallWatcher
from formwork.registry import (
    activating,
    configuring,
    deregistering,
    describing,
    listing,
    listing_versions,
    progress,
    publishers,
    publishing,
    registering,
    registration_work,
    sweeping,
    test_runs,
    testing,
    types,
    versions,
)
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.handlers import PackagedHandlers
from formwork.registry.logs import HandlerLog
from formwork.registry.requests import (
    ActivateTypeRequest,
    ConfigurationReference,
    DescribeTypeRequest,
    ListTypeRegistrationsRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    PublishTypeRequest,
    RecordHandlerProgressRequest,
    RegisterPublisherRequest,
    RegisterTypeRequest,
    SetTypeConfigurationRequest,
    TestTypeRequest,
    TypeReference,
)
from formwork.registry.results import (
    Configuration,
    ConfigurationFailure,
    Listed,
    Publisher,
    RegistrationStatus,
    TypeDescription,
    TypeSummary,
    VersionSummary,
)
from formwork.registry.settings import RegistrySettings


class Registry:
    """Types, versions and what belongs to them, of every account and Region in one database.

    Made before `work` is launched: it registers its workflows and removes the files that dead processes left; `resume`
    once it is. Every method is safe to
    call from several threads, and raises RegistryError for what AWS answers with an error.
    """

    def __init__(self, database: Database, work: Work, settings: RegistrySettings) -> None:
        assert database.state is not None, "the registry keeps packages in a state folder"
        handlers = None if settings.handlers is None else PackagedHandlers(settings.handlers)
        self._parts = RegistryDependencies(database, database.state, work, settings, handlers)
        work.register(registration_work.WORKFLOW, lambda token: registration_work.run_registration(self._parts, token))
        work.register(testing.WORKFLOW, lambda test_id: testing.run_test(self._parts, test_id))
        # Before any work resumes: packages that it is unpacking now are in no row yet.
        sweeping.sweep(self._parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def resume(self) -> None:
        """Start the work that was requested and never began."""
        registration_work.go_on(self._parts)
        testing.go_on(self._parts)

    def close(self) -> None:
        """End every handler process."""
        if self._parts.handlers is not None:
            self._parts.handlers.close()

    # -- registering

    def register_type(self, scope: Scope, request: RegisterTypeRequest) -> str:
        """Begin to register a version; the registration token."""
        return registering.register_type(self._parts, scope, request)

    def describe_type_registration(self, scope: Scope, token: str) -> RegistrationStatus:
        """Return how far a registration is."""
        return registering.describe_registration(self._parts, scope, token)

    # -- looking

    def describe_type(self, scope: Scope, request: DescribeTypeRequest) -> TypeDescription:
        """Everything about a type or a version."""
        return describing.describe_type(self._parts, scope, request)

    def list_types(self, scope: Scope, request: ListTypesRequest) -> Listed[TypeSummary]:
        """Return a page of the types that the caller sees."""
        return listing.list_types(self._parts, scope, request)

    def list_type_versions(self, scope: Scope, request: ListTypeVersionsRequest) -> Listed[VersionSummary]:
        """Return a page of a type's versions."""
        return listing_versions.list_type_versions(self._parts, scope, request)

    def list_type_registrations(self, scope: Scope, request: ListTypeRegistrationsRequest) -> Listed[str]:
        """Return a page of registration tokens."""
        return listing_versions.list_type_registrations(self._parts, scope, request)

    # -- versions and configuration

    def set_type_default_version(self, scope: Scope, reference: TypeReference) -> None:
        """Set the version of a type that operations use."""
        versions.set_default_version(self._parts, scope, reference)

    def deregister_type(self, scope: Scope, reference: TypeReference) -> None:
        """Take a version, or a type, out of use."""
        deregistering.deregister_type(self._parts, scope, reference)

    def set_type_configuration(self, scope: Scope, request: SetTypeConfigurationRequest) -> str:
        """Set a type's configuration; its ARN."""
        return configuring.set_type_configuration(self._parts, scope, request)

    def remove_type_configuration(self, scope: Scope, reference: TypeReference) -> None:
        """Drop a type's configuration."""
        configuring.remove_type_configuration(self._parts, scope, reference)

    def describe_type_configurations(
        self, scope: Scope, references: list[ConfigurationReference]
    ) -> tuple[list[Configuration], list[ConfigurationFailure]]:
        """Configurations, and why there is none for some."""
        return configuring.describe_configurations(self._parts, scope, references)

    # -- publishing

    def register_publisher(self, scope: Scope, request: RegisterPublisherRequest) -> str:
        """Make the account a publisher; its publisher id."""
        return publishers.register_publisher(self._parts, scope, request)

    def describe_publisher(self, scope: Scope, publisher_id: str | None = None) -> Publisher:
        """Return a publisher, without an id the caller."""
        return publishers.describe_publisher(self._parts, scope, publisher_id)

    def test_type(self, scope: Scope, request: TestTypeRequest) -> str:
        """Begin to test a version; its ARN."""
        return testing.test_type(self._parts, scope, request)

    def list_test_runs(self, scope: Scope, reference: TypeReference) -> list[test_runs.ContractTestRun]:
        """Return the runs of a type's contract tests; see `test_runs.list_runs`."""
        return test_runs.list_runs(self._parts, scope, reference)

    def read_test_file(self, scope: Scope, reference: TypeReference, run_id: str, name: str) -> bytes | None:
        """Return a file that a run left; see `test_runs.read_run_file`."""
        return test_runs.read_run_file(self._parts, scope, reference, run_id, name)

    def publish_type(self, scope: Scope, request: PublishTypeRequest) -> str:
        """Publish a tested version; the public type's ARN."""
        return publishing.publish_type(self._parts, scope, request)

    def activate_type(self, scope: Scope, request: ActivateTypeRequest) -> str:
        """Activate a public type; its ARN in this account and Region."""
        return activating.activate_type(self._parts, scope, request)

    def deactivate_type(self, scope: Scope, reference: TypeReference) -> None:
        """Take an activated type out of use."""
        activating.deactivate_type(self._parts, scope, reference)

    def record_handler_progress(self, scope: Scope, request: RecordHandlerProgressRequest) -> None:
        """Record what a handler reports of itself."""
        progress.record_handler_progress(self._parts, scope, request)

    # -- for the stack engine

    def expect_type(
        self, scope: Scope, name: str, kind: ExtensionKind, version: str | None = None
    ) -> types.RegisteredVersion:
        """Return the version of a type that operations use; see `types.expect_type`."""
        return types.expect_type(self._parts, scope, name, kind, version)

    def list_resource_types(self, scope: Scope) -> list[str]:
        """Return the names of the resource types that are LIVE."""
        return types.list_resource_types(self._parts, scope)

    def list_hooks(self, scope: Scope) -> list[types.RegisteredVersion]:
        """Return the hooks that are LIVE, with their configurations."""
        return types.list_hooks(self._parts, scope)

    def transport(self, version: types.RegisteredVersion) -> HandlerTransport:
        """Return what invokes a version's handlers; their processes stay warm.

        Raises:
            LookupError: this registry runs nothing.
        """
        if self._parts.handlers is None:
            raise LookupError("this registry was made without handler settings")
        return self._parts.handlers.transport(version.scope, version.package, version.load_config())

    @property
    def call_watcher(self) -> CallWatcher | None:
        """What is notified of each call of a resource's handler while it runs, None where nothing is."""
        handlers = self._parts.settings.handlers
        return None if handlers is None else handlers.watch

    def handler_log(self, version: types.RegisteredVersion) -> HandlerLog:
        """Return where what a version's handlers write is kept."""
        handlers = self._parts.settings.handlers
        return HandlerLog(self._parts.state.logs, version, None if handlers is None else handlers.exchanged)
