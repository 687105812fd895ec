"""How deep stacks nest: a template that names itself would make stacks for ever."""

from collections.abc import Iterator

from formwork.durable import Database
from formwork.engine.planning.requests import StackRequest
from formwork.engine.quotas import MAX_NESTING
from formwork.service_types.nesting.children import Parent
from formwork.stacks.errors import StackError
from formwork.stacks.store.operations import get_operation
from formwork.stacks.store.records import Deployment, StackRecord
from formwork.stacks.store.stacks import get_stack


def check_nesting(database: Database, parent: Parent, request: StackRequest) -> None:
    """Check that a stack may be made inside another one.

    Raises:
        StackError: one around it has the same template and parameters, so that there is no end to it, or there are too
            many around it.
    """
    given = {each.key: each.value for each in request.parameters}
    around = list(_around(database, parent))
    for stack, deployment in around:
        if deployment is not None and deployment.original == request.template and dict(deployment.given) == given:
            raise StackError(
                f"The template of nested stack {request.name} is that of stack {stack.name} around it, with the same "
                "parameters: stacks would nest without end"
            )
    if len(around) > MAX_NESTING:
        raise StackError(f"Stacks are nested more than {MAX_NESTING} levels deep")


def _around(database: Database, parent: Parent) -> Iterator[tuple[StackRecord, Deployment | None]]:
    """The parent and those around it, with what each is being deployed from."""
    yield parent.stack, parent.deployment
    above = parent.stack.settings.parent_id
    while above is not None:
        with database.read() as connection:
            stack = get_stack(connection, above.rpartition("/")[2])
            if stack is None:
                return
            operation = None if stack.operation_id is None else get_operation(connection, stack.operation_id)
        yield stack, (None if operation is None else operation.target) or stack.deployed
        above = stack.settings.parent_id
