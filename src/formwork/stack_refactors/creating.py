"""The validation of a new refactor, as durable work."""

from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from formwork.diagnostics.internal_errors import internal_failure
from formwork.durable import Work
from formwork.engine.change_sets import review_event
from formwork.engine.engine import Engine
from formwork.engine.quotas import expect_room
from formwork.stack_refactors.parts import new_stack
from formwork.stack_refactors.planning import plan_refactor, prepare_stacks
from formwork.stack_refactors.records import CreationStatus, ExecutionStatus, StackRefactor
from formwork.stack_refactors.store import get_refactor, write_refactor
from formwork.stacks.errors import StackError
from formwork.stacks.store.events import add_event
from formwork.stacks.store.stacks import get_stack, insert_stack

WORKFLOW = "stack-refactor-creation"


class RefactorCreations:
    """Validates refactors of an engine's stacks."""

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work

    def run(self, identifier: str) -> None:
        """Validate a refactor: it can be executed from now on, or says why not."""
        self._work.step("validate", self._validate, identifier)

    def _validate(self, identifier: str) -> None:
        with self._engine.database.read() as connection:
            refactor = get_refactor(connection, identifier)
        if refactor is None or refactor.status is not CreationStatus.IN_PROGRESS:
            return
        try:
            refactor = replace(refactor, stacks=tuple(prepare_stacks(self._engine, refactor)))
            refactor = replace(refactor, moves=plan_refactor(self._engine, refactor).moves)
            self._keep(refactor)
        except StackError as error:
            self._fail(refactor, error.message)
        except IntegrityError:
            self._fail(refactor, "A stack with the name of one that the refactor creates already exists")
        except Exception as error:  # noqa: BLE001 - the boundary of background work: the refactor's status tells it
            self._fail(refactor, internal_failure(error))
        self._engine.settings.observer.changed()

    def _keep(self, refactor: StackRefactor) -> None:
        """Store the validated refactor, with the stacks that it will create under review."""
        with self._engine.database.begin() as connection:
            for each in refactor.stacks:
                if each.creates and get_stack(connection, each.id) is None:
                    stack = new_stack(self._engine, refactor.scope, each)
                    expect_room(connection, refactor.scope)
                    insert_stack(connection, stack)
                    add_event(connection, review_event(stack))
            validated = replace(refactor, status=CreationStatus.COMPLETE, execution_status=ExecutionStatus.AVAILABLE)
            write_refactor(connection, validated)
            self._engine.settings.observer.checkpoint("refactor-validated")

    def _fail(self, refactor: StackRefactor, reason: str) -> None:
        with self._engine.database.begin() as connection:
            write_refactor(connection, replace(refactor, status=CreationStatus.FAILED, reason=reason))
