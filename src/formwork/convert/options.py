"""The options of a conversion, as values; read from the plugin objects of a smithy-build.json."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.convert.errors import config_error
from formwork.smithy.nodes import render_node, type_name
from formwork.smithy.shape_ids import is_absolute


class MapStrategy(StrEnum):
    """The form of a map in JSON Schema."""

    PROPERTY_NAMES = "propertyNames"
    PATTERN_PROPERTIES = "patternProperties"


class UnionStrategy(StrEnum):
    """The form of a union in JSON Schema."""

    ONE_OF = "oneOf"
    OBJECT = "object"
    STRUCTURE = "structure"


class EnumStrategy(StrEnum):
    """The form of an enum in JSON Schema."""

    ENUM = "enum"
    ONE_OF = "oneOf"


class SchemaVersion(StrEnum):
    """The version of JSON Schema."""

    DRAFT07 = "draft07"
    DRAFT2020_12 = "draft2020-12"


class TimestampFormat(StrEnum):
    """The format of timestamps in JSON."""

    DATE_TIME = "date-time"
    EPOCH_SECONDS = "epoch-seconds"
    HTTP_DATE = "http-date"
    UNKNOWN = "unknown"


class JsonSchemaOptions(Struct, frozen=True, kw_only=True):
    """Options of the conversion of shapes to JSON Schema; each field is the option of the same name in camel case."""

    service: str | None = None
    alphanumeric_only_refs: bool = False
    use_json_name: bool = False
    map_strategy: MapStrategy = MapStrategy.PROPERTY_NAMES
    union_strategy: UnionStrategy = UnionStrategy.ONE_OF
    enum_strategy: EnumStrategy = EnumStrategy.ENUM
    json_schema_version: SchemaVersion = SchemaVersion.DRAFT07
    definition_pointer: str = ""
    enable_out_of_service_references: bool = False
    default_timestamp_format: TimestampFormat = TimestampFormat.DATE_TIME
    use_integer_type: bool = False
    support_non_numeric_floats: bool = False
    disable_default_values: bool = False
    disable_int_enums: bool = False
    add_reference_descriptions: bool = False
    use_inline_maps: bool = False
    disable_default_deprecated_message: bool = False
    disable_features: tuple[str, ...] = ()
    schema_document_extensions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pointer(self) -> str:
        """Where definitions are: as configured, else where the version of JSON Schema has them."""
        if self.definition_pointer:
            return self.definition_pointer
        return "#/definitions" if self.json_schema_version is SchemaVersion.DRAFT07 else "#/$defs"


class CfnOptions(Struct, frozen=True, kw_only=True):
    """Options of the conversion of resources to resource schemas, beside `json_schema`."""

    json_schema: JsonSchemaOptions
    organization_name: str | None = None
    service_name: str | None = None
    external_docs: tuple[str, ...] = (
        "Documentation Url",
        "DocumentationUrl",
        "API Reference",
        "User Guide",
        "Developer Guide",
        "Reference",
        "Guide",
    )
    source_docs: tuple[str, ...] = ("Source Url", "SourceUrl", "Source", "Source Code")
    json_add: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    disable_handler_permission_generation: bool = False
    disable_deprecated_property_generation: bool = False
    disable_required_property_generation: bool = False
    disable_capitalized_properties: bool = False
    # Not the reference's: leave out its plain bugs (docs/reference/smithy-conversion.md lists them).
    strict_spec: bool = False


_CFN_JSON_SCHEMA = JsonSchemaOptions(
    alphanumeric_only_refs=True,
    map_strategy=MapStrategy.PATTERN_PROPERTIES,
    definition_pointer="#/definitions",
    enable_out_of_service_references=True,
)

# Option, the only value it may have, and why; None: it may not be set at all.
_LOCKED: dict[str, tuple[Any, str]] = {
    "alphanumericOnlyRefs": (True, "CloudFormation Resource Schemas MUST use alphanumeric only references"),
    "useJsonName": (None, "CloudFormation Resource Schemas name properties with the @cfnName trait, never @jsonName"),
    "mapStrategy": ("patternProperties", "CloudFormation Resource Schemas require maps as `patternProperties`"),
    "unionStrategy": ("oneOf", "CloudFormation Resource Schemas require unions as `oneOf`"),
    "jsonSchemaVersion": ("draft07", "CloudFormation Resource Schemas are JSON Schema `draft07`"),
    "definitionPointer": ("#/definitions", "CloudFormation Resource Schemas have their shapes in `#/definitions`"),
}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# `extensions` is for mappers of third parties, `allowUnknownTraits` of projects with Smithy sources.
_OPTIONS = frozenset(
    _camel(each)
    for options in (JsonSchemaOptions, CfnOptions)
    for each in options.__struct_fields__
    if each not in ("json_schema", "strict_spec")
) | {"extensions", "allowUnknownTraits"}

# The keywords that can be left out of schemas.
_FEATURES = frozenset(
    {
        *("const", "default", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
        *("maxLength", "minLength", "pattern", "items", "maxItems", "minItems", "uniqueItems", "properties"),
        *("additionalProperties", "required", "maxProperties", "minProperties", "propertyNames", "allOf", "anyOf"),
        *("oneOf", "not", "title", "description", "format", "readOnly", "writeOnly", "comment", "contentEncoding"),
        *("contentMediaType", "examples", "deprecated"),
        *("type", "$ref", "patternProperties"),  # accepted and kept, as by the reference
    }
)


def read_json_schema_options(
    settings: Mapping[str, Any], *, base: JsonSchemaOptions | None = None
) -> JsonSchemaOptions:
    """Return the options in a plugin's settings.

    Raises:
        BadInputError: an option is unknown, or its value has the wrong type or is none of those the option knows.
    """
    options = base or JsonSchemaOptions()
    refuse_unknown(settings, _OPTIONS, "option")
    changes = {
        each: _read(_camel(each), settings[_camel(each)], getattr(options, each), each)
        for each in JsonSchemaOptions.__struct_fields__
        if _camel(each) in settings
    }
    refuse_unknown(changes.get("disable_features", ()), _FEATURES, "feature in `disableFeatures`")
    return replace(options, **changes)


def refuse_unknown(names: Iterable[str], known: Iterable[str], kind: str) -> None:
    """Refuse the first of `names` that is not `known`; a misspelt setting would be without effect.

    Raises:
        BadInputError: a name is unknown.
    """
    listed = sorted(known)
    for name in names:
        if name not in listed:
            close = get_close_matches(name, listed, 1)
            hint = f'write "{close[0]}"' if close else f"known are {', '.join(listed)}"
            raise config_error(f'unknown {kind}: "{name}"', hint=hint)


def read_cfn_options(settings: Mapping[str, Any], *, strict_spec: bool = False) -> CfnOptions:
    """Return the options in the settings of a `cloudformation` plugin.

    Raises:
        BadInputError: a value has the wrong type, or is one that resource schemas have no use for.
    """
    for key, (only, reason) in _LOCKED.items():
        if key in settings and (only is None or settings[key] != only):
            found = render_node(settings[key])
            raise config_error(f"{reason}, but `{key}` is set to {found}", hint=f"remove `{key}` from the settings")
    options = CfnOptions(json_schema=read_json_schema_options(settings, base=_CFN_JSON_SCHEMA), strict_spec=strict_spec)
    changes = {
        each: _read(_camel(each), settings[_camel(each)], getattr(options, each), each)
        for each in CfnOptions.__struct_fields__
        if each not in ("json_schema", "strict_spec") and _camel(each) in settings
    }
    return replace(options, **changes)


def _read(key: str, value: Any, default: Any, name: str) -> Any:  # noqa: PLR0911 - one a type of option
    match default:
        case bool():
            return _expect(key, value, bool, "a boolean")
        case StrEnum():
            kind = type(default)
            if value not in list(kind):
                known = ", ".join(f'"{each}"' for each in kind)
                raise config_error(f"`{key}` is {render_node(value)}, expected one of {known}")
            return kind(value)
        case tuple():
            items = _expect(key, value, list, "an array of strings")
            return tuple(_expect(f"{key}/{index}", each, str, "a string") for index, each in enumerate(items))
        case dict() if name == "json_add":
            return {
                shape_id: _json_add(shape_id, each) for shape_id, each in _expect(key, value, dict, "an object").items()
            }
        case dict():
            return _expect(key, value, dict, "an object")
        case _ if name == "service":
            if not is_absolute(_expect(key, value, str, "a shape id")):
                raise config_error(f"`service` is {render_node(value)}, which is not a shape id: namespace#Name")
            return value
        case _:
            return _expect(key, value, str, "a string")


def _json_add(shape_id: str, value: Any) -> dict[str, Any]:
    if not is_absolute(shape_id):
        raise config_error(f'the key "{shape_id}" of `jsonAdd` is not a shape id: namespace#Name')
    additions: dict[str, Any] = _expect(f"jsonAdd/{shape_id}", value, dict, "an object pointer → value")
    return additions


def _expect(key: str, value: Any, kind: type, description: str) -> Any:
    if not isinstance(value, kind):
        raise config_error(f"`{key}` is {type_name(value)} {render_node(value)}, expected {description}")
    return value
