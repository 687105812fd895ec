"""The treatment of each member of a request, from the tables beside the code.

A table (`members.toml`) has a section for each operation that is served, and one for each structure in its input:

    [CreateStack]
    honoured = ["StackName", "Tags"]        two requests that differ in it alone have different effects
    refused = ["…"]                         a value other than AWS's default is refused, and the refusal names it
    noted.ClientToken = "…"                 without effect on one machine, for this reason

    [shapes.Tag]                            the members of a structure, the same wherever it is in a request
    honoured = ["Key", "Value"]

A member of a structure has the structure's entry, unless the operation lists it by its path (`Tags.Key`).
"""

import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

_API = Path(__file__).parent
_STAND_INS = _API.parent / "stand_ins" / "members"

# botocore's name of a service → its table.
TABLES: Mapping[str, Path] = {
    "cloudformation": _API / "cloudformation" / "members.toml",
    "cloudcontrol": _API / "cloudcontrol" / "members.toml",
    "s3": _API / "s3" / "members.toml",
    **{name: _STAND_INS / f"{name}.toml" for name in ("sts", "iam", "logs", "ssm", "lambda")},
}


class Treatment(StrEnum):
    """How the service treats a member of a request."""

    HONOURED = "honoured"
    REFUSED = "refused"
    NOTED = "noted"


class MemberEntry(Struct, frozen=True):
    """A member's entry; `reason` says why a noted one has no effect."""

    treatment: Treatment
    reason: str = ""


class MemberTable:
    """The table of one service."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._shapes: Mapping[str, Mapping[str, Any]] = content.get("shapes", {})
        self._operations = {name: each for name, each in content.items() if name != "shapes"}

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that it lists."""
        return tuple(self._operations)

    def entry(self, operation: str, path: str, shape: str | None) -> MemberEntry | None:
        """Return the entry of a member, None if there is none; `shape` is the structure that has it."""
        found = _entry(self._operations.get(operation, {}), path)
        if found is None and shape is not None:
            found = _entry(self._shapes.get(shape, {}), path.rpartition(".")[2])
        return found

    def listed(self) -> Iterator[tuple[str, str, str]]:
        """Yield every entry: ("operation" or "shape", its name, the member's name or path)."""
        for kind, sections in ("operation", self._operations), ("shape", self._shapes):
            for name, section in sections.items():
                for path in _paths(section):
                    yield kind, name, path


def _paths(section: Mapping[str, Any]) -> list[str]:
    return [*section.get("honoured", ()), *section.get("refused", ()), *section.get("noted", {})]


def _entry(section: Mapping[str, Any], path: str) -> MemberEntry | None:
    for treatment in Treatment.HONOURED, Treatment.REFUSED:
        if path in section.get(treatment, ()):
            return MemberEntry(treatment)
    reason = section.get("noted", {}).get(path)
    return None if reason is None else MemberEntry(Treatment.NOTED, reason)


def read_table(service: str) -> MemberTable:
    """Return the table of a service."""
    return MemberTable(tomllib.loads(TABLES[service].read_text(encoding="utf-8")))


class RequestMember(Struct, frozen=True):
    """A member at any depth of a request.

    `path` has the names from the top, joined by dots; `shape` is the structure that it is in, None at the top; `inner`
    tells whether it has members itself.
    """

    path: str
    shape: str | None
    inner: bool


def request_members(shape: Any) -> Iterator[RequestMember]:
    """Yield every member of a request of that botocore shape, parents before what is in them."""
    if shape is not None:
        yield from _members(shape, "", None, ())


def _members(shape: Any, path: str, name: str | None, around: tuple[str, ...]) -> Iterator[RequestMember]:
    for member, member_shape in shape.members.items():
        at = f"{path}{member}"
        structure = _structure(member_shape)
        inner = structure is not None and structure.name not in around
        yield RequestMember(at, name, inner and bool(structure.members))
        if inner:
            yield from _members(structure, f"{at}.", structure.name, (*around, structure.name))


def _structure(shape: Any) -> Any:
    """Return the structure that a member is, or that it is a list or a map of."""
    while shape.type_name in {"list", "map"}:
        shape = shape.member if shape.type_name == "list" else shape.value
    return shape if shape.type_name == "structure" else None
