"""Requested against returned, by the schema's own equality.

One-directional: everything that was requested must have come back, exactly; what came back besides is listed apart,
since defaults and readOnly properties explain most of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.contract.models import below_any
from formwork.contract_results.findings import ABSENT, ModelDifference
from formwork.diagnostics import render_pointer
from formwork.documents.scalar_text import as_text
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.defaults import SchemaDefaults
from formwork.schema.transforms import matches
from formwork.schema.view import UNKNOWN, Subschema


class DifferenceKind(StrEnum):
    """How a returned value differs from the one requested."""

    MISSING = "missing"
    CHANGED = "changed"
    ITEMS = "items"  # a list or a map that holds other items than requested
    EXTRA = "extra"  # a property that was not requested, in an object that was


class RequestDifference(Struct, frozen=True):
    """One difference between a request and an answer; `path` has `*` for items, `place` their indexes.

    `spare` are the items of a list that were not requested, where all that was requested is in it.
    """

    kind: DifferenceKind
    path: PropertyPath
    place: tuple[str | int, ...]
    expected: Any
    actual: Any
    spare: tuple[Any, ...] = ()

    @property
    def difference(self) -> ModelDifference:
        """The difference as a report shows it."""
        return ModelDifference(render_pointer(self.place), self.expected, self.actual)


def compare_request(schema: ResourceSchema, requested: Any, actual: Any) -> list[RequestDifference]:
    """Return where `actual`, a returned model, differs from `requested`, by equality and property transforms.

    Not judged: writeOnly, readOnly, deprecated and nonPublic properties.
    """
    ignored = (*schema.write_only, *schema.read_only, *schema.deprecated, *schema.non_public)
    comparison = _Comparison(frozenset(ignored))
    found = comparison.walk(schema.view.root, requested, actual, (), ())
    return [
        each
        for each in found
        if each.kind is DifferenceKind.EXTRA or not _is_transformed(schema, requested, actual, each)
    ]


def _is_transformed(schema: ResourceSchema, requested: Any, actual: Any, parting: RequestDifference) -> bool:
    """Return whether a propertyTransform of the schema explains the difference."""
    for path in schema.property_transform:
        if below_any(parting.path, [path]) and matches(
            schema, parting.place[: len(path)], schema.without_read_only(requested), schema.without_read_only(actual)
        ):
            return True
    return False


class _Comparison:
    def __init__(self, ignored: frozenset[PropertyPath]) -> None:
        self._ignored = ignored

    def walk(
        self, node: Subschema, wanted: Any, actual: Any, path: PropertyPath, place: tuple[str | int, ...]
    ) -> Iterator[RequestDifference]:
        if below_any(path, self._ignored):
            return
        match wanted, actual:
            case dict(), dict():
                yield from self._objects(node, wanted, actual, path, place)
            case list(), list():
                yield from self._arrays(node, wanted, actual, path, place)
            case _:
                if not same_scalar(wanted, actual) and not _is_sent_text(wanted, actual):
                    yield RequestDifference(DifferenceKind.CHANGED, path, place, wanted, actual)

    def _objects(
        self,
        node: Subschema,
        wanted: Mapping[str, Any],
        actual: Mapping[str, Any],
        path: PropertyPath,
        place: tuple[str | int, ...],
    ) -> Iterator[RequestDifference]:
        for name, value in wanted.items():
            child, child_path = _member(node, name, path)
            if name in actual:
                yield from self.walk(child, value, actual[name], child_path, (*place, name))
            elif value is not None and not self._all_ignored(value, child_path):
                yield RequestDifference(DifferenceKind.MISSING, child_path, (*place, name), value, ABSENT)
        for name, value in actual.items():
            if name in wanted or not path or value is None:
                continue
            child, child_path = _member(node, name, path)
            if below_any(child_path, self._ignored):
                continue
            if _is_default(child, value):
                continue
            kind = DifferenceKind.ITEMS if child_path[-1] == "*" else DifferenceKind.EXTRA
            yield RequestDifference(kind, child_path, (*place, name), ABSENT, value)

    def _all_ignored(self, value: Any, path: PropertyPath) -> bool:
        """Return whether nothing in `value` is judged: then leaving out the object around it is not reported."""
        if below_any(path, self._ignored):
            return True
        if isinstance(value, Mapping) and value:
            return all(self._all_ignored(each, (*path, name)) for name, each in value.items())
        return False

    def _arrays(
        self,
        node: Subschema,
        wanted: list[Any],
        actual: list[Any],
        path: PropertyPath,
        place: tuple[str | int, ...],
    ) -> Iterator[RequestDifference]:
        item = (node.child("*") or UNKNOWN).target
        attribute_list = node.keyword("arrayType") == "AttributeList"
        item_path = (*path, "*")
        ordered = node.keyword("insertionOrder") is not False and not attribute_list
        if ordered and len(wanted) == len(actual):
            for index, (one, other) in enumerate(zip(wanted, actual, strict=True)):
                yield from self.walk(item, one, other, item_path, (*place, index))
            return
        lost, spare = self._unmatched(item, wanted, actual, item_path)
        if node.keyword("uniqueItems") is True and not ordered:  # what came back twice came back
            spare = [each for each in spare if not any(self._same(item, one, each, item_path) for one in wanted)]
        if ordered or lost or (spare and not attribute_list):
            yield RequestDifference(DifferenceKind.ITEMS, path, place, wanted, actual, () if lost else tuple(spare))
        elif spare:  # an AttributeList may hold more than was requested, but not what an update left out
            yield RequestDifference(DifferenceKind.EXTRA, path, place, wanted, actual, tuple(spare))

    def _unmatched(
        self, item: Subschema, wanted: list[Any], actual: list[Any], path: PropertyPath
    ) -> tuple[list[Any], list[Any]]:
        """Return the requested items that were not returned, and the returned ones that were not requested."""
        lost, spare = [], list(actual)
        for one in wanted:
            partner = next((n for n, other in enumerate(spare) if self._same(item, one, other, path)), None)
            if partner is None:
                lost.append(one)
            else:
                del spare[partner]
        return lost, spare

    def _same(self, item: Subschema, wanted: Any, actual: Any, path: PropertyPath) -> bool:
        return all(each.kind is DifferenceKind.EXTRA for each in self.walk(item, wanted, actual, path, ()))


def _member(node: Subschema, name: str, path: PropertyPath) -> tuple[Subschema, PropertyPath]:
    child = node.child(name)
    if child is not None:
        return child.target, (*path, name)
    entry = node.child("*")
    if entry is not None or not any(branch.properties for branch in node.branches()):
        return entry.target if entry is not None else UNKNOWN, (*path, "*")
    return UNKNOWN, (*path, name)


def _is_default(node: Subschema, value: Any) -> bool:
    """Return whether an unrequested value, or every value inside it, is a default of the schema."""
    if "default" in node and same_scalar(node.value["default"], value):
        return True
    if not isinstance(value, dict) or not value:
        return False
    return all(_is_default((node.child(name) or UNKNOWN).target, each) for name, each in value.items())


def same_scalar(one: Any, other: Any) -> bool:
    """Return whether two scalars are equal in JSON: 1 equals 1.0, but not True and not "1"."""
    if isinstance(one, bool) is not isinstance(other, bool):
        return False
    return bool(one == other)


def _is_sent_text(wanted: Any, actual: Any) -> bool:
    """Return whether `actual` is the text as which `wanted`, a boolean or number, was sent to the handler."""
    return isinstance(actual, str) and not isinstance(wanted, str) and as_text(wanted) == actual


def lacking(schema: ResourceSchema, fuller: Any, model: Any) -> list[ModelDifference]:
    """Return the properties that have a value in `fuller` and are absent from `model`; equality is not judged.

    Looked at: objects, and the items of arrays of one length. Not judged: writeOnly, deprecated, nonPublic ones.
    """
    ignored = (*schema.write_only, *schema.deprecated, *schema.non_public)
    return list(_lacking(fuller, model, (), (), ignored))


def _lacking(
    fuller: Any, model: Any, path: PropertyPath, place: tuple[str | int, ...], ignored: tuple[PropertyPath, ...]
) -> Iterator[ModelDifference]:
    match fuller, model:
        case dict(), dict():
            for name, value in fuller.items():
                if value is None or below_any((*path, name), ignored):
                    continue
                if name not in model or model[name] is None:
                    yield ModelDifference(render_pointer((*place, name)), value, ABSENT)
                else:
                    yield from _lacking(value, model[name], (*path, name), (*place, name), ignored)
        case list(), list() if len(fuller) == len(model):
            for index, (one, other) in enumerate(zip(fuller, model, strict=True)):
                yield from _lacking(one, other, (*path, "*"), (*place, index), ignored)
        case _:
            return


def absent_defaults(
    schema: ResourceSchema, defaults: SchemaDefaults, requested: Mapping[str, Any], model: Mapping[str, Any]
) -> list[ModelDifference]:
    """Return properties with defaults that were neither requested nor returned, also inside of returned objects."""
    ignored = (*schema.write_only, *schema.deprecated, *schema.non_public)
    return [
        ModelDifference(render_pointer(place), default, ABSENT)
        for path, place, default in defaults.absent(requested)
        if not below_any(path, ignored) and _is_left_out(model, place)
    ]


def _is_left_out(model: Any, place: Sequence[str | int]) -> bool:
    """Return whether the object at the parent of `place` exists and lacks the member, or has null for it."""
    for step in place[:-1]:
        try:
            model = model[step]
        except (KeyError, IndexError, TypeError):
            return False
    return isinstance(model, Mapping) and model.get(place[-1]) is None
