"""One class per model: fields, and the builder, constructors, accessors and equality that Lombok generates.

Existing handlers were written for classes of this form, so that the names of fields (and with them of the accessors)
and the annotations must not change.

The reasons are in docs/decisions/0305 and 1130.
"""

from collections.abc import Mapping

from msgspec import Struct

from formwork.languages.java.generate.fields import Field, fields_of
from formwork.languages.java.generate.identifiers import IdentifierMembers, identifier_members
from formwork.languages.java.generate.naming import ROOT_FIELDS, TARGET_FIELDS
from formwork.languages.java.generate.text import header, javadoc, literal
from formwork.model import ObjectModel, TypeModel

# Coverage gates of projects ignore code with this mark; the models contain only Lombok's methods.
_GENERATED = "    @lombok.Generated"
# A constructor takes at most 255 parameters, including `this`.
_MOST_FIELDS = 250

_NAMES = {
    "JsonAnyGetter": "com.fasterxml.jackson.annotation",
    "JsonAnySetter": "com.fasterxml.jackson.annotation",
    "JsonAutoDetect": "com.fasterxml.jackson.annotation",
    "JsonIgnore": "com.fasterxml.jackson.annotation",
    "JsonProperty": "com.fasterxml.jackson.annotation",
    "LinkedHashMap": "java.util",
    "ArrayList": "java.util",
    "List": "java.util",
    "Map": "java.util",
    "Set": "java.util",
    "AllArgsConstructor": "lombok",
    "Builder": "lombok",
    "Data": "lombok",
    "EqualsAndHashCode": "lombok",
    "NoArgsConstructor": "lombok",
    "ToString": "lombok",
    "JSONObject": "org.json",
    "ResourceHookTarget": "software.amazon.cloudformation.proxy.hook.targetmodel",
}


class Place(Struct, frozen=True, kw_only=True):
    """The package of generated classes, and the type of their schema."""

    package: str
    type_name: str


def render_model(model: ObjectModel, types: TypeModel, place: Place, *, root: bool = False, target: str = "") -> str:
    """Return the source of one class.

    Args:
        model: the model.
        types: the type model, for the identifiers of a root.
        place: package and type.
        root: whether it is the type's own model, with the type's name and its identifiers.
        target: for the properties of a hook's target, the file of the target's schema on the class path.
    """
    reserved = TARGET_FIELDS if target else ROOT_FIELDS if root else frozenset[str]()
    fields = fields_of(model, package=place.package, reserved=reserved)
    keeps_unnamed = not model.closed and not root and not target
    body: list[str] = []
    if root:
        body += [f"    public static final String TYPE_NAME = {literal(types.type_name)};", ""]
    identifiers = identifier_members(types, reserved=reserved) if root else IdentifierMembers([], [])
    body += identifiers.constants
    for each in fields.values():
        body += _field(each)
    body += identifiers.methods
    if target:
        body += _target_members(target)
    if keeps_unnamed:
        body += _unnamed({each.name for each in fields.values()})
    lines = [
        *javadoc(model.description or f"The object {model.name} of the schema.", ""),
        *_annotations(model, _hidden(fields), to_builder=root and not target, extends=bool(target)),
        f"public class {model.name}{' extends ResourceHookTarget' if target else ''} {{",
        *(body[:-1] if body and not body[-1] else body),
        "}",
    ]
    return compilation_unit(place, lines)


def compilation_unit(place: Place, lines: list[str], names: dict[str, str] | None = None) -> str:
    """Return a file with these lines and imports for the known names in them."""
    known = names or _NAMES
    words = set(_words("\n".join(each for each in lines if not each.lstrip().startswith(("*", "/**")))))
    imports = sorted(f"import {package}.{name};" for name, package in known.items() if name in words)
    parts = [header(place.type_name), f"package {place.package};", *(["\n".join(imports)] if imports else [])]
    return parts[0] + "\n" + "\n\n".join([*parts[1:], "\n".join(lines)]) + "\n"


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() or each in "_." else " " for each in text).replace(".", " ").split()


def _hidden(fields: Mapping[str, Field]) -> list[str]:
    """Return the annotation that excludes secret fields from logs, on the class as Lombok before 1.16.22 needs it."""
    return [each.name for each in fields.values() if each.of.write_only]


def _annotations(model: ObjectModel, hidden: list[str], *, to_builder: bool, extends: bool) -> list[str]:
    lines = ["@Data"]
    builder = "@Builder(toBuilder = true)" if to_builder else "@Builder"
    if len(model.properties) <= _MOST_FIELDS:
        lines.append(builder)
        # Without fields, both constructors would be the same.
        lines += ["@AllArgsConstructor"] if model.properties else []
    lines.append("@NoArgsConstructor")
    exclude = [f"exclude = {{{', '.join(literal(each) for each in hidden)}}}"] if hidden else []
    if extends:
        lines.append("@EqualsAndHashCode(callSuper = false)")
    if extends or exclude:
        lines.append(f"@ToString({', '.join([*(['callSuper = false'] if extends else []), *exclude])})")
    return [
        *lines,
        "@JsonAutoDetect(",
        "    fieldVisibility = JsonAutoDetect.Visibility.ANY,",
        "    getterVisibility = JsonAutoDetect.Visibility.NONE,",
        "    isGetterVisibility = JsonAutoDetect.Visibility.NONE,",
        "    setterVisibility = JsonAutoDetect.Visibility.NONE)",
    ]


def _field(field: Field) -> list[str]:
    lines = javadoc(field.of.description, "    ")
    return [*lines, f"    @JsonProperty({literal(field.of.name)})", f"    private {field.type} {field.name};", ""]


def _unnamed(taken: set[str]) -> list[str]:
    """Return the member for properties that the schema allows without naming them."""
    field = next(
        each for each in ("unnamedProperties", "unnamedProperties_", "_unnamedProperties") if each not in taken
    )
    return [
        "    /** Properties that the schema allows without naming them. */",
        "    @JsonIgnore",
        # Static analysis in projects' builds refuses getters that return mutable objects.
        "    @lombok.Getter(lombok.AccessLevel.NONE)",
        f"    private final Map<String, Object> {field} = new LinkedHashMap<>();",
        "",
        _GENERATED,
        "    @JsonAnySetter",
        "    public void setUnnamedProperty(final String name, final Object value) {",
        f"        {field}.put(name, value);",
        "    }",
        "",
        _GENERATED,
        "    @JsonAnyGetter",
        "    public Map<String, Object> allUnnamedProperties() {",
        f"        return java.util.Collections.unmodifiableMap({field});",
        "    }",
        "",
    ]


def _target_members(schema_file: str) -> list[str]:
    return [
        "    @JsonIgnore",
        "    @Override",
        "    public JSONObject targetSchemaJSONObject() {",
        # Not stored in the base class's field, since callers could change it for each other.
        f"        return loadSchema({literal(schema_file)});",
        "    }",
        "",
        "    @JsonIgnore",
        "    @Override",
        "    public Boolean hasDefinedSchema() {",
        "        return true;",
        "    }",
        "",
        "    @JsonIgnore",
        "    @Override",
        "    public Boolean isCloudFormationRegistryType() {",
        "        return true;",
        "    }",
        "",
    ]
