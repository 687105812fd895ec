"""A case of policies: a document, what the rules must say of it, and where its parts are in its file."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, Location
from formwork.documents import Document
from formwork.hooks.guard.rules import RuleFile

_WRAPPED = "Resource"  # the logical id of a resource that is a file of its own


class CaseKind(StrEnum):
    """The result that a case expects of a file of rules."""

    PASS = "pass"  # noqa: S105 - not a password: no rule fails, and one or more rules pass
    FAIL = "fail"  # one or more rules fail
    EXACT = "exact"  # each named rule has the status that is named with it


class PolicyCase(Struct, frozen=True):
    """A document that the rules of `files` are tested with.

    `input` is what the rules are evaluated against; its parts are found in `document` below `prefix`, where `wrapped`
    says that the document is one resource. `expected` are statuses by rule: PASS, FAIL or SKIP.
    """

    name: str
    files: Sequence[RuleFile]
    kind: CaseKind
    document: Document
    input: Mapping[str, Any]
    expected: Mapping[str, str] = field(default_factory=dict)
    prefix: Sequence[str | int] = ()
    wrapped: bool = False

    @property
    def location(self) -> Location:
        """Where the case begins."""
        return self.document.locate(self.prefix)

    def locate(self, tokens: Sequence[str | int]) -> Location:
        """Return the location of a part of the input; for an absent part that of the nearest parent."""
        return self.document.locate(self.tokens(tokens))

    def tokens(self, tokens: Sequence[str | int]) -> Sequence[str | int]:
        """Return the path in the document of a path in the input."""
        return (*self.prefix, *(tokens[2:] if self.wrapped else tokens))

    def locate_expectation(self, rule: str) -> Location:
        """Return the location of the expectation for a rule in the case's file."""
        if self.kind is CaseKind.EXACT:
            return self.document.locate((*self.prefix[:-1], "expectations", "rules", rule))
        return self.location

    def find(self, resource: str | None, path: str | None) -> Sequence[str | int]:
        """Return the path in the input of a property below a resource, as findings name it."""
        if resource is None:
            return ()
        tokens: list[str | int] = ["Resources", resource]
        value: Any = self.input.get("Resources", {}).get(resource)
        parts = path.split(".") if path else []
        while parts:
            taken = _longest_key(value, parts)
            if taken is None:
                break
            key, count = taken
            tokens.append(key)
            value = value[key]
            del parts[:count]
        return tokens


def read_case(document: Document, files: Sequence[RuleFile], expected: Mapping[str, str], kind: CaseKind) -> PolicyCase:
    """Return the case of a file with a template or one resource.

    Raises:
        BadInputError: the file has neither.
    """
    value = document.value
    if isinstance(value, Mapping) and ("Resources" in value or "HookContext" in value):
        return PolicyCase(document.name, files, kind, document, value, expected)
    if isinstance(value, Mapping) and isinstance(value.get("Type"), str):
        wrapped = {"Resources": {_WRAPPED: value}}
        return PolicyCase(document.name, files, kind, document, wrapped, expected, wrapped=True)
    raise BadInputError.of(
        "policy.case",
        f'"{document.name}" is not a case',
        location=document.locate(),
        expected="a template with Resources, or one resource with Type and Properties",
    )


def _longest_key(value: Any, parts: Sequence[str]) -> tuple[str | int, int] | None:
    """Return the member that begins the path, and how many parts its name has: names may have dots."""
    if isinstance(value, list):
        index = int(parts[0]) if parts[0].isdecimal() else -1
        return (index, 1) if 0 <= index < len(value) else None
    if isinstance(value, Mapping):
        for count in range(len(parts), 0, -1):
            if (key := ".".join(parts[:count])) in value:
                return key, count
    return None
