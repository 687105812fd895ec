"""Plans of new projects, in the languages that requests name."""

from formwork.extensions import ExtensionKind
from formwork.generate.plan import Plan
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.languages.catalogue import expect_new_generator


def plan_new_project(request: ScaffoldRequest) -> Plan:
    """Return the plan of `cfn init` for `request`."""
    language = None if request.kind is ExtensionKind.MODULE else expect_new_generator(request.language or "")
    return plan_scaffold(request, language)
