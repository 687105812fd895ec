"""PaginatedTrait: tokens, page sizes and items exist and have suitable types."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.shapes import MemberShape, OperationShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, quoted, warning

_STRINGS = (ShapeType.STRING, ShapeType.ENUM)


class _Property(Struct, frozen=True):
    """One property of the trait: on which side its member is, what it may target and what it should."""

    name: str
    of_input: bool
    allowed: tuple[ShapeType, ...]
    recommended: tuple[ShapeType, ...]
    path: bool
    required: bool


_PROPERTIES = (
    _Property("inputToken", True, (ShapeType.STRING, ShapeType.MAP), (ShapeType.STRING,), False, True),  # noqa: FBT003 - fields in order
    _Property("outputToken", False, (ShapeType.STRING, ShapeType.MAP), (ShapeType.STRING,), True, True),  # noqa: FBT003 - the same
    _Property(
        "pageSize",
        True,  # noqa: FBT003 - the same
        (ShapeType.BYTE, ShapeType.INTEGER, ShapeType.LONG, ShapeType.SHORT),
        (ShapeType.INTEGER,),
        False,  # noqa: FBT003 - the same
        False,  # noqa: FBT003 - the same
    ),
    _Property("items", False, (ShapeType.LIST, ShapeType.MAP), (ShapeType.LIST, ShapeType.MAP), True, False),  # noqa: FBT003 - the same
)


def pagination(validation: Validation) -> Iterator[Event]:
    """Check operations with @paginated, with the settings of their services."""
    for operation in validation.model.operations:
        value = operation.trait("paginated")
        if not isinstance(value, dict):
            continue
        services = [each for each in validation.model.services if operation.id in validation.closure(each)]
        yield from _check(validation, operation, value, None)
        for service in services:
            shared = service.trait("paginated")
            if isinstance(shared, dict):
                merged = {**shared, **value}
                added = {key: each for key, each in merged.items() if key not in value}
                yield from _check(validation, operation, added, service, merged=merged)
            else:
                yield from _missing(operation, value, service)


def _missing(operation: OperationShape, value: Mapping[str, Any], service: Shape) -> Iterator[Event]:
    for each in _PROPERTIES:
        if each.required and each.name not in value:
            message = f"When bound within the `{service.id}` service, paginated trait `{each.name}` is not configured"
            yield error("PaginatedTrait", operation, message)


def _check(
    validation: Validation,
    operation: OperationShape,
    value: Mapping[str, Any],
    service: Shape | None,
    *,
    merged: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    if service is not None and merged is not None:
        yield from _missing(operation, merged, service)
    prefix = f"When bound within the `{service.id}` service, " if service is not None else ""
    for each in _PROPERTIES:
        path = value.get(each.name)
        if isinstance(path, str):
            yield from _check_property(validation, operation, each, path, prefix)


def _check_property(
    validation: Validation, operation: OperationShape, each: _Property, path: str, prefix: str
) -> Iterator[Event]:
    subject = f"{prefix}paginated trait `{each.name}`"
    parts = path.split(".")
    if len(parts) > 1 and not each.path:
        yield error("PaginatedTrait", operation, f"{subject} does not allow path values")
        return
    if len(parts) > 2:
        message = f"{subject} contains a path with more than two parts, which can make your API cumbersome to use"
        yield warning(f"PaginatedTrait.DeeplyNested.{each.name}", operation, message)
    member = _resolve(validation, operation, each, parts)
    if member is None:
        yield error("PaginatedTrait", operation, f"{subject} targets a member `{path}` that does not exist")
        return
    yield from _check_member(validation, operation, each, member, f"{subject} member `{path}`")


def _resolve(
    validation: Validation, operation: OperationShape, each: _Property, parts: list[str]
) -> MemberShape | None:
    structure = validation.model.get(operation.input if each.of_input else operation.output)
    member: MemberShape | None = None
    for part in parts:
        member = structure.members.get(part) if structure is not None else None
        structure = validation.model.target(member) if member is not None else None
    return member


def _check_member(
    validation: Validation, operation: OperationShape, each: _Property, member: MemberShape, subject: str
) -> Iterator[Event]:
    target = validation.model.target(member)
    if member.has_trait("required"):
        match each.name:
            case "inputToken":
                yield error("PaginatedTrait", operation, f"{subject} must not be required")
            case "outputToken":
                event_id = "PaginatedTrait.ShouldNotBeRequired.outputToken"
                yield event(event_id, EventSeverity.DANGER, operation, f"{subject} should not be required")
            case "pageSize":
                yield warning(
                    "PaginatedTrait.ShouldNotBeRequired.pageSize", operation, f"{subject} should not be required"
                )
            case _:
                pass
    if target is None:
        return
    as_type = {ShapeType.ENUM: ShapeType.STRING, ShapeType.SET: ShapeType.LIST}.get(target.type, target.type)
    if as_type not in each.allowed:
        allowed = quoted(sorted(map(str, each.allowed)))
        message = f"{subject} targets a {target.type} shape, but must target one of the following: [{allowed}]"
        yield error("PaginatedTrait", operation, message)
    elif as_type not in each.recommended:
        recommended = quoted(sorted(map(str, each.recommended)))
        message = (
            f"{subject} targets a {target.type} shape, but this is not recommended. One of [{recommended}] SHOULD be "
            "targeted."
        )
        yield event(f"PaginatedTrait.WrongShapeType.{each.name}", EventSeverity.DANGER, operation, message)
