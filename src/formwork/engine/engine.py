"""The stack engine: operations are begun here, and go on as durable work."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.durable import Database, Work
from formwork.engine.changes.compute import Changes, StackSide, compute_changes
from formwork.engine.changes.values import DeployedResource, TypeTraits
from formwork.engine.deployments import expect_updatable, failing, new_deployment, refuse_other_types
from formwork.engine.errors import ProcessingError, StackError
from formwork.engine.exports import find_exporter, list_importers
from formwork.engine.hooks.results import KEPT_SECONDS
from formwork.engine.operations import change_set_hooks, stack_operation
from formwork.engine.operations.decisions import type_traits
from formwork.engine.operations.event_writing import stack_event
from formwork.engine.operations.parts import DeploymentView, Parts
from formwork.engine.operations.resource_values import StoredResources
from formwork.engine.operations.settling import start_settling
from formwork.engine.preparation import Prepared, Surroundings, parse_template, prepare_template
from formwork.engine.quotas import check_resource_types
from formwork.engine.settings import EngineSettings
from formwork.engine.stack_policies import parse_stack_policy
from formwork.engine.stack_request import StackRequest
from formwork.engine.statuses import UPDATABLE, StackStatus
from formwork.engine.store.drifts import FoundDrift, list_drifts
from formwork.engine.store.events import add_event, list_events
from formwork.engine.store.hook_results import forget_hook_results
from formwork.engine.store.operations import (
    find_by_token,
    get_operation,
    insert_operation,
    list_kinds,
    list_unended,
)
from formwork.engine.store.records import (
    STACK_TYPE,
    ChangeSetRecord,
    Deployment,
    EventRecord,
    OperationKind,
    OperationRecord,
    ResourceRecord,
    StackRecord,
    stack_arn,
)
from formwork.engine.store.resources import list_resources
from formwork.engine.store.stacks import find_stack, insert_stack, list_stacks, write_stack
from formwork.registry.scope import Scope
from formwork.template import to_value
from formwork.template.evaluation import Environment, EvaluationError, Value, pseudo_parameters
from formwork.template.expansion import ModuleInfo


class Engine:
    """Stacks of every account and Region in one database.

    Made before `work` is launched, with which it registers its workflows; `resume` once it is. Every method is safe to
    call from several threads, and raises StackError for what the service answers with an error.
    """

    def __init__(self, database: Database, work: Work, settings: EngineSettings) -> None:
        self.database = database
        self.settings = settings
        self._work = work
        self._parts = Parts(
            database,
            work,
            settings.provisioners,
            settings.now,
            self.export,
            settings.resolve,
            settings.hooks,
            settings.announce,
            settings.payloads,
            settings.changed,
            settings.checkpoint,
        )
        stack_operation.register(self._parts)
        change_set_hooks.register(self._parts)

    def resume(self) -> None:
        """Start the operations that were asked for and never began, and forget what nobody can ask for any more."""
        with self.database.begin() as connection:
            forget_hook_results(connection, self.settings.now() - KEPT_SECONDS)
            unended = list_unended(connection)
        for identifier in unended:
            self._work.start(stack_operation.WORKFLOW, identifier, identifier)
        change_set_hooks.resume(self._parts)

    # -- operations

    def create_stack(self, scope: Scope, request: StackRequest) -> tuple[str, str]:
        """Begin to make a stack; its ARN and the operation's id."""
        with self.database.read() as connection:
            known = find_stack(connection, scope, request.name)
            if known is not None and (again := self._again(connection, known, request)) is not None:
                return known.arn, again
        if known is not None:
            raise StackError(f"Stack [{request.name}] already exists", code="AlreadyExistsException")
        return self.make_stack(scope, request, str(uuid.uuid4()), str(uuid.uuid4()))

    def make_stack(self, scope: Scope, request: StackRequest, identifier: str, operation_id: str) -> tuple[str, str]:
        """Begin to make a stack with ids that are given; its ARN and the operation's id."""
        arn = stack_arn(scope, request.name, identifier)
        target, problem = self._target(scope, request, arn, request.template or "", None)
        stack = self.new_stack(scope, request, identifier, StackStatus.CREATE_IN_PROGRESS)
        request = failing(request, problem)
        operation = self.new_operation(stack, OperationKind.CREATE, request, target, identifier=operation_id)
        try:
            with self.database.begin() as connection:
                insert_stack(connection, replace(stack, operation_id=operation.id))
                self._note_begun(connection, stack, operation, request.digest())
        except IntegrityError as error:
            raise StackError(f"Stack [{request.name}] already exists", code="AlreadyExistsException") from error
        self.settings.checkpoint("noted")
        self._work.start(stack_operation.WORKFLOW, operation.id, operation.id)
        return arn, operation.id

    def update_stack(self, scope: Scope, request: StackRequest) -> tuple[str, str]:
        """Begin to change a stack; its ARN and the operation's id."""
        with self.database.read() as connection:
            stack = self.expect(connection, scope, request.name)
            if (again := self._again(connection, stack, request)) is not None:
                return stack.arn, again
        expect_updatable(stack, keeps=request.options.keep_on_failure)
        deployed = stack.deployed
        assert deployed is not None
        text = deployed.original if request.template is None else request.template
        target, problem = self._target(scope, request, stack.arn, text, deployed)
        if problem is None:
            refuse_other_types(deployed, target)
        if not request.capabilities:  # what was acknowledged before goes on to be shown
            target = replace(target, capabilities=deployed.capabilities)
        # elsewhere it tries again what failed
        if problem is None and stack.status in UPDATABLE and not self.has_changes(stack, target):
            raise StackError("No updates are to be performed.")
        operation = self.new_operation(stack, OperationKind.UPDATE, failing(request, problem), target)
        changed = replace(stack, settings=request.updated_settings(stack.settings))
        self.begin(changed, StackStatus.UPDATE_IN_PROGRESS, operation, request.digest())
        return stack.arn, operation.id

    # -- looking

    def describe_stack(self, scope: Scope, name: str) -> StackRecord:
        """One stack."""
        with self.database.read() as connection:
            return self.expect(connection, scope, name)

    def list_stacks(self, scope: Scope, *, deleted: bool = False) -> list[StackRecord]:
        """The stacks of an account and Region, the newest first."""
        with self.database.read() as connection:
            return list_stacks(connection, scope, deleted=deleted)

    def current_deployment(self, scope: Scope, name: str) -> Deployment:
        """What the stack is deployed from; before the first operation has ended, what it is being deployed from."""
        with self.database.read() as connection:
            stack = self.expect(connection, scope, name)
            target = None
            if stack.deployed is None and stack.operation_id is not None:
                target = get_operation(connection, stack.operation_id).target
        # Of a stack that is only in review, nothing is deployed: clients compare their template with this one.
        return stack.deployed or target or Deployment("{}", {})

    def operation_kinds(self, identifiers: Iterable[str | None]) -> dict[str, OperationKind]:
        """What kind of operation each is."""
        with self.database.read() as connection:
            return list_kinds(connection, [each for each in identifiers if each is not None])

    def resource_metadata(self, stack: StackRecord, logical_id: str) -> Value:
        """The metadata of a resource with its references filled in; {} where it has none."""
        if stack.deployed is None:
            return {}
        view = DeploymentView(stack.deployed, stack, lambda name: self.export(stack.scope, name))
        declared = view.template.resources.get(logical_id)
        if declared is None or declared.metadata is None:
            return {}
        try:
            return view.evaluator(StoredResources(self.database, stack.id)).value(declared.metadata)
        except EvaluationError:  # what it refers to is gone since
            return to_value(declared.metadata)

    def list_resources(self, scope: Scope, name: str) -> dict[str, ResourceRecord]:
        """The resources of a stack by logical id."""
        with self.database.read() as connection:
            return list_resources(connection, self.expect(connection, scope, name).id)

    def list_drifts(self, scope: Scope, name: str) -> dict[str, FoundDrift]:
        """What was found of a stack's resources last, by logical id."""
        with self.database.read() as connection:
            return list_drifts(connection, self.expect(connection, scope, name).id)

    def list_events(self, scope: Scope, name: str, *, before: int | None = None) -> list[tuple[int, EventRecord]]:
        """A page of a stack's events, the newest first."""
        with self.database.read() as connection:
            stack = find_stack(connection, scope, name)
            if stack is None:
                raise StackError(f"Stack [{name}] does not exist")
            return list_events(connection, stack.id, before=before)

    def export(self, scope: Scope, name: str) -> str:
        """The value of an export.

        Raises:
            KeyError: there is none of this name.
        """
        with self.database.read() as connection:
            found = find_exporter(connection, scope, name)
        if found is None:
            raise KeyError(name)
        return found[1]

    def list_imports(self, scope: Scope, name: str) -> list[str]:
        """The names of the stacks that import an export."""
        with self.database.read() as connection:
            found = list_importers(connection, scope, name)
        if not found:
            raise StackError(f"Export '{name}' is not imported by any stack.")
        return found

    # -- inside

    def expect(self, connection: Connection, scope: Scope, name: str) -> StackRecord:
        """The stack of that name or ARN.

        Raises:
            StackError: there is none.
        """
        stack = find_stack(connection, scope, name)
        if stack is None:
            raise StackError(f"Stack with id {name} does not exist")
        return stack

    def _again(self, connection: Connection, stack: StackRecord, request: StackRequest) -> str | None:
        return self.begun_before(connection, stack, request.token, request.digest())

    def begun_before(self, connection: Connection, stack: StackRecord, token: str | None, digest: str) -> str | None:
        """The operation that the same request began before, by its client request token.

        Raises:
            StackError: another request has used the token.
        """
        found = None if token is None else find_by_token(connection, stack.id, token)
        if found is None:
            return None
        operation, known = found
        if known != digest:
            raise StackError(f"Token already exists: {token}", code="TokenAlreadyExistsException")
        return operation.id

    def _target(
        self, scope: Scope, request: StackRequest, arn: str, text: str, deployed: Deployment | None
    ) -> tuple[Deployment, str | None]:
        """What a request deploys; where the template's macros fail, what it is instead, and what they fail with."""
        previous = None if deployed is None else deployed.given
        try:
            prepared = self.prepare(scope, request, arn, text, previous=previous)
        except ProcessingError as error:
            return deployed or Deployment(text, dict(parse_template(text).value)), error.message
        return new_deployment(prepared, request, {} if deployed is None else deployed.tags), None

    def prepare(
        self, scope: Scope, request: StackRequest, arn: str, text: str, *, previous: Mapping[str, str] | None
    ) -> Prepared:
        """Prepare a request's template in the surroundings of the stack `arn`; see `prepare_template`."""
        for policy in (request.policy, request.policy_during):
            if policy is not None:
                parse_stack_policy(policy)
        settings = self.settings
        pseudo = pseudo_parameters(
            region=scope.region,
            account=scope.account,
            stack_name=request.name,
            stack_id=arn,
            notification_arns=request.settings.notification_arns,
        )
        surroundings = Surroundings(
            Environment(pseudo=pseudo),
            lambda name: settings.fetch_parameter(scope, name),
            lambda name: settings.find_module(scope, name),
            lambda call: settings.transform(scope, call),
            lambda name: settings.provisioners.find(scope, name) is not None,
            lambda name: settings.parameter_exists(scope, name),
            lambda properties: settings.pin(scope, properties),
            lambda name: settings.explain_type(scope, name),
        )
        prepared = prepare_template(
            text, request.parameters, surroundings, previous=previous, capabilities=request.capabilities
        )
        check_resource_types(prepared.template, request.resource_types)
        return prepared

    def has_changes(self, stack: StackRecord, target: Deployment) -> bool:
        """Whether deploying `target` may change something; what a nested stack comes to is not known before."""
        deployed = stack.deployed
        assert deployed is not None
        if any(each.get("Type") == STACK_TYPE for each in target.template["Resources"].values()):
            return True
        if dict(deployed.template) == dict(target.template) and dict(deployed.given) == dict(target.given):
            return dict(deployed.tags) != dict(target.tags) or dict(deployed.stored) != dict(target.stored)
        try:
            changed = bool(self.find_changes(stack, target).plain)
        except EvaluationError:  # the operation tells, and fails
            return True
        return changed or deployed.template.get("Outputs") != target.template.get("Outputs")

    def find_changes(self, stack: StackRecord, target: Deployment) -> Changes:
        """What deploying `target` changes in the stack."""
        after = self.view(stack, target)
        before = None if stack.deployed is None else self.view(stack, stack.deployed)
        with self.database.read() as connection:
            records = list_resources(connection, stack.id)
        return compute_changes(
            None if before is None else _side(before),
            _side(after),
            {} if before is None else dict(_deployed(before, records)),
            lambda name: self._traits(stack.scope, name),
        )

    def view(self, stack: StackRecord, deployment: Deployment) -> DeploymentView:
        """A deployment of the stack, read."""
        return DeploymentView(deployment, stack, lambda name: self.export(stack.scope, name))

    def _traits(self, scope: Scope, type_name: str) -> TypeTraits:
        provisioner = self.settings.provisioners.find(scope, type_name)
        return TypeTraits() if provisioner is None else type_traits(provisioner.schema)

    def new_stack(self, scope: Scope, request: StackRequest, identifier: str, status: StackStatus) -> StackRecord:
        """A stack of which nothing is there yet."""
        return StackRecord(
            id=identifier,
            scope=scope,
            name=request.name,
            status=status,
            reason="User Initiated",
            created=self.settings.now(),
            updated=None,
            deleted=None,
            settings=request.settings,
            deployed=None,
            outputs={},
            policy=request.policy,
            drift_status="NOT_CHECKED",
            drift_checked=None,
            operation_id=None,
        )

    def await_hooks(self, stack: StackRecord, record: ChangeSetRecord) -> ChangeSetRecord:
        """The change set as it is until the hooks that look at it have answered; `ask_hooks` asks them."""
        if record.status != "CREATE_COMPLETE" or not change_set_hooks.has_hooks(self._parts, stack, record):
            return record
        return replace(record, status="CREATE_IN_PROGRESS", execution_status="UNAVAILABLE")

    def ask_hooks(self, record: ChangeSetRecord) -> None:
        """Have the hooks asked about a change set that awaits them, and is in the store."""
        if record.status == "CREATE_IN_PROGRESS":
            change_set_hooks.start(self._parts, record.id)

    def new_operation(
        self,
        stack: StackRecord,
        kind: OperationKind,
        request: StackRequest,
        target: Deployment | None,
        *,
        identifier: str | None = None,
    ) -> OperationRecord:
        """An operation of its own that has not begun."""
        policy = stack.policy if request.policy_during is None else request.policy_during
        return OperationRecord(
            id=identifier or str(uuid.uuid4()),
            stack_id=stack.id,
            kind=kind,
            token=request.token,
            started=self.settings.now(),
            ended=None,
            target=target,
            options=replace(request.options, policy=policy, next_policy=request.policy),
            cancelled=False,
        )

    def begin(
        self,
        stack: StackRecord,
        status: StackStatus,
        operation: OperationRecord,
        digest: str,
        before: Callable[[Connection], None] = lambda _connection: None,
    ) -> None:
        """Have the operation run; the stack shows `status` from now on.

        `before` writes what belongs to the beginning, in the same transaction.
        """
        now = self.settings.now()
        begun = replace(stack, status=status, reason="User Initiated", updated=now, operation_id=operation.id)
        if status is StackStatus.DELETE_IN_PROGRESS:
            begun = replace(begun, updated=stack.updated, settings=replace(stack.settings, removing=now))
        with self.database.begin() as connection:
            current = find_stack(connection, stack.scope, stack.arn)
            if current is None or current.operation_id != stack.operation_id:
                raise StackError(f"Stack:{stack.arn} is in {status} state and can not be updated.")
            if operation.token is not None and find_by_token(connection, stack.id, operation.token) is not None:
                raise StackError(f"Token already exists: {operation.token}", code="TokenAlreadyExistsException")
            write_stack(connection, begun)
            self._note_begun(connection, begun, operation, digest)
            before(connection)
        self.settings.checkpoint("noted")
        self._work.start(stack_operation.WORKFLOW, operation.id, operation.id)

    def settle(self, stack: StackRecord, *, rolled_back: bool) -> None:
        """Have an update that was held go on: to its clean-up, or back to what the stack was before."""
        assert stack.operation_id is not None
        start_settling(self._parts, stack.operation_id, rolled_back=rolled_back)

    def _note_begun(self, connection: Connection, stack: StackRecord, operation: OperationRecord, digest: str) -> None:
        insert_operation(connection, operation, digest)
        add_event(connection, stack_event(stack, operation, operation.started))


def _side(view: DeploymentView) -> StackSide:
    from formwork.template.evaluation import NoResources  # noqa: PLC0415 - beside its only use

    deployment = view.deployment
    modules = {name: ModuleInfo(*each) for name, each in deployment.modules.items()}
    return StackSide(
        view.template, view.environment(NoResources()), given=deployment.given, tags=deployment.tags, modules=modules
    )


def _deployed(view: DeploymentView, records: Mapping[str, ResourceRecord]) -> Iterable[tuple[str, DeployedResource]]:
    for name, each in records.items():
        if name in view.template.resources:
            yield (
                name,
                DeployedResource(
                    view.template.resources[name],
                    each.physical_id,
                    each.properties,
                    each.model,
                    None if each.module is None else ModuleInfo(*each.module),
                ),
            )
