"""The rules for schemas, one file each; a rule's docstring is its page in the reference.

A structure rule (`explain`) words what the meta-schema refuses; a semantic rule (`check`, or `check_node` for the
schemas that hold one of its `KEYWORDS`) looks at schemas that keep to it.
"""

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Protocol

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Finding, Path
from formwork.schema.metaschemas import Kind


class StructureRule(Protocol):
    """A module that words one kind of meta-schema error; the first that answers does."""

    CODE: str
    SEVERITY: Severity

    def explain(self, finding: Finding, value: Any) -> Finding | None:
        """`finding` in this rule's words, or None if it is another rule's; `value` is what stands at its path."""
        ...


class SchemaRule(Protocol):
    """A module that looks at a whole schema of one of its `KINDS`."""

    CODE: str
    SEVERITY: Severity
    KINDS: tuple[Kind, ...]

    def check(self, checked: Checked) -> Iterator[Problem]:
        """What is wrong."""
        ...


class NodeRule(Protocol):
    """A module that looks at each property schema with one of its keywords."""

    CODE: str
    SEVERITY: Severity
    KINDS: tuple[Kind, ...]
    KEYWORDS: tuple[str, ...]

    def check_node(self, checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
        """What is wrong with `node`, which stands at `path`."""
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
# … and what is better mended.
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


@cache
def structure_rules() -> tuple[StructureRule, ...]:
    """The structure rules, imported at the first fault."""
    return tuple(_module(name) for name in STRUCTURE)


@cache
def semantic_rules(kind: Kind, *, errors_only: bool) -> tuple[tuple[SchemaRule, ...], dict[str, list[NodeRule]]]:
    """The rules for schemas of `kind`: those that look at the whole, and by keyword those that look at its parts."""
    modules = [_module(name) for name in (ERRORS if errors_only else (*ERRORS, *WARNINGS))]
    fitting = [module for module in modules if kind in module.KINDS]
    by_keyword: dict[str, list[NodeRule]] = {}
    for module in fitting:
        for keyword in getattr(module, "KEYWORDS", ()):
            by_keyword.setdefault(keyword, []).append(module)
    return tuple(module for module in fitting if hasattr(module, "check")), by_keyword


def all_rules() -> dict[str, Any]:
    """Every rule's module by its code, in alphabetical order."""
    modules = [_module(name) for name in (*STRUCTURE, *ERRORS, *WARNINGS)]
    return {module.CODE: module for module in sorted(modules, key=lambda module: str(module.CODE))}


def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
