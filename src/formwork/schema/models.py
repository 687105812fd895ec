"""Models checked against their type's schema by jsonschema-rs."""

from collections.abc import Mapping
from typing import Any

from formwork.diagnostics import Diagnostic, Location, Severity, render_pointer
from formwork.schema.validator import compile_validator


def check_model(schema: Mapping[str, Any], model: Any, *, shape_only: bool) -> list[Diagnostic]:
    """See `ResourceSchema.validate_model`."""
    validator = compile_validator(schema, shape_only=shape_only)
    return [
        Diagnostic(
            f"model.{error.kind.name}".lower(),
            Severity.ERROR,
            error.message,
            Location(pointer=render_pointer(error.instance_path)),
        )
        for error in validator.iter_errors(model)
    ]
