"""When two values of a property are the same to CloudFormation."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from formwork.schema.paths import ANY
from formwork.schema.view import UNKNOWN, Subschema


def values_equal(schema: Subschema, desired: Any, actual: Any) -> bool:
    """Return whether `actual` is `desired` under `schema`; see `ResourceSchema.equal`."""
    if isinstance(desired, dict) and isinstance(actual, dict):
        return desired.keys() == actual.keys() and all(
            values_equal(_member(schema, key), value, actual[key]) for key, value in desired.items()
        )
    if isinstance(desired, list) and isinstance(actual, list):
        return _arrays_equal(schema, desired, actual)
    return _canonical(schema, desired) == _canonical(schema, actual)


def _arrays_equal(schema: Subschema, desired: list[Any], actual: list[Any]) -> bool:
    item = _member(schema, ANY)
    if schema.keyword("arrayType") == "AttributeList":
        return _covers(item, actual, desired)
    if _is_ordered(schema):
        return len(desired) == len(actual) and all(
            values_equal(item, one, other) for one, other in zip(desired, actual, strict=True)
        )
    if _canonical(schema, desired) == _canonical(schema, actual):
        return True
    # Not the same by value; an AttributeList inside the items may still make each find its partner.
    return len(desired) == len(actual) and _covers(item, actual, desired)


def _covers(item: Subschema, actual: list[Any], desired: list[Any]) -> bool:
    """Return whether each desired item has an actual one of its own."""
    have = Counter(_canonical(item, each) for each in actual)
    unmatched = []
    for each in desired:
        key = _canonical(item, each)
        if have[key]:
            have[key] -= 1
        else:
            unmatched.append(each)
    if not unmatched or not _has_attribute_list(item):
        return not unmatched
    spare = [each for each in actual if have[_canonical(item, each)]]
    for each in unmatched:
        partner = next((n for n, other in enumerate(spare) if values_equal(item, each, other)), None)
        if partner is None:
            return False
        del spare[partner]
    return True


def _has_attribute_list(schema: Subschema) -> bool:
    seen: set[Subschema] = set()
    pending = [schema]
    while pending:
        for node in pending.pop().branches():
            if node in seen:
                continue
            seen.add(node)
            if node.get("arrayType") == "AttributeList":
                return True
            below = node.child(ANY)
            pending += [*node.properties.values(), *([below] if below is not None else [])]
    return False


def _canonical(schema: Subschema, value: Any) -> Hashable:
    """Return a hashable stand-in for `value`, equal for values that are the same under `schema`."""
    match value:
        case bool() | None | str():
            return (type(value).__name__, value)
        case int() | float():
            return ("number", value)  # 1 and 1.0 are one number
        case dict():
            return (
                "object",
                frozenset((key, _canonical(_member(schema, key), each)) for key, each in value.items()),
            )
        case list():
            item = _member(schema, ANY)
            items = [_canonical(item, each) for each in value]
            if _is_ordered(schema):
                return ("list", tuple(items))
            if schema.keyword("uniqueItems") is True:
                return ("set", frozenset(items))
            return ("multiset", frozenset(Counter(items).items()))
        case _:
            return ("other", repr(value))


def _member(schema: Subschema, name: str) -> Subschema:
    child = schema.child(name)
    if child is None and name != ANY and "properties" not in schema:
        child = schema.child(ANY)  # the values of a map
    return child.target if child is not None else UNKNOWN


def _is_ordered(schema: Subschema) -> bool:
    return schema.keyword("insertionOrder") is not False
