"""Property paths: what the semantic lists (`readOnlyProperties` …) point at.

A schema may write `/properties/Tags/*/Key`, `/properties/A/properties/B` or `/properties/L/items/properties/K`; all
become tuples of property names, with `*` for the items of an array and the values of a map.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from formwork.documents.refs import ReferenceError_, follow_ref

PropertyPath: TypeAlias = tuple[str, ...]
ANY = "*"
_COMBINERS = ("allOf", "anyOf", "oneOf")


def value_at(model: Any, path: Sequence[str], absent: Any) -> Any:
    """What stands in a model at a property path without `*`; `absent` where nothing does."""
    for step in path:
        if not isinstance(model, Mapping) or step not in model:
            return absent
        model = model[step]
    return model


class SchemaTree:
    """A schema's nodes, `$ref`s followed inside the document; a reference that leads nowhere gives an empty node."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self._resolved: dict[str, dict[str, Any]] = {}

    def resolve(self, node: Any) -> dict[str, Any]:
        """The node that `node` stands for."""
        if not isinstance(node, dict):
            return {}
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return node
        known = self._resolved.get(reference)
        if known is None:
            known = self._resolved[reference] = self._follow(node)
        return known

    def _follow(self, node: dict[str, Any]) -> dict[str, Any]:
        try:
            found, _ = follow_ref(node, self.root)
        except ReferenceError_:
            return {}
        return found if isinstance(found, dict) else {}

    def branches(self, node: Any) -> Iterator[dict[str, Any]]:
        """`node` and every alternative or part of it under allOf, anyOf and oneOf, resolved, each once."""
        seen: set[int] = set()
        pending = [node]
        while pending:
            each = self.resolve(pending.pop())
            if id(each) in seen:
                continue
            seen.add(id(each))
            yield each
            for keyword in _COMBINERS:
                parts = each.get(keyword)
                if isinstance(parts, list):
                    pending += parts

    def child(self, node: Any, name: str) -> Any | None:
        """The unresolved node of property `name`, or for `*` of the items or map values, of `node`; None if absent."""
        own = self.resolve(node)
        found = _own_child(own, name)
        if found is not None or not any(keyword in own for keyword in _COMBINERS):
            return found
        for each in self.branches(own):
            found = _own_child(each, name)
            if found is not None:
                return found
        return None

    def at(self, path: Sequence[str]) -> dict[str, Any] | None:
        """The resolved node of property path `path`, or None where it leads nowhere; () is the root."""
        node: Any = self.root
        for name in path:
            node = self.child(node, name)
            if node is None:
                return None
        return self.resolve(node)

    def normalise(self, tokens: Sequence[str]) -> tuple[PropertyPath, bool]:
        """The property path that pointer `tokens` mean, and whether it leads to a property.

        Steps that only name the schema's structure (`properties`, `items`, a pattern) are dropped or become `*`;
        where the tokens lead nowhere the rest is kept as it is.
        """
        names: list[str] = []
        node: Any = self.root
        rest = list(tokens[1:] if tokens[:1] == ("properties",) else tokens)
        while rest:
            step = rest.pop(0)
            if step == "properties" and rest and self.child(node, rest[0]) is not None:
                continue
            child = self.child(node, step)
            if child is None and step == "patternProperties" and rest:
                rest[0] = ANY
                continue
            if child is None and (step == "items" or step.isdecimal()):
                step, child = ANY, self.child(node, ANY)
            if child is None:
                inner = self.child(node, ANY)
                child = self.child(inner, step) if inner is not None else None
                if child is None:
                    return (*names, step, *rest), False
                names.append(ANY)  # `/properties/Tags/Key`: the step through the array is left out
            names.append(step)
            node = child
        return tuple(names), bool(names)


def _own_child(node: Mapping[str, Any], name: str) -> Any | None:
    properties = node.get("properties")
    if isinstance(properties, dict) and name in properties:
        return properties[name]
    if name != ANY:
        return None
    items = node.get("items")
    if isinstance(items, dict):
        return items
    patterns = node.get("patternProperties")
    if isinstance(patterns, dict) and patterns:
        return next(iter(patterns.values()))
    return None
