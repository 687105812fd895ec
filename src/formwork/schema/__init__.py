"""Extension schemas as typed values: resource types, hooks and modules; their rules, models and changes."""

from formwork.schema.hook import HookHandler, HookSchema
from formwork.schema.load import (
    LoadedHook,
    LoadedSchema,
    detect_kind,
    load_hook_schema,
    load_resource_schema,
    validate_schema,
)
from formwork.schema.metaschemas import Kind
from formwork.schema.paths import PropertyPath
from formwork.schema.resource import HandlerInfo, Mutability, ResourceSchema, Tagging

__all__ = [
    "HandlerInfo",
    "HookHandler",
    "HookSchema",
    "Kind",
    "LoadedHook",
    "LoadedSchema",
    "Mutability",
    "PropertyPath",
    "ResourceSchema",
    "Tagging",
    "detect_kind",
    "load_hook_schema",
    "load_resource_schema",
    "validate_schema",
]
