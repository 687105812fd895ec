"""HostLabelTrait: what an operation puts before its host can become a host, from members of its input."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import OperationShape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, quoted

_TRAIT = "smithy.api#endpoint"
_LABEL = re.compile(r"\{([^{}]*)\}")
# A host of RFC 3986, section 3.2.2, as names of DNS allow it.
_HOST = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9-]{0,62}(?:\.[a-zA-Z0-9-]{1,63})*\.?", re.ASCII)


def host_labels(validation: Validation) -> Iterator[Event]:
    """Check every operation with a prefix for its host."""
    for operation in validation.model.operations:
        prefix = expect_object(operation.trait("endpoint")).get("hostPrefix")
        if not isinstance(prefix, str):
            continue
        labels = _LABEL.findall(prefix)
        expanded = _LABEL.sub("foo", prefix)
        if not _HOST.fullmatch(expanded):
            message = (
                f"The `endpoint` trait hostPrefix, {prefix}, could not expand in to a valid RFC 3986 host: {expanded}"
            )
            yield error("HostLabelTrait", operation, message, trait=_TRAIT)
        if labels and not prefix.endswith("."):
            message = (
                "`endpoint` trait hostPrefix contains host labels and does not end in a period (`.`). This can result "
                "in clients inadvertently sending data to domains you do not control."
            )
            yield event("HostLabelTrait", EventSeverity.DANGER, operation, message, trait=_TRAIT)
        yield from _check_members(validation, operation, set(labels))


def _check_members(validation: Validation, operation: OperationShape, labels: set[str]) -> Iterator[Event]:
    structure = validation.bindings.input_of(operation)
    if structure is None or structure.type is not ShapeType.STRUCTURE:
        return
    bound = {name: member for name, member in structure.members.items() if member.has_trait("hostLabel")}
    for name, member in bound.items():
        if name not in labels:
            message = (
                f"This `{name}` structure member is marked with the `hostLabel` trait, but no corresponding `endpoint` "
                f"label could be found when used as the input of the `{operation.id}` operation."
            )
            yield error("HostLabelTrait", member, message, trait="smithy.api#hostLabel")
    missing = sorted(labels - bound.keys())
    if missing:
        message = (
            f"This operation uses {structure.id} as input, but the following host labels found in the operation's "
            f"`endpoint` trait do not have a corresponding member marked with the `hostLabel` trait: {quoted(missing)}"
        )
        yield error("HostLabelTrait", operation, message)
