"""From a schema to the files of a project: models, stubs, documentation, roles; planned as values, then written.

The names below are imported when they are first used; they lead to layers above this one (docs/decisions/1337).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, UsageError
    from formwork.documents import DocumentSource
    from formwork.extensions import ExtensionKind
    from formwork.generate.plan import Plan, PlannedFile, Policy
    from formwork.generate.write import WriteReport, write_plan
    from formwork.library.generation import GeneratedFiles, plan_models, plan_new_project, plan_project

__all__ = [
    "BadInputError",
    "Diagnostic",
    "DocumentSource",
    "EnvironmentProblemError",
    "ExtensionKind",
    "GeneratedFiles",
    "Plan",
    "PlannedFile",
    "Policy",
    "UsageError",
    "WriteReport",
    "plan_models",
    "plan_new_project",
    "plan_project",
    "write_plan",
]

_HOMES = {
    **dict.fromkeys(("BadInputError", "Diagnostic", "EnvironmentProblemError", "UsageError"), "diagnostics"),
    "DocumentSource": "documents",
    "ExtensionKind": "extensions",
    **dict.fromkeys(("GeneratedFiles", "plan_models", "plan_new_project", "plan_project"), "library.generation"),
    **dict.fromkeys(("Plan", "PlannedFile", "Policy"), "generate.plan"),
    **dict.fromkeys(("WriteReport", "write_plan"), "generate.write"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"formwork.{_HOMES[name]}"), name)
