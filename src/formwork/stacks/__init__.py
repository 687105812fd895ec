"""Stored data of stacks: records, tables and statuses; and the errors with which requests are refused.

The names below are imported when they are first used; they lead to layers above this one (docs/decisions/1337).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, UsageError
    from formwork.documents import DocumentSource
    from formwork.library.embedded import RequestRefusedError
    from formwork.library.local_registry import LocalRegistry
    from formwork.library.local_stacks import DeployedStack, LocalStacks, open_stacks
    from formwork.testing.observed import PlannedChange, PropertyChange, StackEvent, StackResource

__all__ = [
    "BadInputError",
    "DeployedStack",
    "Diagnostic",
    "DocumentSource",
    "EnvironmentProblemError",
    "LocalRegistry",
    "LocalStacks",
    "PlannedChange",
    "PropertyChange",
    "RequestRefusedError",
    "StackEvent",
    "StackResource",
    "UsageError",
    "open_stacks",
]

_HOMES = {
    **dict.fromkeys(("BadInputError", "Diagnostic", "EnvironmentProblemError", "UsageError"), "diagnostics"),
    "DocumentSource": "documents",
    "RequestRefusedError": "library.embedded",
    "LocalRegistry": "library.local_registry",
    **dict.fromkeys(("DeployedStack", "LocalStacks", "open_stacks"), "library.local_stacks"),
    **dict.fromkeys(("PlannedChange", "PropertyChange", "StackEvent", "StackResource"), "testing.observed"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"formwork.{_HOMES[name]}"), name)
