"""Names in Java: packages, classes of targets, fields; and reserved names."""

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

# Simple names that files of the same package may use. They are reserved for all schemas, so that a model's name does
# not depend on the rest of the schema. Other names of java.lang are allowed, as existing code uses them for models.
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

# With a field of this name, Lombok's builder would lack its method build().
_RESERVED_FIELDS = frozenset({"build"})
# Fields whose getters would conflict with methods of the root, or of the runtime's base class of targets.
ROOT_FIELDS = frozenset({"primaryIdentifier", "additionalIdentifiers"})
TARGET_FIELDS = ROOT_FIELDS | {"properties", "additionalProperties", "hookTargetType", "targetSchema"}


def default_namespace(type_name: str) -> tuple[str, ...]:
    """Return such as `("com", "acme", "store", "thing")`; types of Amazon are in `software.amazon`."""
    organization, *rest = (each.lower() for each in type_name.split("::"))
    start = ("software", "amazon") if organization == "aws" else ("com", organization)
    return tuple(package_segment(each) for each in (*start, *rest))


def namespace_of(type_name: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the package in the project's settings, or the default one.

    Raises:
        BadInputError: the settings contain an invalid package.
    """
    given = settings.get("namespace")
    if not given:
        return default_namespace(type_name)
    parts = given.split(".") if isinstance(given, str) else given
    if isinstance(parts, Sequence) and all(isinstance(each, str) for each in parts) and is_package(".".join(parts)):
        return tuple(parts)
    raise BadInputError.of(
        "generate.namespace",
        "the namespace in the settings is not a name of a Java package",
        expected='"namespace" in the settings of .rpdk-config, such as ["com", "acme", "store"]',
    )


def package_segment(text: str) -> str:
    """Return `text` as one part of a package's name: `new_`, `_1password`."""
    segment = as_identifier(text)
    segment = segment if segment[:1].isalpha() else f"_{segment.lstrip('_')}"
    return f"{segment}_" if segment in KEYWORDS else segment


def is_package(name: str) -> bool:
    """Return whether `name` can be declared as a package."""
    return all(each.isidentifier() and each.isascii() and each not in KEYWORDS for each in name.split("."))


def target_class(type_name: str) -> str:
    """Return the class of a target's properties: `AwsS3Bucket`, `AwsAutoscalingLaunchconfiguration`."""
    return "".join(as_identifier(each[:1].upper() + each[1:].lower()) for each in type_name.split("::"))


def target_package(type_name: str) -> tuple[str, ...]:
    """Return the package of a target's classes below the hook's package: `("model", "aws", "s3", "bucket")`."""
    return ("model", *(package_segment(each.lower()) for each in type_name.split("::")))


def name_fields(types: Mapping[str, str], *, reserved: Collection[str]) -> dict[str, str]:
    """Return the field of each property; `types` is property name → Java type. The first letter becomes lower case.

    Fields differ even ignoring case, since Lombok also uses `getFoobar` as the getter of `fooBar`.
    """
    fields: dict[str, str] = {}
    taken = {each.lower() for each in (*KEYWORDS, *_RESERVED_FIELDS, *reserved)}
    # Names that can stay unchanged are assigned first: `class` becomes class_, unless class_ is a property itself.
    for name in sorted(types, key=lambda each: _plain_field(each).lower() in taken):
        plain = _plain_field(name)
        # A builder's method equals(Object) would conflict with Object.equals.
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
