"""From a schema to its `TypeModel`."""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol

from formwork.diagnostics import PointerError, parse_pointer
from formwork.extensions import ExtensionKind
from formwork.model.alternatives import Path, list_of, mapping_of
from formwork.model.discover import Discovery, Shape, path_of
from formwork.model.naming import name_models
from formwork.model.types import (
    AnyType,
    ListType,
    MapType,
    Model,
    ModelType,
    Property,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    UnionType,
)

_FLAGS = ("readOnly", "writeOnly", "createOnly", "conditionalCreateOnly")
_HOOK_HANDLERS = frozenset({"preCreate", "preUpdate", "preDelete"})


class SchemaLike(Protocol):
    """A schema that keeps its parsed document, as `formwork.schema` has them."""

    @property
    def value(self) -> Mapping[str, Any]:
        """The document."""
        ...


def build_type_model(
    schema: SchemaLike | Mapping[str, Any],
    *,
    kind: ExtensionKind | None = None,
    root_name: str | None = None,
    reserved: Collection[str] = (),
    open_ended: bool = False,
) -> TypeModel:
    """The types of a resource or hook schema; any parsed document has some, valid or not.

    Args:
        schema: the schema or its parsed document.
        kind: what the schema describes; by default what its handlers and properties look like.
        root_name: the name of the outermost model; by default ResourceModel, or HookInputModel for a hook.
        reserved: names that no model may have because the language or its runtime uses them.
        open_ended: every model keeps properties that the schema doesn't name, for schemas that may be out of date.
    """
    document = schema if isinstance(schema, Mapping) else schema.value
    kind = kind or _kind_of(document)
    discovery = Discovery(document)
    root = discovery.enter(document, ())
    fixed: dict[Path, str] = {(): root_name or ("HookInputModel" if kind is ExtensionKind.HOOK else "ResourceModel")}
    configuration = document.get("typeConfiguration")
    if isinstance(configuration, Mapping):
        discovery.enter(configuration, ("typeConfiguration",))
        fixed["typeConfiguration",] = "TypeConfigurationModel"
    else:
        reserved = {*reserved, "TypeConfigurationModel"}
    names = name_models(list(discovery.shapes), fixed=fixed, reserved=reserved)
    flags = {flag: set(_flagged(document.get(f"{flag}Properties"), root, discovery)) for flag in _FLAGS}
    models = tuple(
        _model(shape, names, flags, closed=shape.closed and not open_ended) for shape in discovery.shapes.values()
    )
    return TypeModel(
        kind=kind,
        type_name=str(document.get("typeName", "")),
        models=models,
        type_configuration=next((each for each in models if each.path == ("typeConfiguration",)), None),
        handlers=tuple(mapping_of(document.get("handlers"))),
        primary_identifier=tuple(_property_paths(document.get("primaryIdentifier"))),
        additional_identifiers=tuple(
            tuple(_property_paths(each)) for each in list_of(document.get("additionalIdentifiers"))
        ),
    )


def _kind_of(document: Mapping[str, Any]) -> ExtensionKind:
    handlers = set(mapping_of(document.get("handlers")))
    hook = bool(handlers & _HOOK_HANDLERS) or (not document.get("properties") and "typeConfiguration" in document)
    return ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE


def _model(
    shape: Shape, names: Mapping[Path, str], flags: Mapping[str, set[tuple[Path, str]]], *, closed: bool
) -> Model:
    properties = tuple(
        Property(
            name=name,
            type=_named(found.type, names),
            schema=found.schema,
            required=found.required,
            flags=frozenset(flag for flag, places in flags.items() if (shape.path, name) in places),
        )
        for name, found in shape.properties.items()
    )
    return Model(names[shape.path], shape.path, properties, description=shape.description, closed=closed)


def _named(of: Type, names: Mapping[Path, str]) -> Type:
    """`of` with its models called by their names instead of their paths."""
    match of:
        case ModelType():
            return ModelType(names[path_of(of)])
        case ListType(item):
            return ListType(_named(item, names))
        case SetType(item):
            return SetType(_named(item, names))
        case MapType(value):
            return MapType(_named(value, names))
        case UnionType(alternatives):
            return UnionType(tuple(_named(each, names) for each in alternatives))
        case ScalarType() | AnyType():
            return of


def _flagged(pointers: Any, root: Shape, discovery: Discovery) -> Iterator[tuple[Path, str]]:
    """The properties that a list of pointers names, as (path of the model, name)."""
    for tokens in _parsed(pointers):
        yield from _step(tokens, root, discovery)


def _step(tokens: tuple[str, ...], shape: Shape, discovery: Discovery) -> Iterator[tuple[Path, str]]:
    """Follow a pointer through the models; it may spell out `properties` and `items` or leave them out."""
    while tokens and tokens[0] not in shape.properties:
        if tokens[0] not in ("properties", "items", "*", "patternProperties"):
            return
        tokens = tokens[1:]
    if not tokens:
        return
    rest = tokens[1:]
    if not [each for each in rest if each not in ("*", "items")]:
        yield shape.path, tokens[0]
        return
    for path in _models_in(shape.properties[tokens[0]].type):
        yield from _step(_past_maps(rest, discovery.shapes[path]), discovery.shapes[path], discovery)


def _past_maps(tokens: tuple[str, ...], shape: Shape) -> tuple[str, ...]:
    """`tokens` from the first on that the shape knows: what stands before names a pattern or a key of a map."""
    for index, token in enumerate(tokens):
        if token in shape.properties:
            return tokens[index:]
    return ()


def _models_in(of: Type) -> Iterator[Path]:
    match of:
        case ModelType():
            yield path_of(of)
        case ListType(inner) | SetType(inner) | MapType(inner):
            yield from _models_in(inner)
        case UnionType(alternatives):
            for each in alternatives:
                yield from _models_in(each)
        case _:
            return


def _property_paths(pointers: Any) -> Iterator[tuple[str, ...]]:
    for tokens in _parsed(pointers):
        # Every other segment is the keyword; a property may be called "properties" too.
        yield tokens[1::2] if tokens[::2] == ("properties",) * len(tokens[::2]) else tokens[1:]


def _parsed(pointers: Any) -> Iterator[tuple[str, ...]]:
    for pointer in list_of(pointers):
        with contextlib.suppress(PointerError):  # a finding of validate
            tokens = parse_pointer(pointer) if isinstance(pointer, str) else ()
            if tokens:
                yield tokens
