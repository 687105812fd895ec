"""Which page function answers which path."""

from formwork.console.pages import (
    change_set,
    deploying,
    operating,
    registry,
    resource,
    stack,
    stack_graph,
    stack_overview,
    stack_sets,
    stack_template,
    stacks,
)
from formwork.console.visits import PageFunction, PageVisit, Redirection

Pages = tuple[tuple[str, str, PageFunction], ...]


def _home(_visit: PageVisit) -> Redirection:
    return Redirection("/stacks")


PAGES: Pages = (
    ("GET", "/", _home),
    ("POST", "/leave", _home),  # the application ends the session
    ("GET", "/stacks", stacks.list_stacks),
    ("GET", "/stacks/{stack}", stack_overview.show_overview),
    ("GET", "/stacks/{stack}/events", stack.show_events),
    ("GET", "/stacks/{stack}/resources", stack.show_resources),
    ("GET", "/stacks/{stack}/resources/{resource}", resource.show_resource),
    ("POST", "/stacks/{stack}/resources/{resource}/detect-drift", resource.detect_drift),
    ("GET", "/stacks/{stack}/graph", stack_graph.show_graph),
    ("GET", "/stacks/{stack}/values", stack.show_values),
    ("GET", "/stacks/{stack}/template", stack_template.show_template),
    ("GET", "/stacks/{stack}/change-sets", stack.show_change_sets),
    ("GET", "/stacks/{stack}/change-sets/{change_set}", change_set.show_change_set),
    ("POST", "/stacks/{stack}/change-sets/{change_set}/execute", change_set.execute),
    ("POST", "/stacks/{stack}/change-sets/{change_set}/delete", change_set.delete),
    ("GET", "/stack-sets", stack_sets.list_sets),
    ("GET", "/stack-sets/{stack_set}", stack_sets.show_set),
    ("GET", "/stack-sets/{stack_set}/do/{action}", stack_sets.confirm),
    ("POST", "/stack-sets/{stack_set}/do/{action}", stack_sets.act),
    ("GET", "/deploy", deploying.ask_template),
    ("POST", "/deploy/parameters", deploying.ask_parameters),
    ("POST", "/deploy/change-set", deploying.create_change_set),
    ("GET", "/registry", registry.list_types),
    ("GET", "/registry/{kind}/{name}", registry.show_type),
    ("POST", "/registry/{kind}/{name}/test", registry.test_version),
    ("POST", "/registry/{kind}/{name}/default", registry.set_default),
    ("POST", "/registry/{kind}/{name}/configuration", registry.set_configuration),
    ("GET", "/stacks/{stack}/do/{action}", operating.confirm),
    ("POST", "/stacks/{stack}/do/{action}", operating.act),
)
