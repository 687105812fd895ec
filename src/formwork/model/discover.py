"""From a schema to its objects and the types that hold them, before anything has a name.

Models are known by their paths here: a `ModelType` of this module carries its shape's pointer as its name, which
`build` replaces. Objects are put in a queue and never entered recursively, so that neither cycles nor long chains of
definitions matter; what nests without objects in between (lists of lists, maps of maps) ends at `MAX_NESTING`.

How oneOf, anyOf and allOf are read (they describe one value, and a handler must be able to hold it):

- an object with properties of its own takes in the properties of all its alternatives;
- alternatives that are inline objects become one object with the properties of all;
- otherwise the distinct types of the alternatives form a union, a single one stands for itself;
- a typed scalar or array ignores them, as alternatives without a type of their own only constrain.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from formwork.diagnostics import parse_pointer, render_pointer
from formwork.documents.refs import ReferenceError_, follow_ref
from formwork.model.alternatives import (
    COMBINERS,
    TYPING,
    Node,
    Part,
    Path,
    alternatives,
    has_properties,
    list_of,
    mapping_of,
    may_be_anything,
    may_be_object,
)
from formwork.model.types import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    Scalar,
    ScalarType,
    SetType,
    Type,
    UnionType,
    merge_values,
)

MAX_NESTING = 16
_SCALARS = frozenset(Scalar)


class Found:
    """A property of a shape: its type, its schema with references followed, and whether it is required."""

    __slots__ = ("required", "schema", "type")

    def __init__(self, of: Type, schema: Node, *, required: bool) -> None:
        self.type = of
        self.schema = schema
        self.required = required


class Shape:
    """An object with properties: where it is defined, what it is made of, and then its properties."""

    __slots__ = ("parts", "path", "properties")

    def __init__(self, path: Path, parts: list[Part]) -> None:
        self.path = path
        self.parts = parts
        self.properties: dict[str, Found] = {}

    @property
    def closed(self) -> bool:
        """Whether other properties are refused: by what every value obeys, or by each alternative."""
        if any(each.node.get("patternProperties") for each in self.parts):
            return False
        if any(_closes(each) for each in self.parts if each.certain):
            return True
        told = [each for each in self.parts if not each.certain and each.node.keys() & TYPING]
        return bool(told) and all(map(_closes, told))

    @property
    def description(self) -> str:
        """The first description of the parts, "" where none has one."""
        texts = (each.node.get("description") for each in self.parts)
        return next((text for text in texts if isinstance(text, str)), "")


class Discovery:
    """The shapes of a schema; `enter` adds what a path leads to, `finish` follows everything found."""

    def __init__(self, schema: Node) -> None:
        self._schema = schema
        self._types: dict[Path, Type] = {}
        self._active: set[Path] = set()
        self.shapes: dict[Path, Shape] = {}
        self._queue: list[Shape] = []

    def enter(self, node: Node, path: Path) -> Shape:
        """Make the object at `path` a shape, even one without properties, and follow all that it leads to."""
        shape = self._add_shape(path, list(self._object_parts(node, path)))
        while self._queue:
            self._fill(self._queue.pop(0))
        return shape

    def _add_shape(self, path: Path, parts: list[Part]) -> Shape:
        shape = self.shapes.get(path)
        if shape is None:
            shape = self.shapes[path] = Shape(path, parts)
            self._queue.append(shape)
        return shape

    def _fill(self, shape: Shape) -> None:
        sources: dict[str, list[Part]] = {}
        required: set[str] = set()
        for part in shape.parts:
            for name, node in mapping_of(part.node.get("properties")).items():
                sources.setdefault(name, []).append(Part(node, (*part.path, "properties", name)))
            if part.certain:
                required.update(each for each in list_of(part.node.get("required")) if isinstance(each, str))
        for name, parts in sources.items():
            shape.properties[name] = Found(
                self._type_of_all(parts), self._describe(parts[0]), required=name in required
            )

    def _describe(self, part: Part) -> Node:
        target = mapping_of(self._follow(part.node, part.path)[0])
        # Siblings of $ref mean nothing to validation, but authors describe the property there.
        beside = {key: part.node[key] for key in ("description", "title") if key in mapping_of(part.node)}
        return {**target, **beside}

    def _follow(self, node: Any, path: Path) -> tuple[Any, Path]:
        """The schema that `node` refers to, and where it is; {} for what can't be followed (a finding of validate)."""
        try:
            target, found = follow_ref(node, self._schema)
        except ReferenceError_:
            return {}, path
        return target, path if found is None else found

    def _type_of_all(self, parts: list[Part]) -> Type:
        """The type of a property that several alternatives define."""
        if len(parts) == 1:
            return self._type_at(parts[0].node, parts[0].path)
        if all(has_properties(each.node) for each in parts):
            self._add_shape(
                parts[0].path, [found for each in parts for found in self._object_parts(each.node, each.path)]
            )
            return _model_at(parts[0].path)
        types = [self._type_at(each.node, each.path) for each in parts]
        # An alternative that only constrains a property ({"const": …}) doesn't make it untyped.
        return join([each for each in types if each != AnyType()] or [AnyType()])

    def _type_at(self, node: Any, path: Path) -> Type:
        node, path = self._follow(node, path)
        if path in self.shapes:
            return _model_at(path)
        known = self._types.get(path)
        if known is not None:
            return known
        if path in self._active or len(self._active) >= MAX_NESTING or not isinstance(node, Mapping):
            return AnyType()
        self._active.add(path)
        try:
            found = self._types[path] = self._classify(node, path)
        finally:
            self._active.discard(path)
        return found

    def _classify(self, node: Node, path: Path) -> Type:
        declared = node.get("type")
        names = (
            [declared] if isinstance(declared, str) else [each for each in list_of(declared) if isinstance(each, str)]
        )
        names = [each for each in dict.fromkeys(names) if each != "null"]
        if names:
            return join([self._of_name(each, node, path) for each in names])
        if any(node.get(key) for key in ("properties", "patternProperties", *COMBINERS)):
            found = self._object(node, path, declared=False)
            return AnyType() if may_be_anything(node) and not has_properties(node) else found
        return self._array(node, path) if "items" in node else AnyType()

    def _of_name(self, name: str, node: Node, path: Path) -> Type:
        if name in _SCALARS:
            text = node.get("format")
            scalar = Scalar(name)
            return ScalarType(scalar, text if isinstance(text, str) else None, _values(scalar, node))
        if name == "array":
            return self._array(node, path)
        return self._object(node, path, declared=True) if name == "object" else AnyType()

    def _array(self, node: Node, path: Path) -> Type:
        items = node.get("items")
        item = self._type_at(items, (*path, "items")) if isinstance(items, Mapping) else AnyType()
        unordered = node.get("uniqueItems") is True and node.get("insertionOrder") is False
        return SetType(item) if unordered else ListType(item)

    def _object(self, node: Node, path: Path, *, declared: bool) -> Type:
        """An object, or with `declared` False what has no type and may be one."""
        if has_properties(node):
            self._add_shape(path, list(self._object_parts(node, path)))
            return _model_at(path)
        parts: list[Part] = []
        types: list[Type] = []
        free: list[Part] = []
        for part in alternatives(node, path):
            if "$ref" in part.node or not may_be_object(part.node):
                types.append(self._type_at(part.node, part.path))
            elif has_properties(part.node):
                parts.append(part)
            elif part.node.get("patternProperties"):
                types.append(self._map(part.node, part.path))
            elif "type" in part.node:
                free.append(part)
        if not parts:
            types += [MapType(AnyType())] if free else []
        else:
            self._add_shape(path, parts + free)
            types.append(_model_at(path))
        if node.get("patternProperties"):
            types.append(self._map(node, path))
        if declared:
            types = [each for each in types if not isinstance(each, ScalarType | ListType | SetType)]
        return join(types or [MapType(AnyType()) if declared else AnyType()])

    def _map(self, node: Node, path: Path) -> Type:
        values = [
            self._type_at(value, (*path, "patternProperties", pattern))
            for pattern, value in mapping_of(node.get("patternProperties")).items()
        ]
        distinct = set(values)
        return MapType(reduce(merge_values, values) if len(distinct) == 1 else AnyType())

    def _object_parts(self, node: Node, path: Path) -> Iterator[Part]:
        """The object at `path` and every object among its alternatives, each once, references followed."""
        seen: set[Path] = set()
        waiting = [Part(node, path)]
        while waiting:
            part = waiting.pop(0)
            target, found = self._follow(part.node, part.path)
            if found in seen or not isinstance(target, Mapping) or not may_be_object(target):
                continue
            seen.add(found)
            yield Part(target, found, certain=part.certain)
            waiting.extend(
                Part(each.node, each.path, certain=part.certain and each.certain)
                for each in alternatives(target, found)
            )


def _values(scalar: Scalar, node: Node) -> tuple[str | int, ...]:
    """The values that the enum or const of `node` leaves to a string or an integer; () where it may be any."""
    listed = [node["const"]] if "const" in node else list_of(node.get("enum"))
    match scalar:
        case Scalar.STRING:
            return tuple(dict.fromkeys(each for each in listed if isinstance(each, str)))
        case Scalar.INTEGER:
            return tuple(dict.fromkeys(each for each in listed if isinstance(each, int) and not isinstance(each, bool)))
        case _:
            return ()


def _closes(part: Part) -> bool:
    return part.node.get("additionalProperties") is False


def join(types: list[Type]) -> Type:
    """One type for a value that may be any of `types`, at least one."""
    flat: dict[Type, Type] = {}
    for joined in types:
        for each in joined.alternatives if isinstance(joined, UnionType) else (joined,):
            flat[each] = merge_values(flat[each], each) if each in flat else each
    distinct = tuple(flat.values())
    if AnyType() in flat:
        return AnyType()
    return distinct[0] if len(distinct) == 1 else UnionType(distinct)


def _model_at(path: Path) -> ModelType:
    return ModelType(render_pointer(path))


def path_of(model: ModelType) -> Path:
    """The path that a `ModelType` of this module stands for."""
    return parse_pointer(model.name)
