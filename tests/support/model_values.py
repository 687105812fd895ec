"""Values of a resource schema, from a seed, in three forms: typed, as CloudFormation sends them, and as expected back.

CloudFormation sends every scalar as a string. Where the schema gives a scalar one type, the handler gets that type;
where it doesn't (a union, no type at all) either form may come back, which `Either` says.
Values keep to types, not to patterns and limits: that is all that models look at.
"""

import random
from dataclasses import dataclass
from typing import Any

from formwork.documents.refs import ReferenceError_, follow_ref

MAX_DEPTH = 8
# An alternative without any of these only constrains.
_TYPED = {"type", "properties", "patternProperties", "$ref", "items", "oneOf", "anyOf", "allOf"}
_SCALARS = {
    "string": ["", "text", "true", "5", "ünï"],
    "integer": [0, 1, -7, 2**40],
    "number": [0, 0.5, -2.25, 3, 1e21],
    "boolean": [True, False],
}


@dataclass(frozen=True)
class Value:
    """One value in its three forms; `expected` holds `Either` where the type is open."""

    typed: Any
    sent: Any
    expected: Any


@dataclass(frozen=True)
class Either:
    """What may come back as it was sent, or typed."""

    typed: Any
    sent: Any


class ModelValues:
    """A source of values for one schema document."""

    def __init__(self, document, seed):
        self.document = document
        self.random = random.Random(seed)

    def model(self, filled):
        """A model with each property given with probability `filled`; at 1.0 all of them."""
        return self._object(self.document, filled, 0, False)

    def _value(self, node, filled, depth, is_open):  # noqa: PLR0911 - one a kind of node
        node = self._follow(node)
        declared = node.get("type")
        if isinstance(declared, list):
            names = [each for each in declared if each != "null"]
            is_open = is_open or len(names) != 1
            declared = self.random.choice(names) if names else None
        if declared in _SCALARS:
            return self._scalar(self.random.choice(_SCALARS[declared]), is_open)
        if declared == "array" or (declared is None and "items" in node):
            return self._array(node, filled, depth, is_open)
        if node.get("properties"):
            return self._object(node, filled, depth, is_open)
        if node.get("patternProperties"):
            return self._map(node, filled, depth, is_open)
        alternatives = [
            each for key in ("oneOf", "anyOf", "allOf") for each in node.get(key, ()) if isinstance(each, dict)
        ]
        typed = [each for each in alternatives if _TYPED & each.keys()]
        if typed:
            return self._value(self.random.choice(typed), filled, depth, is_open or len(alternatives) > 1)
        if declared == "object" and node.get("additionalProperties") is False:
            return _object_of({})
        if declared == "object":
            inner = self._scalar(self.random.choice(["x", 5, True, None]), True)
            return Value({"free": inner.typed}, {"free": inner.sent}, {"free": inner.expected})
        # What has no type but constraints is one of its values, if it names them, or a string.
        values = node.get("enum", [node["const"]] if "const" in node else ["x"] if node else ["x", 5, True, [], {}])
        return self._scalar(self.random.choice(values), True)

    def _follow(self, node):
        try:
            found, _ = follow_ref(node, self.document)
        except ReferenceError_:
            return {}
        return found if isinstance(found, dict) else {}

    def _scalar(self, typed, is_open):
        sent = typed
        if isinstance(typed, bool):
            sent = "true" if typed else "false"
        elif isinstance(typed, int | float):
            sent = repr(typed)
        return Value(typed, sent, Either(typed, sent) if is_open else typed)

    def _array(self, node, filled, depth, is_open):
        count = 0 if depth > MAX_DEPTH else self.random.choice([0, 1, 2])
        items = [self._value(node.get("items", {}), filled, depth + 1, is_open) for _ in range(count)]
        if node.get("uniqueItems") and len(items) == 2 and items[0].typed == items[1].typed:
            del items[1]
        return Value([each.typed for each in items], [each.sent for each in items], [each.expected for each in items])

    def _object(self, node, filled, depth, is_open):
        chosen = {}
        if depth <= MAX_DEPTH:
            for name, each in node.get("properties", {}).items():
                if self.random.random() < filled:
                    chosen[name] = self._value(each, filled, depth + 1, is_open)
        return _object_of(chosen)

    def _map(self, node, filled, depth, is_open):
        patterns = list(node["patternProperties"].values())
        count = 0 if depth > MAX_DEPTH else self.random.choice([0, 1, 2])
        is_open = is_open or len(patterns) > 1
        return _object_of(
            {f"key{n}": self._value(self.random.choice(patterns), filled, depth + 1, is_open) for n in range(count)}
        )


def _object_of(members):
    return Value(
        {name: each.typed for name, each in members.items()},
        {name: each.sent for name, each in members.items()},
        {name: each.expected for name, each in members.items()},
    )


def matches(found, expected):
    """Whether `found` is what was expected, as JSON: `1` is `1.0`, but not `true`."""
    if isinstance(expected, Either):
        return matches(found, expected.typed) or matches(found, expected.sent)
    if isinstance(expected, dict):
        # An explicit null is read as absent.
        return isinstance(found, dict) and found.keys() == expected.keys() and all(
            matches(found[key], value) for key, value in expected.items()
        )  # fmt: skip
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(matches, found, expected))
    return isinstance(found, bool) == isinstance(expected, bool) and found == expected
