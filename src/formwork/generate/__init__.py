"""From a schema to the files of a project: models, stubs, documentation, roles; planned as values, then written."""

from formwork.generate.plan import Plan, PlannedFile, Policy
from formwork.generate.write import WriteReport, write_plan

__all__ = ["Plan", "PlannedFile", "Policy", "WriteReport", "write_plan"]
