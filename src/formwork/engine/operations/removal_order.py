"""The order in which a stack's resources are removed, including those of failed deployments.

A stack whose creation or update failed has resources of a deployment that was never completed: their dependencies are
those of the operation that made them.
"""

from collections.abc import Iterator

from formwork.engine.deployed.view import DeploymentView
from formwork.engine.operations.running_operation import RunningOperation
from formwork.stacks.store.operations import get_operation, list_deployments
from formwork.stacks.store.records import OperationKind
from formwork.stacks.store.resources import list_leftovers, list_resources


def removal_order(operation: RunningOperation) -> dict[str, tuple[str, ...]]:
    """Return the dependencies of each resource of the stack, including those that earlier operations have left behind.

    Deployments are searched, the current one first, until each resource is found. The first deployment that contains a
    resource defines its dependencies, so that there are no cycles.
    """
    with operation.services.database.read() as connection:
        wanted = {*list_resources(connection, operation.stack_id)}
        wanted |= {each.logical_id for each in list_leftovers(connection, operation.stack_id).values()}
    order: dict[str, tuple[str, ...]] = {}
    for view in _views(operation):
        if wanted <= order.keys():
            break
        order |= {name: needs for name, needs in view.graph.items() if name not in order}
    return order


def _views(operation: RunningOperation) -> Iterator[DeploymentView]:
    context = operation.context
    if operation.kind is not OperationKind.DELETE:
        yield context.target
    else:
        with operation.services.database.read() as connection:
            kept = [get_operation(connection, each).target for each in reversed(context.stack.settings.unsettled)]
        yield from (context.view(each) for each in kept if each is not None)
    if context.before is not None:
        yield context.before
    with operation.services.database.read() as connection:
        earlier = list_deployments(connection, operation.stack_id)
    yield from (context.view(each) for each in earlier)
