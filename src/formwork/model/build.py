"""From a schema to its `TypeModel` (docs/decisions/0302)."""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol

from formwork.diagnostics import PointerError, parse_pointer
from formwork.extensions import ExtensionKind
from formwork.model.discover import DiscoveredObject, Discovery
from formwork.model.naming import name_models
from formwork.model.types import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ObjectModel,
    Property,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    UnionType,
)
from formwork.schema.view import SchemaView

_FLAGS = ("readOnly", "writeOnly", "createOnly", "conditionalCreateOnly")
_HOOK_HANDLERS = frozenset({"preCreate", "preUpdate", "preDelete"})


class SchemaLike(Protocol):
    """A schema with a view of its document, as `formwork.schema` has them."""

    @property
    def view(self) -> SchemaView:
        """The document's nodes."""
        ...


def build_type_model(
    schema: SchemaLike | Mapping[str, Any],
    *,
    kind: ExtensionKind | None = None,
    root_name: str | None = None,
    reserved: Collection[str] = (),
    open_ended: bool = False,
) -> TypeModel:
    """Return the types of a resource or hook schema; any parsed document has some, valid or not.

    Args:
        schema: the schema or its parsed document.
        kind: what the schema describes; by default what its handlers and properties look like.
        root_name: the name of the outermost model; by default ResourceModel, or HookInputModel for a hook.
        reserved: names that no model may have because the language or its runtime uses them.
        open_ended: every model keeps properties that the schema doesn't name, for schemas that may be out of date.
    """
    view = SchemaView(schema) if isinstance(schema, Mapping) else schema.view
    document = view.root.value
    kind = kind or _kind_of(document)
    discovery = Discovery()
    root = discovery.enter(view.root)
    fixed: dict[tuple[str, ...], str] = {
        (): root_name or ("HookInputModel" if kind is ExtensionKind.HOOK else "ResourceModel")
    }
    configuration = document.get("typeConfiguration")
    if isinstance(configuration, dict):
        fixed[discovery.enter(view.node(configuration, ("typeConfiguration",))).path] = "TypeConfigurationModel"
    else:
        reserved = {*reserved, "TypeConfigurationModel"}
    named = name_models([shape.path for shape in discovery.shapes.values()], fixed=fixed, reserved=reserved)
    names = {pointer: named[shape.path] for pointer, shape in discovery.shapes.items()}
    flags = {flag: set(_flagged(document.get(f"{flag}Properties"), root, discovery)) for flag in _FLAGS}
    models = tuple(
        _model(names[pointer], shape, names, flags, closed=shape.closed and not open_ended)
        for pointer, shape in discovery.shapes.items()
    )
    return TypeModel(
        kind=kind,
        type_name=str(document.get("typeName", "")),
        models=models,
        type_configuration=next((each for each in models if each.path == ("typeConfiguration",)), None),
        handlers=_handlers(document),
        primary_identifier=tuple(_property_paths(document.get("primaryIdentifier"))),
        additional_identifiers=tuple(
            tuple(_property_paths(each)) for each in _listed(document.get("additionalIdentifiers"))
        ),
    )


def _kind_of(document: Mapping[str, Any]) -> ExtensionKind:
    hook = not _HOOK_HANDLERS.isdisjoint(_handlers(document)) or (
        not document.get("properties") and "typeConfiguration" in document
    )
    return ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE


def _handlers(document: Mapping[str, Any]) -> tuple[str, ...]:
    written = document.get("handlers")
    return tuple(written) if isinstance(written, Mapping) else ()


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _model(
    name: str,
    shape: DiscoveredObject,
    names: Mapping[str, str],
    flags: Mapping[str, set[tuple[DiscoveredObject, str]]],
    *,
    closed: bool,
) -> ObjectModel:
    properties = tuple(
        Property(
            name=each,
            type=_named(found.type, names),
            schema=found.schema,
            required=found.required,
            flags=frozenset(flag for flag, places in flags.items() if (shape, each) in places),
        )
        for each, found in shape.properties.items()
    )
    return ObjectModel(name, shape.path, properties, description=shape.description, closed=closed)


def _named(of: Type, names: Mapping[str, str]) -> Type:
    """`of` with its models called by their names instead of their pointers."""
    match of:
        case ModelType(pointer):
            return ModelType(names[pointer])
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


def _flagged(pointers: Any, root: DiscoveredObject, discovery: Discovery) -> Iterator[tuple[DiscoveredObject, str]]:
    """Yield the properties that a list of pointers names, as (shape, name)."""
    for tokens in _parsed(pointers):
        yield from _step(tokens, root, discovery)


def _step(
    tokens: tuple[str, ...], shape: DiscoveredObject, discovery: Discovery
) -> Iterator[tuple[DiscoveredObject, str]]:
    """Follow a pointer through the models; it may spell out `properties` and `items` or leave them out."""
    while tokens and tokens[0] not in shape.properties:
        if tokens[0] not in ("properties", "items", "*", "patternProperties"):
            return
        tokens = tokens[1:]
    if not tokens:
        return
    rest = tokens[1:]
    if not [each for each in rest if each not in ("*", "items")]:
        yield shape, tokens[0]
        return
    for pointer in _models_in(shape.properties[tokens[0]].type):
        inner = discovery.shapes[pointer]
        yield from _step(_past_maps(rest, inner), inner, discovery)


def _past_maps(tokens: tuple[str, ...], shape: DiscoveredObject) -> tuple[str, ...]:
    """`tokens` from the first on that the shape knows: what stands before names a pattern or a key of a map."""
    for index, token in enumerate(tokens):
        if token in shape.properties:
            return tokens[index:]
    return ()


def _models_in(of: Type) -> Iterator[str]:
    match of:
        case ModelType(pointer):
            yield pointer
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
    for pointer in _listed(pointers):
        with contextlib.suppress(PointerError):  # a finding of validate
            tokens = parse_pointer(pointer) if isinstance(pointer, str) else ()
            if tokens:
                yield tokens
