"""From a schema to the files of a project: models, stubs, documentation, roles; planned as values, then written."""

from typing import TYPE_CHECKING, Any

from formwork.generate.generated import plan_generated
from formwork.generate.plan import Plan, PlannedFile, Policy
from formwork.generate.write import WriteReport, write_plan

if TYPE_CHECKING:
    from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold

__all__ = [
    "Plan",
    "PlannedFile",
    "Policy",
    "ScaffoldRequest",
    "WriteReport",
    "plan_generated",
    "plan_scaffold",
    "write_plan",
]


def __getattr__(name: str) -> Any:
    """Import a name that only `cfn init` needs when it is first used."""
    if name in ("ScaffoldRequest", "plan_scaffold"):
        from formwork.generate import scaffold  # noqa: PLC0415 - the point of this function

        return getattr(scaffold, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
