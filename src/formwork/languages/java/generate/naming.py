"""What Java calls things: packages, classes of targets, fields; and the names that it keeps for itself."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.model.naming import as_identifier

KEYWORDS = frozenset(
    {
        "_",
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    }
)

# Simple names that files of the same package use, whether this schema makes them or not: a model's name must not
# depend on what else is in the schema. Other names of java.lang stay free: existing code counts on a model's own name.
RESERVED_MODEL_NAMES = frozenset(
    {
        "AbstractTestBase",
        "AllArgsConstructor",
        "ArrayList",
        "BaseConfiguration",
        "BaseHandler",
        "BaseHandlerStd",
        "BaseHookConfiguration",
        "BaseHookHandler",
        "BaseHookHandlerStd",
        "Boolean",
        "Builder",
        "CallbackContext",
        "ClientBuilder",
        "Configuration",
        "CreateHandler",
        "Data",
        "DeleteHandler",
        "Double",
        "EqualsAndHashCode",
        "Exception",
        "HandlerWrapper",
        "HandlerWrapperExecutable",
        "HookHandlerWrapper",
        "HookHandlerWrapperExecutable",
        "HookInputModel",
        "Integer",
        "JSONObject",
        "JsonAnyGetter",
        "JsonAnySetter",
        "JsonAutoDetect",
        "JsonIgnore",
        "JsonProperty",
        "LinkedHashMap",
        "List",
        "ListHandler",
        "Long",
        "Map",
        "NoArgsConstructor",
        "Object",
        "Override",
        "PreCreateHookHandler",
        "PreDeleteHookHandler",
        "PreUpdateHookHandler",
        "ReadHandler",
        "ResourceHookTarget",
        "Set",
        "String",
        "System",
        "TagHelper",
        "ToString",
        "Translator",
        "TypeReference",
        "UnsupportedOperationException",
        "UpdateHandler",
    }
)

# Lombok's builder would have no build() beside a field of that name.
_RESERVED_FIELDS = frozenset({"build"})
# What the root's own methods, and those of the runtime's base class of targets, would take for getters of theirs.
ROOT_FIELDS = frozenset({"primaryIdentifier", "additionalIdentifiers"})
TARGET_FIELDS = ROOT_FIELDS | {"properties", "additionalProperties", "hookTargetType", "targetSchema"}


def default_namespace(type_name: str) -> tuple[str, ...]:
    """`("com", "acme", "store", "thing")`; Amazon's own types are `software.amazon` ones."""
    organization, *rest = (each.lower() for each in type_name.split("::"))
    start = ("software", "amazon") if organization == "aws" else ("com", organization)
    return tuple(package_segment(each) for each in (*start, *rest))


def namespace_of(type_name: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The package that the project's settings name; the default one where they name none.

    Raises:
        BadInputError: they name what is no package.
    """
    given = settings.get("namespace")
    if not given:
        return default_namespace(type_name)
    parts = given.split(".") if isinstance(given, str) else given
    if isinstance(parts, Sequence) and all(isinstance(each, str) for each in parts) and is_package(".".join(parts)):
        return tuple(parts)
    raise BadInputError.of(
        "generate.namespace",
        "the namespace in the settings is no name of a Java package",
        expected='"namespace" in the settings of .rpdk-config, such as ["com", "acme", "store"]',
    )


def package_segment(text: str) -> str:
    """`text` as one part of a package's name: `new_`, `_1password`."""
    segment = as_identifier(text)
    segment = segment if segment[:1].isalpha() else f"_{segment.lstrip('_')}"
    return f"{segment}_" if segment in KEYWORDS else segment


def is_package(name: str) -> bool:
    """Whether `name` can be declared as a package."""
    return all(each.isidentifier() and each.isascii() and each not in KEYWORDS for each in name.split("."))


def target_class(type_name: str) -> str:
    """`AwsS3Bucket`, `AwsAutoscalingLaunchconfiguration`: the class of a target's properties."""
    return "".join(as_identifier(each[:1].upper() + each[1:].lower()) for each in type_name.split("::"))


def target_package(type_name: str) -> tuple[str, ...]:
    """`("model", "aws", "s3", "bucket")`: where a target's classes are, below the hook's package."""
    return ("model", *(package_segment(each.lower()) for each in type_name.split("::")))


def name_fields(types: Mapping[str, str], *, reserved: Collection[str]) -> dict[str, str]:
    """The field of each property, of which `types` has name and Java type: the name with a small first letter.

    All are different even without regard to case: Lombok takes `getFoobar` for the getter of `fooBar` too.
    """
    fields: dict[str, str] = {}
    taken = {each.lower() for each in (*KEYWORDS, *_RESERVED_FIELDS, *reserved)}
    # Names that can stay as they are choose first: `class` becomes class_, unless class_ is a property itself.
    for name in sorted(types, key=lambda each: _plain_field(each).lower() in taken):
        plain = _plain_field(name)
        # A builder's method equals(Object) would be no equals.
        candidate = "equals_" if plain == "equals" and types[name] == "Object" else plain
        number = 1
        while candidate.lower() in taken:
            candidate = f"{plain}_" if number == 1 else f"{plain}_{number}"
            number += 1
        fields[name] = candidate
        taken.add(candidate.lower())
    return fields


def _plain_field(name: str) -> str:
    identifier = as_identifier(name)
    if not identifier[:1].isalpha():
        return f"_{identifier.lstrip('_')}"
    return identifier[0].lower() + identifier[1:]
