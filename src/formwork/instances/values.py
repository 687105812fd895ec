"""Schema nodes to values: the recursive part of the generator."""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from random import Random
from typing import Any

from formwork.documents.copied import copied
from formwork.instances.errors import DeadEndError
from formwork.instances.nodes import Nodes
from formwork.instances.numbers import make_number
from formwork.instances.shapes import Node, types_of
from formwork.instances.text import TextMaker
from formwork.schema.paths import PropertyPath

_DEEPEST = 24
_GENEROUS_DEPTH = 5  # below it, optional properties are left out
_GENEROUS_NODES = 150  # after so many values, optional properties are left out: a model stays readable
_MOST_NODES = 20_000


class Extent(StrEnum):
    """Which optional properties a value has."""

    MINIMAL = "minimal"
    RANDOM = "random"
    MAXIMAL = "maximal"


class ValueMaker:
    """Makes values of the nodes of one schema.

    `skip` are property paths that are never generated, `wanted` those that are even where they are optional.
    """

    def __init__(
        self,
        nodes: Nodes,
        random: Random,
        *,
        skip: frozenset[PropertyPath] = frozenset(),
        wanted: frozenset[PropertyPath] = frozenset(),
    ) -> None:
        self._nodes = nodes
        self._random = random
        self._text = TextMaker(random)
        self._skip = skip
        self._wanted = wanted
        self._visited = 0
        self._fitting: dict[int, tuple[list[Any], Any, list[Any]]] = {}

    def fork(self, random: Random) -> "ValueMaker":
        """Return another maker over the same schema, with a random source of its own."""
        return ValueMaker(self._nodes, random, skip=self._skip, wanted=self._wanted)

    def without(self, paths: Iterable[PropertyPath]) -> "ValueMaker":
        """Return another maker with the same random source that leaves out the values at `paths`."""
        return ValueMaker(self._nodes, self._random, skip=self._skip | set(paths))

    def model(self, extent: Extent) -> dict[str, Any]:
        """Return a model: an object of the root's properties.

        Raises:
            DeadEndError: this time no value was found.
        """
        value = self.value(self._nodes.of_a_model, extent, ())
        assert isinstance(value, dict)
        return value

    def value(self, node: Any, extent: Extent, path: PropertyPath) -> Any:
        """Return a value for `node`, the schema at `path`."""
        self._visited = 0
        return self._value(node, extent, path, 0)

    def _value(self, node: Any, extent: Extent, path: PropertyPath, depth: int) -> Any:
        self._visited += 1
        if depth > _DEEPEST or self._visited > _MOST_NODES:
            raise DeadEndError("the values nest without end", path)
        merged = self._nodes.merge(node)
        if merged is None:
            raise DeadEndError("nothing satisfies the schema", path)
        if depth > _GENEROUS_DEPTH or self._visited > _GENEROUS_NODES:
            extent = Extent.MINIMAL
        if "choices" not in merged:
            try:
                return self._plain(merged, extent, path, depth)
            except DeadEndError as error:
                raise error.at(path) from None
        order = range if extent is Extent.MINIMAL else self._shuffled
        return self._first(self._nodes.alternatives(merged, order), extent, path, depth)

    def _shuffled(self, count: int) -> list[int]:
        order = list(range(count))
        self._random.shuffle(order)
        return order

    def _first(self, nodes: Iterator[Node], extent: Extent, path: PropertyPath, depth: int) -> Any:
        problem = DeadEndError("no alternative can be satisfied", path)
        for tried, node in enumerate(nodes):
            if tried > 12:
                break
            try:
                return self._value(node, extent, path, depth + 1)
            except DeadEndError as error:
                problem = error
        raise problem

    def _plain(  # noqa: PLR0911 - one return a type
        self, node: Node, extent: Extent, path: PropertyPath, depth: int
    ) -> Any:
        if "const" in node:
            return copied(node["const"])  # a model may be changed, the schema may not
        if isinstance(node.get("enum"), list) and node["enum"]:
            return self._from_enum(node, extent)
        types = types_of(node)
        # A null is not a value of a property to CloudFormation: it comes last, chosen where nothing else is allowed.
        usable = types[:-1] if len(types) > 1 and types[-1] == "null" else types
        chosen = usable[0] if extent is Extent.MINIMAL or len(usable) == 1 else self._random.choice(usable[:3])
        match chosen:
            case "object":
                return self._object(node, extent, path, depth)
            case "array":
                return self._array(node, extent, path, depth)
            case "string":
                return self._string(node, extent, path)
            case "integer" | "number":
                whole = chosen == "integer"
                return make_number(node, self._random, whole=whole, least=extent is Extent.MINIMAL)
            case "boolean":
                return self._random.random() < 0.5
            case _:
                return None

    def _from_enum(self, node: Node, extent: Extent) -> Any:
        fitting = self._members(node["enum"], node.get("type"))
        if not fitting:
            raise DeadEndError("no member of the enum has the type")
        return copied(fitting[0] if extent is Extent.MINIMAL else self._random.choice(fitting))

    def _members(self, enum: list[Any], types: Any) -> list[Any]:
        known = self._fitting.get(id(enum))
        if known is None or known[0] is not enum or known[1] != types:
            fitting = [each for each in enum if types is None or _has_type(each, types)]
            known = self._fitting[id(enum)] = (enum, types, fitting)
        return known[2]

    def _string(self, node: Node, extent: Extent, path: PropertyPath) -> str:
        shortest = node.get("minLength", 0)
        size = {Extent.MINIMAL: 8, Extent.RANDOM: 10, Extent.MAXIMAL: 16}[extent]
        if path in self._wanted:  # an identifier: an empty one identifies nothing, and two must differ
            shortest, size = max(shortest, 1), 16
        return self._text.make(
            patterns=node.get("patterns", ()),
            text_format=node.get("format"),
            shortest=shortest if isinstance(shortest, int) else 0,
            longest=node.get("maxLength"),
            size=size,
        )

    def _array(self, node: Node, extent: Extent, path: PropertyPath, depth: int) -> list[Any]:
        least = int(node.get("minItems") or 0)
        most = int(node.get("maxItems", least + 3))
        wanted = {Extent.MINIMAL: least, Extent.RANDOM: least + self._random.randint(0, 2), Extent.MAXIMAL: least + 2}
        count = max(least, min(most, wanted[extent], max(200, least)))
        items: list[Any] = []
        if "contains" in node:
            items.append(self._value({"allOf": [node["contains"], _items_of(node)]}, extent, (*path, "*"), depth + 1))
        unique = node.get("uniqueItems") is True
        seen = {_key(each) for each in items} if unique else set()
        for _ in range(count * 8):
            if len(items) >= count:
                break
            try:
                item = self._value(_items_of(node), extent, (*path, "*"), depth + 1)
            except DeadEndError:
                break
            if unique:
                if (key := _key(item)) in seen:
                    extent = Extent.RANDOM if extent is Extent.MINIMAL else extent  # the least is always the same
                    continue
                seen.add(key)
            items.append(item)
            if extent is Extent.MAXIMAL and len(items) == 2 and most > 2 and isinstance(item, str | int | float):
                count = max(count, 3)  # two scalars are in some order or other: three need not be
        if len(items) < least:
            raise DeadEndError("there are too few different items", path)
        return _unsorted(items) if extent is Extent.MAXIMAL and "contains" not in node else items

    def _object(self, node: Node, extent: Extent, path: PropertyPath, depth: int) -> dict[str, Any]:
        properties: Mapping[str, Any] = node.get("properties") or {}
        made: dict[str, Any] = {}
        required = [name for name in node.get("required") or () if (*path, name) not in self._skip]
        for name in required:
            self._add(made, node, name, extent, path, depth)
        optional = [name for name in properties if name not in made and self._allowed(node, name, path)]
        most = node.get("maxProperties")
        for name in optional:
            if most is not None and len(made) >= most:
                break
            if (*path, name) in self._wanted or self._chooses(extent):
                self._try_add(made, node, name, extent, path, depth)
        self._complete_dependencies(made, node, extent, path, depth)
        self._fill_up(made, node, optional, extent, path, depth)
        return {name: made[name] for name in (*properties, *made) if name in made}

    def _chooses(self, extent: Extent) -> bool:
        if extent is Extent.RANDOM:
            return self._random.random() < 0.5
        return extent is Extent.MAXIMAL

    def _allowed(self, node: Node, name: str, path: PropertyPath) -> bool:
        return (*path, name) not in self._skip and name not in node.get("_without", ())

    def _member_node(self, node: Node, name: str) -> Any:
        properties = node.get("properties") or {}
        if name in properties:
            return properties[name]
        for pattern, sub in (node.get("patternProperties") or {}).items():
            if self._text.matches(pattern, name):
                return sub
        if node.get("additionalProperties") is False:
            raise DeadEndError(f"{name!r} is required and not allowed")
        extra = node.get("additionalProperties")
        return extra if isinstance(extra, Mapping) else {"type": "string"}

    def _add(  # noqa: PLR0913, PLR0917 - the state of the walk
        self, made: dict[str, Any], node: Node, name: str, extent: Extent, path: PropertyPath, depth: int
    ) -> None:
        if name not in made:
            made[name] = self._value(self._member_node(node, name), extent, (*path, name), depth + 1)

    def _try_add(  # noqa: PLR0913, PLR0917 - the state of the walk
        self, made: dict[str, Any], node: Node, name: str, extent: Extent, path: PropertyPath, depth: int
    ) -> None:
        visited = self._visited
        try:
            self._add(made, node, name, extent, path, depth)
        except DeadEndError:
            self._visited = max(visited, self._visited)
            return
        if made[name] is None:
            del made[name]

    def _complete_dependencies(
        self, made: dict[str, Any], node: Node, extent: Extent, path: PropertyPath, depth: int
    ) -> None:
        dependencies = {**(node.get("dependencies") or {}), **(node.get("dependentRequired") or {})}
        for _ in range(len(dependencies)):
            for name, demand in dependencies.items():
                if name not in made:
                    continue
                merged = None if isinstance(demand, list) else self._nodes.merge(demand)
                names = demand if isinstance(demand, list) else (merged or {}).get("required") or ()
                for each in names:
                    if (*path, each) not in self._skip:
                        self._add(made, node, each, extent, path, depth)

    def _fill_up(  # noqa: PLR0913, PLR0917 - the state of the walk
        self, made: dict[str, Any], node: Node, optional: list[str], extent: Extent, path: PropertyPath, depth: int
    ) -> None:
        """Add entries of a map, and optional properties until minProperties is satisfied."""
        least = int(node.get("minProperties") or 0)
        for name in optional:
            if len(made) < least:
                self._try_add(made, node, name, extent, path, depth)
        patterns: Mapping[str, Any] = node.get("patternProperties") or {}
        extra = node.get("additionalProperties")
        is_map = bool(patterns) or isinstance(extra, Mapping)
        bonus = {Extent.MINIMAL: 0, Extent.RANDOM: 1, Extent.MAXIMAL: 2}[extent] if is_map else 0
        target = min(max(least, len(made) + bonus), int(node.get("maxProperties", 10**6)))
        free_form = not is_map and not (node.get("properties") or {}) and extra is not False
        if free_form and extent is not Extent.MINIMAL:
            target = max(target, 1)
        if extra is False and not patterns:
            return
        for _ in range(10 * (target - len(made))):
            if len(made) >= target:
                break
            try:
                self._add_entry(made, node, patterns, extent, path, depth)
            except DeadEndError:
                continue

    def _add_entry(  # noqa: PLR0913, PLR0917 - the walk's state
        self,
        made: dict[str, Any],
        node: Node,
        patterns: Mapping[str, Any],
        extent: Extent,
        path: PropertyPath,
        depth: int,
    ) -> None:
        pattern = self._random.choice(list(patterns)) if patterns else None
        limits = self._nodes.merge(node.get("propertyNames") or {}) or {}
        name = self._text.make(
            patterns=(*((pattern,) if pattern else ()), *limits.get("patterns", ())),
            shortest=limits.get("minLength", 0),
            longest=limits.get("maxLength"),
        )
        if name in made or name in (node.get("properties") or {}):
            return
        extra = node.get("additionalProperties")
        sub = patterns[pattern] if pattern else extra if isinstance(extra, Mapping) else {"type": "string"}
        made[name] = self._value(sub, extent, (*path, "*"), depth + 1)


def _items_of(node: Node) -> Any:
    items = node.get("items")
    if isinstance(items, list):  # a tuple, which CloudFormation's meta-schema refuses: its first member will do
        return items[0] if items else {}
    return {"type": "string"} if items is None or items is True else items


def _unsorted(items: list[Any]) -> list[Any]:
    """Return the same scalars in an order that no sort, and no turning around, leaves as it is."""
    kinds = {type(each) for each in items}
    if len(items) < 2 or len(kinds) != 1 or not kinds <= {str, int, float}:
        return items
    ascending = sorted(items)
    if items not in (ascending, ascending[::-1]):
        return items
    return [*ascending[1:], ascending[0]]


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _has_type(value: Any, types: tuple[str, ...]) -> bool:  # noqa: PLR0911 - one return a type
    match value:
        case bool():
            return "boolean" in types
        case int():
            return "integer" in types or "number" in types
        case float():
            return "number" in types or ("integer" in types and value.is_integer())
        case str():
            return "string" in types
        case None:
            return "null" in types
        case list():
            return "array" in types
        case _:
            return "object" in types
