"""An embedded CloudFormation registry: types, versions, configuration, activation, publishing and their tests.

`registry.Registry` has one method an operation of AWS's API, over frozen requests and results; each operation group is
a file. `checking` and `packages` judge what is registered, `handlers` runs it, `tables` holds it.

The reasons are in docs/decisions/1003.

The names below are imported when they are first used; they lead to layers above this one (docs/decisions/1337).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, UsageError
    from formwork.extensions import ExtensionKind
    from formwork.library.embedded import RequestRefusedError
    from formwork.library.local_registry import LocalRegistry, RegisteredExtension, open_registry

__all__ = [
    "BadInputError",
    "Diagnostic",
    "EnvironmentProblemError",
    "ExtensionKind",
    "LocalRegistry",
    "RegisteredExtension",
    "RequestRefusedError",
    "UsageError",
    "open_registry",
]

_HOMES = {
    **dict.fromkeys(("BadInputError", "Diagnostic", "EnvironmentProblemError", "UsageError"), "diagnostics"),
    "ExtensionKind": "extensions",
    "RequestRefusedError": "library.embedded",
    **dict.fromkeys(("LocalRegistry", "RegisteredExtension", "open_registry"), "library.local_registry"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"formwork.{_HOMES[name]}"), name)
