"""How deep stacks nest, and how much is in them: a template that names itself would make stacks for ever."""

from collections.abc import Iterator

from sqlalchemy import Connection

from formwork.durable import Database
from formwork.engine.deployed.view import DeploymentView, NoStackValues
from formwork.engine.planning.plan import Planner
from formwork.engine.planning.requests import StackRequest
from formwork.engine.quotas import MAX_NESTED_RESOURCES, MAX_NESTING
from formwork.service_types.nesting.children import Above, Parent
from formwork.stacks.errors import StackError
from formwork.stacks.store.operations import count_nested, get_operation
from formwork.stacks.store.records import Deployment, OperationRecord, StackRecord
from formwork.stacks.store.stacks import get_stack
from formwork.template.evaluation import EvaluationError, NoResources


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


def expect_resources(connection: Connection, above: Above, count: int) -> None:
    """Check that a nested stack may create, update or delete so many resources more in the operation around it.

    They are counted for that operation where the transaction is kept.

    Raises:
        StackError: with them the nested stacks of the operation would deal with too many.
    """
    if count_nested(connection, _outermost(connection, above).id, count) > MAX_NESTED_RESOURCES:
        # The number is the service's, the words are not: its own are documented nowhere.
        raise StackError(
            f"Nested stacks may create, update or delete {MAX_NESTED_RESOURCES} resources in one operation at most"
        )


def _outermost(connection: Connection, above: Above) -> OperationRecord:
    """Return the outermost operation that has not ended, which the others are part of."""
    operation, parent = above.operation, above.stack.settings.parent_id
    while parent is not None:
        stack = get_stack(connection, parent.rpartition("/")[2])
        if stack is None or stack.operation_id is None:
            break
        around = get_operation(connection, stack.operation_id)
        if around.ended is not None:  # the stack below was asked for by itself
            break
        operation, parent = around, stack.settings.parent_id
    return operation


def count_created(stack: StackRecord, operation: OperationRecord) -> int:
    """Return how many resources a stack's first operation creates: 0 if its template's macros failed."""
    if operation.target is None or operation.options.problem is not None:
        return 0
    view = DeploymentView(operation.target, stack, NoStackValues())
    evaluator = view.evaluator(NoResources())
    return sum(evaluator.exists(each) for each in view.template.resources.values())


def count_changed(planner: Planner, stack: StackRecord, target: Deployment) -> int:
    """Return how many resources deploying `target` creates, updates or deletes in the stack."""
    try:
        return len(planner.find_changes(stack, target).plain)
    except EvaluationError:  # the operation tells, and fails
        return len(target.template["Resources"])


def _around(database: Database, parent: Parent) -> Iterator[tuple[StackRecord, Deployment | None]]:
    """Return the parent and its own parents, each with the deployment in progress."""
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
