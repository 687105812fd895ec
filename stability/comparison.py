"""Incompatible changes between two states of the exported names, and which of them the changelog announces."""

import re
from collections.abc import Iterator

import griffe

from stability.names import Noted

_UNRELEASED = re.compile(r"^## \[Unreleased\]$(.*?)(?=^## \[|\Z)", re.DOTALL | re.MULTILINE)
_BREAKING = re.compile(r"^### Breaking$(.*?)(?=^### |\Z)", re.DOTALL | re.MULTILINE)


def find_breaks(before: dict[str, Noted], after: dict[str, Noted]) -> Iterator[tuple[str, str]]:
    """Yield the path of each name that was changed incompatibly, and how."""
    for module, names in before.items():
        if module not in after:
            yield module, "the module was removed"
            continue
        for each in griffe.find_breaking_changes(_module(module, names), _module(module, after[module])):
            values = ", ".join(_shown(value) for value in (each.old_value, each.new_value))
            yield each.obj.path, f"{each.kind.value}: {values}"
        yield from _changed_values(module, names, after[module])


def _changed_values(path: str, before: Noted, after: Noted) -> Iterator[tuple[str, str]]:
    """Yield the members of enumerations that have another value, which griffe does not compare."""
    for name in before.keys() & after.keys():
        old, new = (each[name].get("members", {}) for each in (before, after))
        for member in sorted(old.keys() & new.keys()):
            values = [each[member].get("value") for each in (old, new)]
            if values[0] is not None and values[0] != values[1]:
                yield f"{path}.{name}.{member}", f"the value was changed: {values[0]}, {values[1]}"


def announced_names(changelog: str) -> set[str]:
    """Return the names in backticks below "Breaking" of the unreleased changes."""
    found = _UNRELEASED.search(changelog)
    section = _BREAKING.search(found[1]) if found else None
    return set(re.findall(r"`(formwork\.[\w.]+)`", section[1])) if section else set()


def is_announced(path: str, announced: set[str]) -> bool:
    """Return whether a name, or the one that it belongs to, is announced."""
    return any(path == each or path.startswith(f"{each}.") for each in announced)


def _shown(value: object) -> str:
    name = getattr(value, "name", None)
    return str(value if name is None else name)


def _module(name: str, names: Noted) -> griffe.Module:
    module = griffe.Module(name)
    module.exports = list(names)
    for member, noted in names.items():
        module.set_member(member, _object(member, noted))
    return module


def _object(name: str, noted: Noted) -> griffe.Function | griffe.Class | griffe.Attribute:
    if "parameters" in noted:
        parameters = (
            griffe.Parameter(
                each["name"],
                annotation=each.get("annotation"),
                kind=griffe.ParameterKind(each["kind"]),
                default=each.get("default"),
            )
            for each in noted["parameters"]
        )
        return griffe.Function(name, parameters=griffe.Parameters(*parameters), returns=noted.get("returns"))
    if "members" in noted:
        made = griffe.Class(name, bases=noted["bases"])
        for member, each in noted["members"].items():
            made.set_member(member, _object(member, each))
        return made
    return griffe.Attribute(name, annotation=noted.get("annotation"), value=noted.get("value"))
