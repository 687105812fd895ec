"""From a schema to the files of a project: models, stubs, documentation, roles; planned as values, then written."""

from formwork.generate.generated import plan_generated
from formwork.generate.languages import expect_language, language_names
from formwork.generate.plan import Plan, PlannedFile, Policy
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.generate.write import WriteReport, write_plan

__all__ = [
    "Plan",
    "PlannedFile",
    "Policy",
    "ScaffoldRequest",
    "WriteReport",
    "expect_language",
    "language_names",
    "plan_generated",
    "plan_scaffold",
    "write_plan",
]
