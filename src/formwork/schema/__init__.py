"""Extension schemas as typed values: resource types, hooks and modules; their rules, models and changes.

The values' classes are imported when they are first asked for: `cfn validate` needs none of them.
"""

from typing import TYPE_CHECKING, Any

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document, DocumentSource
from formwork.extensions import ExtensionKind
from formwork.schema.load import (
    LoadedHook,
    LoadedModuleSchema,
    LoadedSchema,
    detect_kind,
    load_hook_schema,
    load_module_schema,
    load_resource_schema,
    validate_schema,
)
from formwork.schema.paths import PropertyPath

if TYPE_CHECKING:
    from formwork.schema.hook import HookHandler, HookSchema
    from formwork.schema.module import ModuleParameter, ModuleSchema
    from formwork.schema.resource import HandlerInfo, Mutability, ResourceSchema, Tagging

__all__ = [
    "BadInputError",
    "Diagnostic",
    "Document",
    "DocumentSource",
    "ExtensionKind",
    "HandlerInfo",
    "HookHandler",
    "HookSchema",
    "LoadedHook",
    "LoadedModuleSchema",
    "LoadedSchema",
    "ModuleParameter",
    "ModuleSchema",
    "Mutability",
    "PropertyPath",
    "ResourceSchema",
    "Severity",
    "Tagging",
    "detect_kind",
    "load_hook_schema",
    "load_module_schema",
    "load_resource_schema",
    "validate_schema",
]

_HOMES = {
    **dict.fromkeys(("HandlerInfo", "Mutability", "ResourceSchema", "Tagging"), "resource"),
    **dict.fromkeys(("HookHandler", "HookSchema"), "hook"),
    **dict.fromkeys(("ModuleParameter", "ModuleSchema"), "module"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only for the lazy names

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
