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


class StructureRule(Protocol):
    """A module that words one kind of meta-schema error; the first that answers does."""

    CODE: str
    SEVERITY: Severity

    def explain(self, finding: Finding, value: Any) -> Finding | None:
        """`finding` in this rule's words, or None if it is another rule's; `value` is what stands at its path."""
        ...


class SchemaRule(Protocol):
    """A module that looks at a whole schema."""

    CODE: str
    SEVERITY: Severity

    def check(self, checked: Checked) -> Iterator[Problem]:
        """What is wrong."""
        ...


class NodeRule(Protocol):
    """A module that looks at each property schema with one of its keywords."""

    CODE: str
    SEVERITY: Severity
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


@cache
def structure_rules() -> tuple[StructureRule, ...]:
    """The structure rules, imported at the first fault."""
    return tuple(_module(name) for name in STRUCTURE)


def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
