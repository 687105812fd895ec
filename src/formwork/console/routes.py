"""Which page function answers which path."""

from formwork.console.pages import (
    change_set,
    deploying,
    operating,
    public_type,
    registry,
    resource,
    stack,
    stack_graph,
    stack_overview,
    stack_set_forms,
    stack_sets,
    stack_template,
    stacks,
    templates,
    type_calls,
    type_configuration,
    type_publishing,
    type_resources,
    type_schema,
    type_tests,
    type_versions,
)
from formwork.console.visits import PageFunction, PageVisit, Redirection

Pages = tuple[tuple[str, str, PageFunction], ...]


def _home(_visit: PageVisit) -> Redirection:
    return Redirection("/stacks")


_TYPE = "/registry/{kind}/{name}"
_REGISTRY: Pages = (
    ("GET", "/registry", registry.list_types),
    ("GET", "/registry/public", registry.list_public_types),
    ("GET", "/registry/public/{kind}/{publisher}/{name}", public_type.show_public_type),
    ("POST", "/registry/public/{kind}/{publisher}/{name}", public_type.activate),
    ("GET", _TYPE, type_schema.show_type),
    ("GET", f"{_TYPE}/versions", type_versions.show_versions),
    ("POST", f"{_TYPE}/default", type_versions.set_default),
    ("POST", f"{_TYPE}/deregister", type_versions.deregister),
    ("GET", f"{_TYPE}/configuration", type_configuration.show_configuration),
    ("POST", f"{_TYPE}/configuration", type_configuration.set_configuration),
    ("POST", f"{_TYPE}/configuration/remove", type_configuration.remove_configuration),
    ("GET", f"{_TYPE}/tests", type_tests.show_tests),
    ("POST", f"{_TYPE}/tests", type_tests.run_tests),
    ("GET", f"{_TYPE}/tests/{{run}}/report", type_tests.show_report),
    ("GET", f"{_TYPE}/publishing", type_publishing.show_publishing),
    ("POST", f"{_TYPE}/publishing", type_publishing.publish),
    ("POST", f"{_TYPE}/deactivate", type_publishing.deactivate),
    ("GET", f"{_TYPE}/resources", type_resources.list_resources),
    ("GET", f"{_TYPE}/resources/new", type_resources.ask_new),
    ("POST", f"{_TYPE}/resources/new", type_resources.submit),
    ("GET", f"{_TYPE}/resources/one", type_resources.ask_change),
    ("POST", f"{_TYPE}/resources/one", type_resources.submit),
    ("POST", f"{_TYPE}/resources/delete", type_resources.delete),
    ("GET", f"{_TYPE}/requests/{{token}}", type_resources.show_request),
    ("POST", f"{_TYPE}/requests/{{token}}/cancel", type_resources.cancel),
    ("GET", f"{_TYPE}/calls", type_calls.list_calls),
    ("GET", f"{_TYPE}/calls/{{number}}", type_calls.show_call),
    ("POST", f"{_TYPE}/calls/{{number}}", type_calls.replay),
)

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
    ("GET", "/stack-sets/new", stack_set_forms.ask_new),
    ("POST", "/stack-sets/parameters", stack_set_forms.ask_parameters),
    ("POST", "/stack-sets/save", stack_set_forms.save),
    ("GET", "/stack-sets/{stack_set}", stack_sets.show_set),
    ("GET", "/stack-sets/{stack_set}/update", stack_set_forms.ask_update),
    ("GET", "/stack-sets/{stack_set}/instances/{change}", stack_set_forms.ask_instances),
    ("POST", "/stack-sets/{stack_set}/instances/{change}", stack_set_forms.change_instances),
    ("GET", "/stack-sets/{stack_set}/do/{action}", stack_sets.confirm),
    ("POST", "/stack-sets/{stack_set}/do/{action}", stack_sets.act),
    ("GET", "/deploy", deploying.ask_template),
    ("POST", "/deploy/parameters", deploying.ask_parameters),
    ("POST", "/deploy/change-set", deploying.create_change_set),
    *_REGISTRY,
    ("GET", "/templates", templates.show_editor),
    ("POST", "/templates/check", templates.check),
    ("POST", "/templates/hooks", templates.ask_hooks),
    ("GET", "/stacks/{stack}/do/{action}", operating.confirm),
    ("POST", "/stacks/{stack}/do/{action}", operating.act),
)
