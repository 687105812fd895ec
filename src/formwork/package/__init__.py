"""Projects to the packages that registration takes: deterministic, built for Lambda without Docker, small.

The names below are imported when they are first used; they lead to layers above this one (docs/decisions/1337).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, UsageError
    from formwork.documents import Document
    from formwork.extensions import ExtensionKind
    from formwork.library.packages import PackageContents, build_package, read_package
    from formwork.package.package import PackageReport
    from formwork.package.provider import LeftOut
    from formwork.package.template import Architecture

__all__ = [
    "Architecture",
    "BadInputError",
    "Diagnostic",
    "Document",
    "EnvironmentProblemError",
    "ExtensionKind",
    "LeftOut",
    "PackageContents",
    "PackageReport",
    "UsageError",
    "build_package",
    "read_package",
]

_HOMES = {
    **dict.fromkeys(("BadInputError", "Diagnostic", "EnvironmentProblemError", "UsageError"), "diagnostics"),
    "Document": "documents",
    "ExtensionKind": "extensions",
    **dict.fromkeys(("PackageContents", "build_package", "read_package"), "library.packages"),
    "PackageReport": "package.package",
    "LeftOut": "package.provider",
    "Architecture": "package.template",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"formwork.{_HOMES[name]}"), name)
