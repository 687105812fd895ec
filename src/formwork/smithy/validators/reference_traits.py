"""ReferencesTrait: what @references names is a resource, and the identifiers it binds are there."""

from collections.abc import Iterator, Mapping

from formwork.smithy.events import Event
from formwork.smithy.nodes import Node, expect_object, render_node
from formwork.smithy.shapes import ResourceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, quoted

_ID = "ReferencesTrait"
_TRAIT = "smithy.api#references"
_KEYS = ("resource", "ids", "service", "rel")


def references(validation: Validation) -> Iterator[Event]:
    """Check every reference of strings and structures."""
    for shape in validation.model.with_trait(_TRAIT):
        for each in shape.trait(_TRAIT):
            reference = expect_object(each)
            resource = validation.model.get(str(reference.get("resource")))
            if shape.type is ShapeType.STRING and reference.get("ids"):
                message = f"References applied to string shapes cannot contain 'ids': {_shown(reference)}"
                yield error(_ID, shape, message, trait=_TRAIT)
            if resource is not None and not isinstance(resource, ResourceShape):
                message = (
                    f"`references` trait reference targets a {resource.type} shape not a resource: {_shown(reference)}"
                )
                yield error(_ID, shape, message, trait=_TRAIT)
            if isinstance(resource, ResourceShape):
                yield from _check(validation, shape, reference, resource)


def _shown(reference: Mapping[str, Node]) -> str:
    return "Reference" + render_node({key: reference[key] for key in _KEYS if key in reference})


def _check(
    validation: Validation, shape: Shape, reference: Mapping[str, Node], resource: ResourceShape
) -> Iterator[Event]:
    if shape.type in (ShapeType.STRING, ShapeType.ENUM):
        if len(resource.identifiers) != 1:
            message = (
                f"This string shape contains an invalid reference to {resource.id}: {_shown(reference)}. References on "
                "a string shape can only refer to resource shapes with exactly one entry in its identifiers property, "
                f"but this shape has the following identifiers: [{quoted(sorted(resource.identifiers))}]"
            )
            yield error(_ID, shape, message, trait=_TRAIT)
    elif shape.type is ShapeType.STRUCTURE:
        ids = expect_object(reference.get("ids"))
        if ids:
            yield from _check_explicit(shape, reference, ids, resource)
        yield from _check_members(validation, shape, reference, ids, resource)


def _check_explicit(
    shape: Shape, reference: Mapping[str, Node], ids: Mapping[str, Node], resource: ResourceShape
) -> Iterator[Event]:
    if len(ids) != len(resource.identifiers):
        amount = "Too many" if len(resource.identifiers) < len(ids) else "Not enough"
        message = (
            f"{amount} identifiers were provided in the `ids` properties of {_shown(reference)}. Expected "
            f"{len(resource.identifiers)} identifiers(s), but found {len(ids)}. This resource requires bindings for "
            f"the following identifiers: [{quoted(sorted(resource.identifiers))}]."
        )
        yield error(_ID, shape, message, trait=_TRAIT)
    extra = sorted(ids.keys() - resource.identifiers.keys())
    if extra:
        message = (
            f"`references` trait {_shown(reference)} contains extraneous resource identifier bindings, "
            f"[{quoted(extra)}], that are not actually identifier names of the resource, `{resource.id}`. This "
            f"resource has the following identifier names: [{quoted(sorted(resource.identifiers))}]"
        )
        yield error(_ID, shape, message, trait=_TRAIT)


def _check_members(
    validation: Validation,
    shape: Shape,
    reference: Mapping[str, Node],
    ids: Mapping[str, Node],
    resource: ResourceShape,
) -> Iterator[Event]:
    problems: list[str] = []
    for name in map(str, ids.values()) if ids else resource.identifiers:
        member = shape.members.get(name)
        target = validation.model.target(member) if member is not None else None
        if member is None and ids:
            problems.append(f"`{name}` refers to a member that is not part of the structure")
        elif member is None:
            hint = '(set "rel" to "collection" to create a collection binding)'
            problems.append(f"implicit binding of `{name}` is not part of the structure {hint}")
        elif target is not None and target.type not in (ShapeType.STRING, ShapeType.ENUM):
            problems.append(f"`{name}` refers to a member that does not target a string shape")
    if problems:
        message = (
            f"`references` trait {_shown(reference)} is invalid for the following reasons: "
            f"{'; '.join(sorted(problems))}"
        )
        yield error(_ID, shape, message, trait=_TRAIT)
