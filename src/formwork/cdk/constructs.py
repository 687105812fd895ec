"""From a schema to what its construct class consists of, the same for every language (docs/decisions/1350)."""

from collections.abc import Iterator

from msgspec import Struct

from formwork.cdk.names import attribute_name, class_name, member_names, unused
from formwork.extensions import ExtensionKind
from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ObjectModel,
    Property,
    Scalar,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    build_type_model,
    walk_type,
)
from formwork.schema.module import ModuleSchema
from formwork.schema.resource import ResourceSchema

CFN_TAG = "CfnTag"  # the name of the CDK's own class, which no model of ours has
_MAX_ATTRIBUTE_DEPTH = 5
_MODULE_PARAMETER = ScalarType(Scalar.STRING)


class ConstructProperty(Struct, frozen=True):
    """A property of a class or of a property interface: `name` in TypeScript's spelling, `wire` in templates.

    `source` is what documents it, None for a parameter of a module, which has only `description`.
    """

    name: str
    wire: str
    type: Type
    required: bool
    description: str
    source: Property | None = None


class PropertyInterface(Struct, frozen=True):
    """An object of the schema: `CfnThing.TagProperty` where `name` is `Tag`; a closed one has no other properties."""

    name: str
    description: str
    properties: tuple[ConstructProperty, ...]
    closed: bool


class ConstructAttribute(Struct, frozen=True):
    """A value that Fn::GetAtt gives by `target`; of a module, with `reference`, Ref by the logical id `target`."""

    name: str
    target: str
    type: Type
    description: str
    reference: bool = False


class Construct(Struct, frozen=True):
    """The class of a resource type or module; `members` are the names of its properties on the class, in their order.

    `tags` is the property that the CDK's tags go to, None where the type has none that they fit.
    """

    class_name: str
    type_name: str
    kind: ExtensionKind
    description: str
    properties: tuple[ConstructProperty, ...]
    members: tuple[str, ...]
    attributes: tuple[ConstructAttribute, ...]
    closed: bool
    interfaces: tuple[PropertyInterface, ...] = ()
    tags: ConstructProperty | None = None


def resource_construct(schema: ResourceSchema) -> Construct:
    """Return the class of a resource type: what a template may set, and what it can ask for."""
    types = build_type_model(schema, kind=ExtensionKind.RESOURCE, reserved=(CFN_TAG,))
    tag = _tag_model(schema, types)
    writable = _Writable(types)
    interfaces: dict[str, PropertyInterface] = {}
    properties = _properties(types.root, writable, tag)
    waiting = [*properties]
    while waiting:
        for part in walk_type(waiting.pop(0).type):
            if isinstance(part, ModelType) and part.name not in interfaces and part.name != CFN_TAG:
                model = types.expect_model(part.name)
                found = _properties(model, writable, tag)
                interfaces[part.name] = PropertyInterface(part.name, model.description, found, model.closed)
                waiting += found
    members = member_names([each.wire for each in properties], of_class=True)
    tags = next((each for each in properties if (each.wire,) == schema.tagging.tag_property), None)
    taken = set(members.values())
    attributes = tuple(_attributes(types, types.root, ()))
    return Construct(
        class_name(schema.type_name),
        schema.type_name,
        ExtensionKind.RESOURCE,
        schema.description,
        properties,
        tuple(members[each.wire] for each in properties),
        _distinct(attributes, taken),
        types.root.closed,
        tuple(interfaces.values()),
        tags if tags is not None and schema.tagging.taggable and tags.type in _TAG_TYPES else None,
    )


def module_construct(schema: ModuleSchema) -> Construct:
    """Return the class of a module: its parameters, and the references to its resources."""
    names = member_names(schema.parameters, of_class=False)
    properties = tuple(
        ConstructProperty(names[name], name, AnyType(), required=False, description=each.description or "")
        for name, each in schema.parameters.items()
    )
    members = tuple(member_names(schema.parameters, of_class=True).values())
    attributes = tuple(
        ConstructAttribute(
            f"ref{name[:1].upper()}{name[1:]}",
            name,
            _MODULE_PARAMETER,
            f"What Ref gives for the module's resource {name}" + ("" if of == "*" else f" ({of})") + ".",
            reference=True,
        )
        for name, of in schema.resources.items()
        if name != "*"
    )
    named = class_name(schema.type_name)
    found = _distinct(attributes, set(members))
    description = schema.description
    return Construct(
        named, schema.type_name, ExtensionKind.MODULE, description, properties, members, found, closed=True
    )


_TAG_TYPES = (
    ListType(ModelType(CFN_TAG)),
    SetType(ModelType(CFN_TAG)),
    MapType(ScalarType(Scalar.STRING)),
)


def _tag_model(schema: ResourceSchema, types: TypeModel) -> str | None:
    """Return the name of the model that is the CDK's CfnTag: of the tag property, with a required Key and Value."""
    tags = types.root.get_property("/".join(schema.tagging.tag_property))
    if tags is None or not isinstance(tags.type, ListType | SetType) or not isinstance(tags.type.item, ModelType):
        return None
    model = types.expect_model(tags.type.item.name)
    found = {each.name: (each.type, each.required) for each in model.properties}
    plain = (_MODULE_PARAMETER, True)
    return model.name if found == {"Key": plain, "Value": plain} else None


class _Writable:
    """Which properties a template may set: not those that only the service sets, nor objects of nothing else.

    A model's property is left out only where one property alone leads to the model: elsewhere it may be writable.
    """

    def __init__(self, types: TypeModel) -> None:
        self._models = {each.name: each for each in types.models}
        used: dict[str, int] = {}
        for model in types.models:
            for each in model.properties:
                for part in walk_type(each.type):
                    if isinstance(part, ModelType):
                        used[part.name] = used.get(part.name, 0) + 1
        self._certain = {types.root.name} | {name for name, times in used.items() if times == 1}

    def of(self, model: ObjectModel) -> list[Property]:
        """Return the writable properties of a model."""
        return [each for each in model.properties if not self._is_read_only(model, each, 0)]

    def _is_read_only(self, model: ObjectModel, one: Property, depth: int) -> bool:
        if one.read_only:
            return model.name in self._certain
        if depth >= _MAX_ATTRIBUTE_DEPTH or not isinstance(one.type, ModelType) or one.type.name not in self._certain:
            return False
        inner = self._models[one.type.name]
        return bool(inner.properties) and all(self._is_read_only(inner, each, depth + 1) for each in inner.properties)


def _properties(model: ObjectModel, writable: _Writable, tag: str | None) -> tuple[ConstructProperty, ...]:
    found = writable.of(model)
    names = member_names([each.name for each in found], of_class=False)
    return tuple(
        ConstructProperty(
            names[each.name], each.name, _tagged(each.type, tag), each.required, each.description, source=each
        )
        for each in found
    )


def _tagged(of: Type, tag: str | None) -> Type:
    match of:
        case ListType(ModelType(name)) if name == tag:
            return ListType(ModelType(CFN_TAG))
        case SetType(ModelType(name)) if name == tag:
            return SetType(ModelType(CFN_TAG))
        case _:
            return of


def _attributes(types: TypeModel, model: ObjectModel, path: tuple[str, ...]) -> Iterator[ConstructAttribute]:
    """Yield the values by the dotted names that Fn::GetAtt takes; those inside lists have none."""
    if len(path) >= _MAX_ATTRIBUTE_DEPTH:
        return
    for each in model.properties:
        here = (*path, each.name)
        if each.read_only:
            name = ".".join(here)
            yield ConstructAttribute(attribute_name(name), name, each.type, each.description)
        elif isinstance(each.type, ModelType) and types.expect_model(each.type.name) is not model:
            yield from _attributes(types, types.expect_model(each.type.name), here)


def _distinct(attributes: tuple[ConstructAttribute, ...], taken: set[str]) -> tuple[ConstructAttribute, ...]:
    found = []
    for each in attributes:
        name = unused(each.name, taken)
        taken.add(name)
        found.append(ConstructAttribute(name, each.target, each.type, each.description, reference=each.reference))
    return tuple(found)


def converted_objects(construct: Construct) -> tuple[PropertyInterface, ...]:
    """Return every object that the class converts to a template's form; the CDK's tag is one."""
    used = any(part == ModelType(CFN_TAG) for each in construct.properties for part in walk_type(each.type))
    members = tuple(
        ConstructProperty(name.lower(), name, _MODULE_PARAMETER, required=True, description="")
        for name in ("Key", "Value")
    )
    tag = PropertyInterface(CFN_TAG, "", members, closed=True)
    return (*construct.interfaces, *([tag] if used else ()))
