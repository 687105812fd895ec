"""One shape to its schema."""

from collections.abc import Callable
from typing import Any

from formwork.convert.errors import conversion_error
from formwork.convert.json_schema.constraints import add_constraints
from formwork.convert.json_schema.keywords import ordered, without
from formwork.convert.json_schema.references import DefinitionPointers
from formwork.convert.json_schema.text import description_of
from formwork.convert.json_schema.timestamps import add_timestamp_format
from formwork.convert.options import EnumStrategy, JsonSchemaOptions, MapStrategy, SchemaVersion, UnionStrategy
from formwork.smithy.model import Model
from formwork.smithy.shape_ids import PRELUDE, UNIT
from formwork.smithy.shapes import MemberShape, Shape, ShapeType

Schema = dict[str, Any]
NameProperty = Callable[[MemberShape], str]

_INTEGERS = (ShapeType.BYTE, ShapeType.SHORT, ShapeType.INTEGER, ShapeType.LONG, ShapeType.INT_ENUM)
_NON_NUMERIC = {"type": "string", "enum": ["NaN", "Infinity", "-Infinity"]}


def utf16_key(text: str) -> bytes:
    """Return the order in which the reference sorts names: by UTF-16 code unit."""
    return text.encode("utf-16-be", "surrogatepass")


class SchemaWriter:
    """Writes the schemas of a model's shapes under one configuration."""

    def __init__(self, model: Model, options: JsonSchemaOptions, *, name_property: NameProperty | None = None) -> None:
        self.model = model
        self.options = options
        self.references = DefinitionPointers(model, options)
        self._name_property = name_property or self._plain_name
        self._inlining: list[str] = []

    def _plain_name(self, member: MemberShape) -> str:
        json_name = member.trait("jsonName") if self.options.use_json_name else None
        return json_name or member.member_name

    def schema(self, shape: Shape) -> Schema:
        """Return the schema of a shape itself, however it is referred to elsewhere."""
        if shape.type is ShapeType.ENUM and self.options.enum_strategy is EnumStrategy.ONE_OF:
            return self._constants(shape)
        return self._finish(shape, shape, self._bare(shape))

    def member_schema(self, member: MemberShape) -> Schema:
        """Return the schema of what a member holds: its target's, with what the member adds, or a reference to it."""
        target = self.model.target(member)
        if target is None:
            return {}
        if self.references.is_inlined(target):
            return self._finish(member, target, self._inlined(target))
        reference: Schema = {"$ref": self.references.pointer(target)}
        if self._tells_deprecation(member):
            reference["deprecated"] = True
        description = self._description(member) if self.options.add_reference_descriptions else ""
        if description:
            reference["description"] = description
        if member.has_trait("default") and not self.options.disable_default_values:
            reference = {"allOf": [reference, {"default": member.trait("default")}]}
        return reference

    def _tells_deprecation(self, shape: Shape) -> bool:
        return shape.has_trait("deprecated") and self.options.json_schema_version is SchemaVersion.DRAFT2020_12

    def _inlined(self, target: Shape) -> Schema:
        if target.id in self._inlining:
            way = " > ".join((*self._inlining, target.id))
            raise conversion_error(
                f"{target.id} contains itself through nothing but lists, which no schema can express: {way}",
                hint="put a structure or a union between them",
            )
        self._inlining.append(target.id)
        try:
            return self.schema(target)
        finally:
            self._inlining.pop()

    def _description(self, shape: Shape) -> str:
        return description_of(shape, default_deprecated_message=not self.options.disable_default_deprecated_message)

    def _finish(self, shape: Shape, target: Shape, schema: Schema) -> Schema:
        """A schema with what the traits of `shape` (a shape, or a member that targets `target`) say, as configured."""
        return ordered(without(self._overlaid(shape, target, schema), self.options.disable_features))

    def _overlaid(self, shape: Shape, target: Shape, schema: Schema) -> Schema:
        description = self._description(shape)
        if description:
            schema["description"] = description
        if shape.has_trait("title"):
            schema["title"] = shape.trait("title")
        if self._tells_deprecation(shape):
            schema["deprecated"] = True
        if isinstance(shape.trait("mediaType"), str):
            schema["contentMediaType"] = shape.trait("mediaType")
        add_constraints(schema, shape, target)
        if shape.has_trait("default") and not self.options.disable_default_values:
            schema["default"] = shape.trait("default")
        add_timestamp_format(schema, shape, target, self.options.default_timestamp_format)
        return schema

    def _bare(self, shape: Shape) -> Schema:  # noqa: PLR0911 - one a type of shape
        match shape.type:
            case ShapeType.BOOLEAN:
                return {"type": "boolean"}
            case ShapeType.STRING | ShapeType.BLOB:
                values = [each["value"] for each in shape.trait("enum") or ()]
                return {"type": "string", "enum": values} if values else {"type": "string"}
            case ShapeType.ENUM:
                return {"type": "string", "enum": [member.trait("enumValue") for member in shape.members.values()]}
            case ShapeType.LIST | ShapeType.SET:
                return {"type": "array", "items": self.member_schema(shape.members["member"])}
            case ShapeType.MAP:
                return self._map(shape)
            case ShapeType.STRUCTURE:
                return self._structure(shape)
            case ShapeType.UNION:
                return self._union(shape)
            case ShapeType.TIMESTAMP:
                return {}
            case ShapeType.DOCUMENT:
                return {}
            case _:
                return self._number(shape)

    def _number(self, shape: Shape) -> Schema:
        if shape.type in (ShapeType.FLOAT, ShapeType.DOUBLE) and self.options.support_non_numeric_floats:
            # The number carries what the shape says by itself; what is said here once more stands beside it.
            number = ordered(self._overlaid(shape, shape, {"type": "number"}))
            return {"oneOf": [number, dict(_NON_NUMERIC)]}
        schema: Schema = {"type": "integer" if self.options.use_integer_type and shape.type in _INTEGERS else "number"}
        if shape.type is ShapeType.INT_ENUM and not self.options.disable_int_enums:
            schema["enum"] = [member.trait("enumValue") for member in shape.members.values()]
        return schema

    def _constants(self, shape: Shape) -> Schema:
        """Return an enum as its constants, with the documentation of the shape."""
        schema: Schema = {"type": "string", "oneOf": [self._constant(member) for member in shape.members.values()]}
        if shape.has_trait("documentation"):
            schema["description"] = shape.trait("documentation")
        return ordered(without(schema, self.options.disable_features))

    def _constant(self, member: MemberShape) -> Schema:
        constant: Schema = {"const": member.trait("enumValue")}
        if member.has_trait("title"):
            constant["title"] = member.trait("title")
        if member.has_trait("documentation"):
            constant["description"] = member.trait("documentation")
        return constant

    def _map(self, shape: Shape) -> Schema:
        key, value = shape.members["key"], self.member_schema(shape.members["value"])
        if self.options.map_strategy is MapStrategy.PROPERTY_NAMES:
            return {"type": "object", "propertyNames": self.member_schema(key), "additionalProperties": value}
        target = self.model.target(key)
        pattern = key.trait("pattern") or (target.trait("pattern") if target is not None else None) or ".+"
        return {"type": "object", "patternProperties": {pattern: value}}

    def _structure(self, shape: Shape) -> Schema:
        schema: Schema = {"type": "object"}
        properties = {name: self.member_schema(each) for name, each in self._named_members(shape).items()}
        required = sorted(
            {self._name_property(each) for each in shape.members.values() if each.has_trait("required")}, key=utf16_key
        )
        if properties:
            schema["properties"] = properties
        if required:
            schema["required"] = required
        return schema

    def _named_members(self, shape: Shape) -> dict[str, MemberShape]:
        named: dict[str, MemberShape] = {}
        for member in shape.members.values():
            name = self._name_property(member)
            if name in named:
                both = f'"{named[name].member_name}" and "{member.member_name}"'
                raise conversion_error(
                    f'{both} of {shape.id.removesuffix("__SYNTHETIC__")} both become the property "{name}"',
                    hint="give one of them another name with @cfnName",
                )
            named[name] = member
        return named

    def _union(self, shape: Shape) -> Schema:
        match self.options.union_strategy:
            case UnionStrategy.OBJECT:
                return {"type": "object"}
            case UnionStrategy.STRUCTURE:
                return self._structure(shape)
            case _:
                return {"oneOf": [self._variant(member) for member in shape.members.values()]}

    def _variant(self, member: MemberShape) -> Schema:
        name = self._name_property(member)
        return ordered(
            {"type": "object", "title": name, "properties": {name: self.member_schema(member)}, "required": [name]}
        )

    def is_definition(self, shape: Shape) -> bool:
        """Return whether a shape that is used gets a definition."""
        if shape.namespace == PRELUDE and not (shape.id == UNIT and self.references.uses_unit):
            return False
        return not shape.has_trait("mixin") and not self.references.is_inlined(shape)
