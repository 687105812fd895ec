"""From a schema to its objects and the types that hold them, before anything has a name.

Models have no names here: a `ModelType` of this module carries its shape's JSON pointer as its name, which `build`
replaces. Objects are put in a queue and never entered recursively, so that neither cycles nor long chains of
definitions matter; what nests without objects in between (lists of lists, maps of maps) ends at `MAX_NESTING`.

How oneOf, anyOf and allOf are read (they describe one value, and a handler must be able to hold it):

- an object with properties of its own takes in the properties of all its alternatives;
- alternatives that are inline objects become one object with the properties of all;
- otherwise the distinct types of the alternatives form a union, a single one stands for itself;
- a typed scalar or array ignores them, as alternatives without a type of their own only constrain.
"""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from msgspec import Struct

from formwork.model.alternatives import TYPING, Part, alternatives, may_be_anything, may_be_object
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
from formwork.schema.view import COMBINERS, Subschema

MAX_NESTING = 16
_SCALARS = frozenset(Scalar)


class Found(Struct):
    """A property of a shape: its type, its schema with references followed, and whether it is required."""

    type: Type
    schema: dict[str, Any]
    required: bool


class DiscoveredObject:
    """An object with properties: where it is defined, what it is made of, and then its properties."""

    __slots__ = ("parts", "path", "properties")

    def __init__(self, schema: Subschema, parts: list[Part]) -> None:
        self.path = tuple(map(str, schema.path))
        self.parts = parts
        self.properties: dict[str, Found] = {}

    @property
    def closed(self) -> bool:
        """Whether other properties are refused: by what every value obeys, or by each alternative."""
        if any(part.schema.get("patternProperties") for part in self.parts):
            return False
        if any(part.schema.is_closed for part in self.parts if part.certain):
            return True
        told = [part.schema for part in self.parts if not part.certain and not TYPING.isdisjoint(part.schema.value)]
        return bool(told) and all(schema.is_closed for schema in told)

    @property
    def description(self) -> str:
        """The first description of the parts, "" where none has one."""
        texts = (part.schema.get("description") for part in self.parts)
        return next((text for text in texts if isinstance(text, str)), "")


class Discovery:
    """The shapes of a schema by JSON pointer; `enter` adds an object and all that it leads to."""

    def __init__(self) -> None:
        self.shapes: dict[str, DiscoveredObject] = {}
        self._models: dict[Subschema, ModelType] = {}
        self._types: dict[Subschema, Type] = {}
        self._active: set[Subschema] = set()
        self._queue: list[DiscoveredObject] = []

    def enter(self, schema: Subschema) -> DiscoveredObject:
        """Make an object a shape, even one without properties, and follow all that it leads to."""
        shape = self.shapes[self._add_shape(schema, list(_object_parts(schema))).name]
        while self._queue:
            self._fill(self._queue.pop(0))
        return shape

    def _add_shape(self, schema: Subschema, parts: list[Part]) -> ModelType:
        model = self._models.get(schema)
        if model is None:
            model = self._models[schema] = ModelType(schema.pointer)
            shape = self.shapes[model.name] = DiscoveredObject(schema, parts)
            self._queue.append(shape)
        return model

    def _fill(self, shape: DiscoveredObject) -> None:
        sources: dict[str, list[Subschema]] = {}
        required: set[str] = set()
        for part in shape.parts:
            for name, schema in part.schema.properties.items():
                sources.setdefault(name, []).append(schema)
            if part.certain:
                required.update(part.schema.required)
        for name, schemas in sources.items():
            shape.properties[name] = Found(self._type_of_all(schemas), _describe(schemas[0]), required=name in required)

    def _type_of_all(self, schemas: list[Subschema]) -> Type:
        """Return the type of a property that several alternatives define."""
        if len(schemas) == 1:
            return self._type_of(schemas[0])
        if all(schema.properties for schema in schemas):
            return self._add_shape(schemas[0], [part for schema in schemas for part in _object_parts(schema)])
        types = [self._type_of(schema) for schema in schemas]
        # An alternative that only constrains a property ({"const": …}) doesn't make it untyped.
        return join([each for each in types if each != AnyType()] or [AnyType()])

    def _type_of(self, schema: Subschema) -> Type:
        schema = schema.target
        known = self._models.get(schema) or self._types.get(schema)
        if known is not None:
            return known
        if schema in self._active or len(self._active) >= MAX_NESTING:
            return AnyType()
        self._active.add(schema)
        try:
            found = self._types[schema] = self._classify(schema)
        finally:
            self._active.discard(schema)
        return found

    def _classify(self, schema: Subschema) -> Type:
        names = [each for each in dict.fromkeys(schema.types) if each != "null"]
        if names:
            return join([self._of_name(each, schema) for each in names])
        if any(schema.get(key) for key in ("properties", "patternProperties", *COMBINERS)):
            found = self._object(schema, declared=False)
            return AnyType() if may_be_anything(schema) and not schema.properties else found
        return self._array(schema) if "items" in schema else AnyType()

    def _of_name(self, name: str, schema: Subschema) -> Type:
        if name in _SCALARS:
            text = schema.get("format")
            scalar = Scalar(name)
            return ScalarType(scalar, text if isinstance(text, str) else None, _values(scalar, schema))
        if name == "array":
            return self._array(schema)
        return self._object(schema, declared=True) if name == "object" else AnyType()

    def _array(self, schema: Subschema) -> Type:
        item = self._type_of(schema.items) if schema.items is not None else AnyType()
        unordered = schema.get("uniqueItems") is True and schema.get("insertionOrder") is False
        return SetType(item) if unordered else ListType(item)

    def _object(self, schema: Subschema, *, declared: bool) -> Type:
        """Return the type of an object, or with `declared` False of what has no type and may be one."""
        if schema.properties:
            return self._add_shape(schema, list(_object_parts(schema)))
        parts: list[Part] = []
        types: list[Type] = []
        free: list[Part] = []
        for part in alternatives(schema):
            if "$ref" in part.schema or not may_be_object(part.schema):
                types.append(self._type_of(part.schema))
            elif part.schema.properties:
                parts.append(part)
            elif part.schema.get("patternProperties"):
                types.append(self._map(part.schema))
            elif "type" in part.schema:
                free.append(part)
        if not parts:
            types += [MapType(AnyType())] if free else []
        else:
            types.append(self._add_shape(schema, parts + free))
        if schema.get("patternProperties"):
            types.append(self._map(schema))
        if declared:
            types = [each for each in types if not isinstance(each, ScalarType | ListType | SetType)]
        return join(types or [MapType(AnyType()) if declared else AnyType()])

    def _map(self, schema: Subschema) -> Type:
        values = [self._type_of(value) for value in schema.pattern_properties.values()]
        return MapType(reduce(merge_values, values) if len(set(values)) == 1 else AnyType())


def _describe(schema: Subschema) -> dict[str, Any]:
    # Siblings of $ref mean nothing to validation, but authors describe the property there.
    beside = {key: schema.value[key] for key in ("description", "title") if key in schema}
    return {**schema.target.value, **beside}


def _object_parts(schema: Subschema) -> Iterator[Part]:
    """Yield an object and every object among its alternatives, each once, references followed."""
    seen: set[Subschema] = set()
    waiting = [Part(schema)]
    while waiting:
        part = waiting.pop(0)
        target = part.schema.target
        if target in seen or not may_be_object(target):
            continue
        seen.add(target)
        yield Part(target, certain=part.certain)
        waiting.extend(Part(each.schema, certain=part.certain and each.certain) for each in alternatives(target))


def _values(scalar: Scalar, schema: Subschema) -> tuple[str | int, ...]:
    """Return the values that the enum or const leaves to a string or an integer; () where it may be any."""
    enum = schema.get("enum")
    listed = [schema.value["const"]] if "const" in schema else enum if isinstance(enum, list) else []
    match scalar:
        case Scalar.STRING:
            return tuple(dict.fromkeys(each for each in listed if isinstance(each, str)))
        case Scalar.INTEGER:
            return tuple(dict.fromkeys(each for each in listed if isinstance(each, int) and not isinstance(each, bool)))
        case _:
            return ()


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
