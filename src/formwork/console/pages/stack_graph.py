"""The graph of a stack's resources: each on the right of what it depends on, in the colour of its status."""

from formwork.console.pages.stack import frame
from formwork.console.views.dependencies import dependency_graph, reversed_graph
from formwork.console.views.graph_layout import HEIGHT, WIDTH, lay_out
from formwork.console.visits import PageVisit, ShownPage
from formwork.stacks.store.resources import list_resources


def show_graph(visit: PageVisit) -> ShownPage:
    """Show the dependencies of the resources as a drawing, and as a table."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    graph = dependency_graph(engine, stack)
    with engine.database.read() as connection:
        resources = list_resources(connection, stack.id)
    shown = engine.lookups.with_shown_deployment(stack)
    template = {} if shown.deployed is None else shown.deployed.template.get("Resources", {})
    values = {
        "layout": lay_out(graph),
        "types": {name: template.get(name, {}).get("Type", "") for name in graph},
        "statuses": {name: str(resources[name].status) if name in resources else "" for name in graph},
        "graph": graph,
        "dependents": reversed_graph(graph),
        "numbers": {name: at for at, name in enumerate(graph)},
        "box": (WIDTH, HEIGHT),
        "known": set(resources),
    }
    return ShownPage("stack_graph.html", {**frame(visit, stack, "graph"), **values})
