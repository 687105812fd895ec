"""DefaultTrait: default values that their shapes allow."""

import base64
import binascii
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import nodes_equal, render_node
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, warning
from formwork.smithy.values.check import check_value
from formwork.smithy.values.findings import ValueContext

_TRAIT = "smithy.api#default"
_EMPTY_ONLY = {ShapeType.LIST: "list", ShapeType.SET: "set", ShapeType.MAP: "map"}


def defaults(validation: Validation) -> Iterator[Event]:
    """Check default values of shapes and members, and members whose targets have one."""
    context = ValueContext(validation.model, validation.neighbors, zero_ignores_range=True)
    for shape in validation.model.with_trait("default"):
        if shape.namespace == PRELUDE:
            continue
        value = shape.trait("default")
        if value is None:
            if not isinstance(shape, MemberShape):
                yield error("DefaultTrait", shape, "The @default trait can be set to null only on members")
            continue
        yield from _check(validation, context, shape)
    for structure in validation.model.of_type(ShapeType.STRUCTURE):
        for member in structure.members.values():
            yield from _check_target(validation, member)


def _check(validation: Validation, context: ValueContext, shape: Shape) -> Iterator[Event]:
    value = shape.trait("default")
    target = validation.model.target(shape) if isinstance(shape, MemberShape) else shape
    if target is None:
        return
    for finding in check_value(context, value, shape):
        event_id = f"DefaultTrait.{finding.suffix}" if finding.suffix else "DefaultTrait"
        message = f"Error validating @default trait{finding.where}: {finding.message}"
        yield Event(event_id, finding.severity, message, shape.id, shape.trait_place(_TRAIT))
    problem = _limits(target, value)
    if problem is not None:
        yield error("DefaultTrait", shape, problem, trait=_TRAIT)
    if target.type is ShapeType.BLOB and isinstance(value, str) and not _is_base64(value):
        message = "The @default value of a blob should be a valid base64 string."
        yield warning("DefaultTrait", shape, message, trait=_TRAIT)


def _limits(target: Shape, value: object) -> str | None:
    if target.type in _EMPTY_ONLY and value:
        return f"The @default value of a {target.type} must be an empty {_EMPTY_ONLY[target.type]}"
    if target.type is ShapeType.DOCUMENT and value:
        if isinstance(value, list):
            return "The @default value of a document cannot be a non-empty array"
        if isinstance(value, dict):
            return "The @default value of a document cannot be a non-empty object"
    return None


def _is_base64(value: str) -> bool:
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _check_target(validation: Validation, member: MemberShape) -> Iterator[Event]:
    """Check that a member has the default of its shape, or null."""
    target = validation.model.target(member)
    if target is None or not target.has_trait("default"):
        return
    expected = target.trait("default")
    if not member.has_trait("default"):
        message = (
            f"Member targets {target.id}, which requires that the member defines the same default of "
            f"`{render_node(expected)}` or `null`"
        )
        yield error("DefaultTrait", member, message)
    elif member.trait("default") is not None and not nodes_equal(member.trait("default"), expected):
        message = (
            f"Member defines a default value that differs from the default value of the target shape, {target.id}. "
            f"The member has a default of `{render_node(member.trait('default'))}`, but the target has a default of "
            f"`{render_node(expected)}`."
        )
        yield error("DefaultTrait", member, message, trait=_TRAIT)


def defaults_in_updates(validation: Validation) -> Iterator[Event]:
    """Check DefaultValueInUpdate: an update cannot tell a default from what the user said."""
    model = validation.model
    updates = {each.lifecycle["update"]: each for each in model.resources if "update" in each.lifecycle}
    for operation in model.operations:
        if operation.id not in updates and not operation.name.lower().startswith(("update", "patch")):
            continue
        structure = model.get(operation.input)
        members = structure.members.values() if structure is not None else ()
        names = [each.member_name for each in members if each.has_trait("default")]
        if names:
            message = (
                "This update style operation has top-level input members marked with the @default trait. It will be "
                "impossible to tell if the member was omitted or explicitly provided. Affected members: "
                f"[{', '.join(names)}]"
            )
            yield Event("DefaultValueInUpdate", EventSeverity.WARNING, message, operation.id, operation.place)
