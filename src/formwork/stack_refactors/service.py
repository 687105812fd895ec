"""Stack refactors: created, found again, and executed.

Source: the service's model and the CloudFormation user guide, "Stack refactoring".
"""

import uuid
from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.engine.operations.event_writing import stack_event
from formwork.stack_refactors import creating, executing
from formwork.stack_refactors.records import (
    ExecutionStatus,
    GivenMapping,
    RefactoredStack,
    ResourcePlace,
    StackRefactor,
)
from formwork.stack_refactors.store import (
    as_seen,
    get_refactor,
    insert_refactor,
    list_refactors,
    list_unended_refactors,
    write_refactor,
)
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.change_sets import make_obsolete
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import insert_operation
from formwork.stacks.store.records import OperationKind, OperationOptions, OperationRecord
from formwork.stacks.store.stacks import find_stack, get_stack, write_stack

_MOST_STACKS = 5  # user guide, "How stack refactoring works"
Location = tuple[str, str]  # the name or ARN of a stack, and a logical id


class NewStackRefactor(Struct, frozen=True, kw_only=True):
    """A request for CreateStackRefactor; `definitions` are the name or ARN and the template of each stack."""

    definitions: tuple[tuple[str, str], ...]
    mappings: tuple[tuple[Location, Location], ...] = ()
    creates: bool = False
    description: str | None = None


class StackRefactors:
    """The stack refactors of an engine's stacks; made before the work is launched.

    Every method raises StackError with the code of the service's exception for what the service refuses.
    """

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work
        work.register(creating.WORKFLOW, creating.RefactorCreations(engine, work).run)
        work.register(executing.WORKFLOW, executing.RefactorExecutions(engine, work).run)

    def resume(self) -> None:
        """Start the work that was asked for and has not begun."""
        with self._engine.database.read() as connection:
            created, executed = list_unended_refactors(connection)
        for each in created:
            self._work.start(creating.WORKFLOW, each, each)
        for each in executed:
            self._work.start(executing.WORKFLOW, executing.execution_id(each), each)

    def create(self, scope: Scope, asked: NewStackRefactor) -> StackRefactor:
        """Begin to validate a refactor."""
        if not 1 <= len(asked.definitions) <= _MOST_STACKS:
            raise StackError(f"A stack refactor has between 1 and {_MOST_STACKS} stack definitions")
        with self._engine.database.read() as connection:
            stacks = [self._stack(connection, scope, *each, creates=asked.creates) for each in asked.definitions]
        if len({each.id for each in stacks}) < len(stacks) or len({each.name for each in stacks}) < len(stacks):
            raise StackError("A stack has more than one stack definition")
        refactor = StackRefactor(
            id=str(uuid.uuid4()),
            scope=scope,
            created=self._engine.settings.now(),
            description=asked.description,
            stacks=tuple(stacks),
            mappings=tuple(
                GivenMapping(_place(scope, stacks, source), _place(scope, stacks, destination))
                for source, destination in asked.mappings
            ),
        )
        with self._engine.database.begin() as connection:
            insert_refactor(connection, refactor)
        self._work.start(creating.WORKFLOW, refactor.id, refactor.id)
        return refactor

    @staticmethod
    def _stack(connection: Connection, scope: Scope, name: str, template: str, *, creates: bool) -> RefactoredStack:
        known = find_stack(connection, scope, name)
        gone = known is None or known.status is StackStatus.DELETE_COMPLETE
        new = gone or (known is not None and known.status is StackStatus.REVIEW_IN_PROGRESS)
        if new and (not creates or (gone and name.startswith("arn:"))):
            raise StackError(f"Stack with id {name} does not exist")
        if known is None or gone:
            identifier = str(uuid.uuid4())
            return RefactoredStack(id=identifier, name=name, template=template, creates=True, operation=None)
        return RefactoredStack(
            id=known.id, name=known.name, template=template, creates=new, operation=known.operation_id
        )

    def describe(self, scope: Scope, identifier: str) -> StackRefactor:
        """Return a refactor."""
        with self._engine.database.read() as connection:
            found = get_refactor(connection, identifier)
            if found is None or found.scope != scope:
                message = f"Stack refactor {identifier} does not exist"
                raise StackError(message, code="StackRefactorNotFoundException", status=404)
            return as_seen(connection, found)

    def list_refactors(self, scope: Scope, statuses: Collection[str] = ()) -> list[StackRefactor]:
        """Return the refactors with one of the statuses, the newest first; without any, all but obsolete ones."""
        with self._engine.database.read() as connection:
            found = [as_seen(connection, each) for each in list_refactors(connection, scope)]
        if not statuses:
            return [each for each in found if each.execution_status is not ExecutionStatus.OBSOLETE]
        return [each for each in found if each.execution_status in statuses]

    def execute(self, scope: Scope, identifier: str) -> None:
        """Begin to execute a refactor; its stacks are busy from now on."""
        self.describe(scope, identifier)
        with self._engine.database.begin() as connection:
            refactor = get_refactor(connection, identifier, locked=True)
            assert refactor is not None
            refactor = as_seen(connection, refactor)
            if refactor.execution_status is not ExecutionStatus.AVAILABLE:
                raise StackError(
                    f"Stack refactor [{identifier}] cannot be executed in its current execution status of "
                    f"[{refactor.execution_status}]"
                )
            for each in refactor.stacks:
                self._begin(connection, refactor, each)
            write_refactor(connection, replace(refactor, execution_status=ExecutionStatus.IN_PROGRESS))
        self._engine.settings.observer.checkpoint("refactor-noted")
        self._work.start(executing.WORKFLOW, executing.execution_id(identifier), identifier)

    def _begin(self, connection: Connection, refactor: StackRefactor, refactored: RefactoredStack) -> None:
        stack = get_stack(connection, refactored.id)
        assert stack is not None
        if stack.policy is not None:
            raise StackError(f"{stack.arn}: Stack Refactor does not support stacks with a stack policy.")
        now = self._engine.settings.now()
        operation = OperationRecord(
            id=refactor.operation_id(refactored),
            stack_id=stack.id,
            kind=OperationKind.REFACTOR,
            token=None,
            started=now,
            ended=None,
            target=refactored.deployment,
            options=OperationOptions(),
            cancelled=False,
        )
        status = StackStatus.CREATE_IN_PROGRESS if refactored.creates else StackStatus.UPDATE_IN_PROGRESS
        begun = replace(stack, status=status, reason="User Initiated", updated=now, operation_id=operation.id)
        write_stack(connection, begun)
        insert_operation(connection, operation, refactor.id)
        add_event(connection, stack_event(begun, operation, now))
        make_obsolete(connection, stack.id)


def _place(scope: Scope, stacks: Iterable[RefactoredStack], location: Location) -> ResourcePlace:
    name, logical_id = location
    for each in stacks:
        if name in {each.name, each.arn(scope)}:
            return ResourcePlace(each.id, logical_id)
    raise StackError(f"Stack {name} of the resource mappings is not among the stack definitions")
