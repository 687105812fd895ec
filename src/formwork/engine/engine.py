"""The stack engine: starts operations, which run as durable work."""

import uuid
from collections.abc import Callable

from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.durable import Database, Work
from formwork.engine.deployment_config import refuse_other_mode
from formwork.engine.lookups import Lookups
from formwork.engine.operations import change_set_hooks, stack_operation
from formwork.engine.operations.event_writing import stack_event
from formwork.engine.operations.services import OperationServices
from formwork.engine.operations.settling import start_settling
from formwork.engine.planning.deployments import expect_updatable, failing, refuse_other_types
from formwork.engine.planning.plan import Planner
from formwork.engine.planning.requests import StackRequest, changes_settings
from formwork.engine.quotas import expect_room
from formwork.engine.settings import EngineSettings
from formwork.hooks.result_store import HookResultStore
from formwork.hooks.results import KEPT_SECONDS
from formwork.hooks.rows import forget_hook_results
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import UPDATABLE, StackStatus
from formwork.stacks.store.change_sets import make_obsolete
from formwork.stacks.store.events import add_event
from formwork.stacks.store.notices import NOTICE_SECONDS, forget_notices
from formwork.stacks.store.operations import (
    find_by_token,
    insert_operation,
    list_unended,
)
from formwork.stacks.store.records import (
    ChangeSetRecord,
    Deployment,
    OperationKind,
    OperationRecord,
    StackRecord,
    stack_arn,
)
from formwork.stacks.store.stacks import find_stack, insert_stack, write_stack


class Engine:
    """Stacks of every account and Region in one database.

    Create it before `work` is launched, since it registers its workflows; call `resume` afterwards. All methods are
    safe to call from several threads, and raise StackError where the service answers with an error.
    """

    def __init__(self, database: Database, work: Work, settings: EngineSettings) -> None:
        self.database = database
        self.settings = settings
        self.lookups = Lookups(database)
        self.planner = Planner(database, settings, self.lookups)
        self._work = work
        self._services = OperationServices(
            database=database,
            work=work,
            types=settings.types,
            stack_values=self.lookups,
            references=settings.references,
            hooks=settings.hooks,
            hook_results=HookResultStore(settings.now, settings.notices),
            payloads=settings.payloads,
            now=settings.now,
            observer=settings.observer,
        )
        stack_operation.register(self._services)
        change_set_hooks.register(self._services)

    def resume(self) -> None:
        """Start operations that were requested but never began, and delete what clients can no longer query."""
        with self.database.begin() as connection:
            forget_hook_results(connection, self.settings.now() - KEPT_SECONDS)
            forget_notices(connection, self.settings.now() - NOTICE_SECONDS)
            unended = list_unended(connection)
        for identifier in unended:
            self._work.start(stack_operation.WORKFLOW, identifier, identifier)
        change_set_hooks.resume(self._services)

    def create_stack(self, scope: Scope, request: StackRequest) -> tuple[str, str]:
        """Start to create a stack; return its ARN and the operation's id."""
        with self.database.read() as connection:
            known = find_stack(connection, scope, request.name)
            if known is not None and (again := self._again(connection, known, request)) is not None:
                return known.arn, again
        if known is not None and known.status is StackStatus.REVIEW_IN_PROGRESS:
            return self._create_reviewed(known, request)
        if known is not None:
            raise StackError(f"Stack [{request.name}] already exists", code="AlreadyExistsException")
        return self.make_stack(scope, request, str(uuid.uuid4()), str(uuid.uuid4()))

    def make_stack(
        self,
        scope: Scope,
        request: StackRequest,
        identifier: str,
        operation_id: str,
        before: Callable[[Connection, StackRecord, OperationRecord], None] = lambda *_: None,
    ) -> tuple[str, str]:
        """Start to create a stack with given ids; return its ARN and the operation's id.

        `before` is called first in the same transaction: it writes records of its own, or raises to refuse.
        """
        arn = stack_arn(scope, request.name, identifier)
        target, problem = self.planner.target(scope, request, arn, request.template or "", None)
        stack = self.new_stack(scope, request, identifier, StackStatus.CREATE_IN_PROGRESS)
        request = failing(request, problem)
        operation = self.new_operation(stack, OperationKind.CREATE, request, target, identifier=operation_id)
        try:
            with self.database.begin() as connection:
                expect_room(connection, scope)
                before(connection, stack, operation)
                insert_stack(connection, replace(stack, operation_id=operation.id))
                self._note_begun(connection, stack, operation, request.digest())
        except IntegrityError as error:
            raise StackError(f"Stack [{request.name}] already exists", code="AlreadyExistsException") from error
        self.settings.observer.checkpoint("noted")
        self._work.start(stack_operation.WORKFLOW, operation.id, operation.id)
        return arn, operation.id

    def _create_reviewed(self, stack: StackRecord, request: StackRequest) -> tuple[str, str]:
        """Start to create a stack that only has change sets so far; they become obsolete."""
        target, problem = self.planner.target(stack.scope, request, stack.arn, request.template or "", None)
        operation = self.new_operation(stack, OperationKind.CREATE, failing(request, problem), target)
        begun = replace(stack, settings=request.settings, policy=request.policy)
        self.begin(
            begun,
            StackStatus.CREATE_IN_PROGRESS,
            operation,
            request.digest(),
            lambda connection: make_obsolete(connection, stack.id),
        )
        return stack.arn, operation.id

    def update_stack(self, scope: Scope, request: StackRequest) -> tuple[str, str]:
        """Start to update a stack; return its ARN and the operation's id."""
        with self.database.read() as connection:
            stack = self.lookups.expect(connection, scope, request.name)
            if (again := self._again(connection, stack, request)) is not None:
                return stack.arn, again
        refuse_other_mode(stack, express=request.options.express)
        expect_updatable(stack, keeps=request.options.keep_on_failure)
        deployed = stack.deployed
        assert deployed is not None
        text = deployed.original if request.template is None else request.template
        target, problem = self.planner.target(scope, request, stack.arn, text, deployed)
        if problem is None:
            refuse_other_types(deployed, target)
        if not request.capabilities:  # DescribeStacks continues to show earlier acknowledgements
            target = replace(target, capabilities=deployed.capabilities)
        changed = replace(stack, settings=request.updated_settings(stack.settings))
        # in other statuses the update retries what failed
        idle = problem is None and stack.status in UPDATABLE and not changes_settings(stack.settings, changed.settings)
        if idle and not self.planner.has_changes(stack, target):
            raise StackError("No updates are to be performed.")
        operation = self.new_operation(stack, OperationKind.UPDATE, failing(request, problem), target)
        self.begin(
            changed,
            StackStatus.UPDATE_IN_PROGRESS,
            operation,
            request.digest(),
            lambda connection: make_obsolete(connection, stack.id),
        )
        return stack.arn, operation.id

    def _again(self, connection: Connection, stack: StackRecord, request: StackRequest) -> str | None:
        return self.begun_before(connection, stack, request.token, request.digest())

    def begun_before(self, connection: Connection, stack: StackRecord, token: str | None, digest: str) -> str | None:
        """Return the operation that the same request started before, by its client request token.

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

    def new_stack(self, scope: Scope, request: StackRequest, identifier: str, status: StackStatus) -> StackRecord:
        """Return the record of a new stack, which has no resources yet."""
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
        """Return the change set with the status that it has until hooks have answered; `ask_hooks` calls them."""
        if record.status != "CREATE_COMPLETE" or not change_set_hooks.has_hooks(self._services, stack, record):
            return record
        return replace(record, status="CREATE_IN_PROGRESS", execution_status="UNAVAILABLE")

    def ask_hooks(self, record: ChangeSetRecord) -> None:
        """Start to call the hooks for a stored change set that waits for their answers."""
        if record.status == "CREATE_IN_PROGRESS":
            change_set_hooks.start(self._services, record.id)

    def new_operation(
        self,
        stack: StackRecord,
        kind: OperationKind,
        request: StackRequest,
        target: Deployment | None,
        *,
        identifier: str | None = None,
    ) -> OperationRecord:
        """Return the record of a new operation that has not begun."""
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
        """Store an operation, start its workflow, and set the stack's `status`.

        `before` is called first in the same transaction, to write records of its own.
        """
        now = self.settings.now()
        settings = replace(stack.settings, configuration_complete=False)
        begun = replace(
            stack, status=status, reason="User Initiated", updated=now, operation_id=operation.id, settings=settings
        )
        if status is StackStatus.DELETE_IN_PROGRESS:
            begun = replace(begun, updated=stack.updated, settings=replace(settings, removing=now))
        with self.database.begin() as connection:
            current = find_stack(connection, stack.scope, stack.arn)
            if current is None or current.operation_id != stack.operation_id:
                raise StackError(f"Stack:{stack.arn} is in {status} state and can not be updated.")
            if operation.token is not None and find_by_token(connection, stack.id, operation.token) is not None:
                raise StackError(f"Token already exists: {operation.token}", code="TokenAlreadyExistsException")
            write_stack(connection, begun)
            self._note_begun(connection, begun, operation, digest)
            before(connection)
        self.settings.observer.checkpoint("noted")
        self._work.start(stack_operation.WORKFLOW, operation.id, operation.id)

    def settle(self, stack: StackRecord, *, rolled_back: bool) -> None:
        """Continue an update that was held: clean up, or roll back to the stack's earlier state."""
        assert stack.operation_id is not None
        start_settling(self._services, stack.operation_id, rolled_back=rolled_back)

    def _note_begun(self, connection: Connection, stack: StackRecord, operation: OperationRecord, digest: str) -> None:
        insert_operation(connection, operation, digest)
        add_event(connection, stack_event(stack, operation, operation.started))
