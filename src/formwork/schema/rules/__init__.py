"""The rules for schemas, one module per rule; a rule's docstring is its page in the reference.

A structure rule (`explain`) words what the meta-schema refuses; a semantic rule (`check`, or `check_node` for the
schemas that hold one of its `KEYWORDS`) looks at schemas that keep to it.

The reasons are in docs/decisions/0201.
"""

import importlib
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Any, Protocol

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, SchemaViolation


class StructureRule(Protocol):
    """A module that words one kind of meta-schema error; the first that answers does."""

    CODE: str
    SEVERITY: Severity

    def explain(self, finding: SchemaViolation, value: Any) -> SchemaViolation | None:
        """`finding` in this rule's words, or None if it is another rule's; `value` is what stands at its path."""
        ...


class SchemaRule(Protocol):
    """A module that looks at a whole schema, of its `KINDS` if it has them, else of resources and hooks."""

    CODE: str
    SEVERITY: Severity

    def check(self, checked: Checked) -> Iterator[Problem]:
        """Yield the problems of the schema."""
        ...


class NodeRule(Protocol):
    """A module that looks at each property schema with one of its keywords."""

    CODE: str
    SEVERITY: Severity
    KEYWORDS: tuple[str, ...]

    def check_node(self, checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
        """Yield the problems of `node`, the schema at `path`."""
        ...


# In the order in which they are asked; the general ones come last.
STRUCTURE = (
    "conditional_keyword",
    "mutability_keyword",
    "nested_id",
    "property_names_keyword",
    "tuple_items",
    "open_object",
    "mixed_properties",
    "legacy_identifiers",
    "enum_without_type",
    "unknown_type",
    "type_name",
    "property_name",
    "unknown_keyword",
    "missing_keyword",
    "wrong_type",
    "out_of_bounds",
    "repeated_item",
    "malformed_value",
    "value_not_allowed",
)


# What makes a schema unusable …
ERRORS = (
    "array_type",
    "conflicting_mutability",
    "reserved_remote",
    "unresolvable_ref",
    "circular_ref",
    "external_ref",
    "pointer_not_found",
    "configuration_too_large",
    "reserved_organization",
    "transform_not_text",
    "transform_syntax",
    "hook_permission",
    "hook_without_handlers",
)
# … and what is better fixed.
WARNINGS = (
    "suppression",
    "property_case",
    "insertion_order",
    "foreign_keyword",
    "hard_coded_partition",
    "long_enum",
    "non_ascii",
    "pagination_property",
    "read_only_overlap",
    "wildcard_permission",
    "undeclared_members",
    "identifier_updatable",
    "tagging_missing",
    "taggable_deprecated",
    "tag_property",
    "tagging_permissions",
    "identifier_type",
    "identifier_write_only",
    "repeated_pointer",
    "pointer_through_array",
    "required_undeclared",
    "deprecated_required",
    "handler_set",
    "update_without_properties",
    "replacement_strategy",
    "handler_permissions",
    "permission_form",
    "synchronous_timeout",
    "missing_description",
    "unused_definition",
    "non_public_leak",
    "default_invalid",
    "enum_value",
    "contradictory_bounds",
    "ref_siblings",
    "unknown_format",
    "transform_target",
    "resource_link",
    "readable_secret",
    "hook_target",
    "hook_documentation",
    "pattern_refused",
    "pattern_portability",
    "pattern_runaway",
    "pattern_never_matches",
    "example_invalid",
    "read_only_default",
    "repeated_permission",
    "array_without_items",
    "shapeless_object",
    "missing_type",
    "null_type",
    "nested_properties",
    "plain_credential",
    "tagging_contradiction",
    "dependency_undeclared",
)


# A rule that is named here is imported, and asked, only where one of these words is a keyword of the schema, at its top
# or in a part: most schemas need half of the rules, and importing one takes 0.1 ms.
NEEDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "array_type": "arrayType",
        "conflicting_mutability": "conditionalCreateOnlyProperties",
        "reserved_remote": "remote",
        "unresolvable_ref": "$ref",
        "circular_ref": "$ref",
        "external_ref": "$ref",
        "configuration_too_large": "typeConfiguration",
        "plain_credential": "typeConfiguration",
        "transform_not_text": "propertyTransform",
        "transform_syntax": "propertyTransform",
        "transform_target": "propertyTransform",
        "hard_coded_partition": "pattern",
        "long_enum": "enum",
        "enum_value": "enum const",
        "example_invalid": "examples",
        "default_invalid": "default",
        "contradictory_bounds": "minimum minLength minItems minProperties",
        "ref_siblings": "$ref",
        "unknown_format": "format",
        "pattern_refused": "pattern patternProperties",
        "pattern_portability": "pattern patternProperties",
        "pattern_runaway": "pattern patternProperties",
        "pattern_never_matches": "pattern patternProperties",
        "dependency_undeclared": "dependencies",
        "deprecated_required": "deprecatedProperties",
        "non_public_leak": "nonPublicProperties nonPublicDefinitions",
        "replacement_strategy": "replacementStrategy",
        "resource_link": "resourceLink",
        "taggable_deprecated": "taggable",
        "tag_property": "tagging",
        "tagging_permissions": "tagging",
        "tagging_contradiction": "tagging",
        "read_only_default": "default",
        "read_only_overlap": "readOnlyProperties",
        "identifier_write_only": "writeOnlyProperties",
        "unused_definition": "definitions",
        "hook_permission": "handlers",
        "hook_target": "handlers",
    }.items()
}
# The words that decide: schemas that share these have the same rules.
_SWITCHES = frozenset[str]().union(*NEEDS.values())
_KINDS = (ExtensionKind.RESOURCE, ExtensionKind.HOOK)
# They speak of one kind of extension only.
_KIND_ONLY = {name: ExtensionKind.HOOK for name in (*ERRORS, *WARNINGS) if name.startswith("hook_")}


@cache
def structure_rules() -> tuple[StructureRule, ...]:
    """Return the structure rules, imported at the first fault."""
    return tuple(_module(name) for name in STRUCTURE)


def semantic_rules(
    kind: ExtensionKind, words: AbstractSet[str], *, errors_only: bool
) -> tuple[tuple[SchemaRule, ...], dict[str, list[NodeRule]]]:
    """The rules for a schema of `kind` with the keywords `words`: for the whole, and by keyword for its parts."""
    return _load(kind, _names(kind, _SWITCHES.intersection(words), errors_only=errors_only))


@lru_cache(maxsize=4096)
def _names(kind: ExtensionKind, words: frozenset[str], *, errors_only: bool) -> tuple[str, ...]:
    return tuple(
        name
        for name in (ERRORS if errors_only else (*ERRORS, *WARNINGS))
        if _KIND_ONLY.get(name, kind) is kind and not (name in NEEDS and NEEDS[name].isdisjoint(words))
    )


@lru_cache(maxsize=4096)
def _load(kind: ExtensionKind, names: tuple[str, ...]) -> tuple[tuple[SchemaRule, ...], dict[str, list[NodeRule]]]:
    fitting = [module for module in map(_module, names) if kind in getattr(module, "KINDS", _KINDS)]
    by_keyword: dict[str, list[NodeRule]] = {}
    for module in fitting:
        for keyword in getattr(module, "KEYWORDS", ()):
            by_keyword.setdefault(keyword, []).append(module)
    return tuple(module for module in fitting if hasattr(module, "check")), by_keyword


def all_rules() -> dict[str, Any]:
    """Return every rule's module by its code, in alphabetical order."""
    modules = [_module(name) for name in (*STRUCTURE, *ERRORS, *WARNINGS)]
    return {module.CODE: module for module in sorted(modules, key=lambda module: str(module.CODE))}


def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
