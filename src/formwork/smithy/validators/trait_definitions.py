"""TraitValidators and TraitBreakingChanges, and the events that traits define themselves."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import Node, expect_object
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.shape_ids import display_trait
from formwork.smithy.shapes import Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event

_EVENT_ID = re.compile(r"[A-Za-z_]*[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z_]*[A-Za-z][A-Za-z0-9_]*)*", re.ASCII)


def trait_validators(validation: Validation) -> Iterator[Event]:
    """Check TraitValidators, and report the shapes that the selectors of trait definitions find."""
    for definition in validation.model.with_trait("traitValidators"):
        for key, rule in expect_object(definition.trait("traitValidators")).items():
            if not _EVENT_ID.fullmatch(key):
                message = f"`smithy.api#traitValidators` key is not a valid event ID: `{key}`"
                yield error("TraitValidators", definition, message)
            elif isinstance(rule, dict):
                yield from _incompatible(validation, definition.id, key, rule)


def _incompatible(validation: Validation, trait: str, event_id: str, rule: dict[str, Node]) -> Iterator[Event]:
    severity = EventSeverity(rule.get("severity", EventSeverity.ERROR))
    for applied in validation.model.with_trait(trait):
        try:
            found = select(validation.model, rule["selector"], neighbors=validation.neighbors, among=[applied])
        except SelectorSyntaxError:
            return  # told where the trait is defined
        for shape in found.values():
            message = (
                f"Found an incompatible shape when validating the constraints of the `{display_trait(trait)}` trait "
                f"attached to `{applied.id}`: {rule.get('message', '')}"
            )
            yield event(event_id, severity, shape, message)


def breaking_changes(validation: Validation) -> Iterator[Event]:
    """Check TraitBreakingChanges: the paths exist in the trait."""
    for shape in validation.model.with_trait("trait"):
        rules = (shape.trait("trait") or {}).get("breakingChanges", [])
        for index, rule in enumerate(rules):
            path = rule.get("path", "") if isinstance(rule, dict) else ""
            if path:
                yield from _check_path(validation, shape, index, path)


def _check_path(validation: Validation, shape: Shape, index: int, path: str) -> Iterator[Event]:
    here: Shape | None = shape
    for segment in path.split("/")[1:]:
        if here is None:
            return
        member = here.members.get(segment)
        if member is None:
            kind = "list" if here.type is ShapeType.SET else here.type
            message = (
                f"Invalid trait breakingChanges element {index}, '{path}', at segment '{segment}': Evaluated shape "
                f"`{here.id}`, a {kind}, has no member named `{segment}`"
            )
            yield error("TraitBreakingChanges", shape, message)
            return
        here = validation.model.target(member)
