"""Drift: how a resource differs from its declaration in the template.

Source: user guide (seed 002), "Preventing false drift"; CloudFormation user guide, "Detect unmanaged configuration
changes". Only what the template sets is compared, by the schema's equality and its property transforms.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.contract.compare import DifferenceKind, compare_request
from formwork.contract_results.findings import ABSENT
from formwork.diagnostics import render_pointer
from formwork.engine.changes.differences import shown
from formwork.schema import ResourceSchema
from formwork.schema.coercion import coerce_properties


class DifferenceType(StrEnum):
    """How a property was changed outside the stack."""

    ADD = "ADD"
    REMOVE = "REMOVE"
    NOT_EQUAL = "NOT_EQUAL"


class ResourceDriftStatus(StrEnum):
    """The result of drift detection for a resource."""

    IN_SYNC = "IN_SYNC"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"
    NOT_CHECKED = "NOT_CHECKED"
    UNKNOWN = "UNKNOWN"
    UNSUPPORTED = "UNSUPPORTED"


class PropertyDifference(Struct, frozen=True):
    """A property that differs from the template; values are texts, JSON for lists and objects."""

    path: str
    kind: DifferenceType
    expected: str
    actual: str


class ResourceDrift(Struct, frozen=True):
    """The drift of one resource; `expected` and `actual` contain only properties that the template sets."""

    status: ResourceDriftStatus
    expected: Mapping[str, Any]
    actual: Mapping[str, Any]
    differences: tuple[PropertyDifference, ...] = ()


def compare_drift(
    schema: ResourceSchema, properties: Mapping[str, Any], model: Mapping[str, Any] | None
) -> ResourceDrift:
    """Compare the template's evaluated `properties` with the `model` of a read, None for a deleted resource.

    Write-only properties are never compared, nor shown.
    """
    expected = schema.without_write_only(coerce_properties(schema, dict(properties)))
    if model is None:
        return ResourceDrift(ResourceDriftStatus.DELETED, expected, {})
    differences = tuple(
        PropertyDifference(
            render_pointer(each.place),
            _kind(each.expected, each.actual),
            _text(each.expected),
            _text(each.actual),
        )
        for each in compare_request(schema, expected, model)
        if each.kind is not DifferenceKind.EXTRA  # not set by the template
    )
    status = ResourceDriftStatus.MODIFIED if differences else ResourceDriftStatus.IN_SYNC
    return ResourceDrift(status, expected, _as_set(expected, model), differences)


def _kind(expected: Any, actual: Any) -> DifferenceType:
    if expected is ABSENT:
        return DifferenceType.ADD
    return DifferenceType.REMOVE if actual is ABSENT else DifferenceType.NOT_EQUAL


def _text(value: Any) -> str:
    return "null" if value is ABSENT else (shown(value) or "null")


def _as_set(expected: Any, model: Any) -> Any:
    """Return the part of the model that the template sets; lists are kept whole."""
    if isinstance(expected, dict) and isinstance(model, dict):
        return {name: _as_set(each, model[name]) for name, each in expected.items() if name in model}
    return model
