"""When two values of a property are the same to CloudFormation."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from formwork.schema.paths import ANY, SchemaTree


def values_equal(tree: SchemaTree, node: dict[str, Any], desired: Any, actual: Any) -> bool:
    """Whether `actual` is `desired` under schema `node`; see `ResourceSchema.equal`."""
    if isinstance(desired, dict) and isinstance(actual, dict):
        return desired.keys() == actual.keys() and all(
            values_equal(tree, _member_node(tree, node, key), value, actual[key]) for key, value in desired.items()
        )
    if isinstance(desired, list) and isinstance(actual, list):
        return _arrays_equal(tree, node, desired, actual)
    return _canonical(tree, node, desired) == _canonical(tree, node, actual)


def _arrays_equal(tree: SchemaTree, node: dict[str, Any], desired: list[Any], actual: list[Any]) -> bool:
    item = _member_node(tree, node, ANY)
    if _keyword(tree, node, "arrayType") == "AttributeList":
        return _covers(tree, item, actual, desired)
    if _is_ordered(tree, node):
        return len(desired) == len(actual) and all(
            values_equal(tree, item, one, other) for one, other in zip(desired, actual, strict=True)
        )
    if _canonical(tree, node, desired) == _canonical(tree, node, actual):
        return True
    # Not the same by value; an AttributeList inside the items may still make each find its partner.
    return len(desired) == len(actual) and _covers(tree, item, actual, desired)


def _covers(tree: SchemaTree, item: dict[str, Any], actual: list[Any], desired: list[Any]) -> bool:
    """Whether each desired item has an actual one of its own."""
    have = Counter(_canonical(tree, item, each) for each in actual)
    unmatched = []
    for each in desired:
        key = _canonical(tree, item, each)
        if have[key]:
            have[key] -= 1
        else:
            unmatched.append(each)
    if not unmatched or not _has_attribute_list(tree, item):
        return not unmatched
    spare = [each for each in actual if have[_canonical(tree, item, each)]]
    for each in unmatched:
        partner = next((n for n, other in enumerate(spare) if values_equal(tree, item, each, other)), None)
        if partner is None:
            return False
        del spare[partner]
    return True


def _has_attribute_list(tree: SchemaTree, node: dict[str, Any]) -> bool:
    seen: set[int] = set()
    pending: list[Any] = [node]
    while pending:
        for each in tree.branches(pending.pop()):
            if id(each) in seen:
                continue
            seen.add(id(each))
            if each.get("arrayType") == "AttributeList":
                return True
            properties = each.get("properties")
            pending += properties.values() if isinstance(properties, dict) else []
            below = tree.child(each, ANY)
            pending += [below] if below is not None else []
    return False


def _canonical(tree: SchemaTree, node: dict[str, Any], value: Any) -> Hashable:
    """A hashable stand-in for `value`, equal for values that are the same under `node`."""
    match value:
        case bool() | None | str():
            return (type(value).__name__, value)
        case int() | float():
            return ("number", value)  # 1 and 1.0 are one number
        case dict():
            return (
                "object",
                frozenset((key, _canonical(tree, _member_node(tree, node, key), each)) for key, each in value.items()),
            )
        case list():
            item = _member_node(tree, node, ANY)
            items = [_canonical(tree, item, each) for each in value]
            if _is_ordered(tree, node):
                return ("list", tuple(items))
            if _keyword(tree, node, "uniqueItems") is True:
                return ("set", frozenset(items))
            return ("multiset", frozenset(Counter(items).items()))
        case _:
            return ("other", repr(value))


def _member_node(tree: SchemaTree, node: dict[str, Any], name: str) -> dict[str, Any]:
    child = tree.child(node, name)
    if child is None and name != ANY and "properties" not in node:
        child = tree.child(node, ANY)  # the values of a map
    return tree.resolve(child) if child is not None else {}


def _is_ordered(tree: SchemaTree, node: dict[str, Any]) -> bool:
    return _keyword(tree, node, "insertionOrder") is not False


def _keyword(tree: SchemaTree, node: dict[str, Any], keyword: str) -> Any:
    return next((each[keyword] for each in tree.branches(node) if keyword in each), None)
