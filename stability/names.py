"""The exported names with their signatures, read from the source without importing it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import griffe

ROOT = Path(__file__).resolve().parent.parent
NOTED = Path(__file__).with_name("api.json")
MODULES = ("contract", "generate", "package", "registry", "schema", "smithy", "stacks", "testing")
_ENUMERATIONS = {"Enum", "StrEnum", "IntEnum"}
_STRUCT = "Struct"  # msgspec's, which no user relies on (docs/decisions/1361)

# A function has parameters, a class members, an attribute an annotation or a value: all as texts.
Noted: TypeAlias = dict[str, Any]


def read_names(root: Path = ROOT) -> dict[str, Noted]:
    """Return the exported names by module, each with what users can rely on."""
    package = griffe.GriffeLoader(search_paths=[root / "src"]).load("formwork")
    listed = set(re.findall(r"`(\w+)`", (root / "docs/reference/api/testing.md").read_text(encoding="utf-8")))
    found: dict[str, Noted] = {}
    for name in MODULES:
        module = package[name]
        members = {exported: _noted(module[exported], values=True) for exported in sorted(map(str, module.exports))}
        found[f"formwork.{name}"] = _only(members, listed) if name == "testing" else members
    return found


def render(names: dict[str, Noted]) -> str:
    """Return the text of `api.json`."""
    return json.dumps(names, indent=1, ensure_ascii=False) + "\n"


def _only(members: Noted, listed: set[str]) -> Noted:
    """Return the exported names with those members of classes that their page lists."""
    chosen = {}
    for name, each in members.items():
        kept = {member: value for member, value in each.get("members", {}).items() if member in {*listed, "__init__"}}
        chosen[name] = {**each, "members": kept} if "members" in each else each
    return chosen


def _noted(found: griffe.Object | griffe.Alias, *, values: bool) -> Noted:
    target = found.final_target if isinstance(found, griffe.Alias) else found
    if isinstance(target, griffe.Function):
        parameters = [
            {
                "name": each.name,
                "kind": each.kind and each.kind.value,
                **_texts(annotation=each.annotation, default=each.default),
            }
            for each in target.parameters
        ]
        return {"parameters": parameters, **_texts(returns=target.returns)}
    if isinstance(target, griffe.Class):
        bases = [str(each) for each in target.bases if str(each) != _STRUCT]
        members = dict(_members(target, values=bool(_ENUMERATIONS & set(bases))))
        if _is_struct(target):
            members["__init__"] = _struct_constructor(target)
        return {"bases": bases, "members": dict(sorted(members.items()))}
    assert isinstance(target, griffe.Attribute), target.path
    return _texts(annotation=target.annotation, value=target.value if values else None)


def _members(target: griffe.Class, *, values: bool) -> Iterator[tuple[str, Noted]]:
    for name, each in sorted(target.all_members.items()):
        if name == "__init__" or not name.startswith("_"):
            yield name, _noted(each, values=values)


def _is_struct(target: griffe.Class) -> bool:
    return any(str(each) == _STRUCT for parent in (target, *target.mro()) for each in parent.bases)


def _struct_constructor(target: griffe.Class) -> Noted:
    """Return the constructor that msgspec makes of the fields; griffe knows those of dataclasses only."""
    fields: dict[str, Noted] = {}
    for each in (*reversed(target.mro()), target):
        kind = "keyword-only" if str(each.keywords.get("kw_only")) == "True" else "positional or keyword"
        fields |= {name: {"name": name, "kind": kind, **_field(field)} for name, field in _fields(each)}
    return {
        "parameters": [
            {"name": "self", "kind": "positional or keyword"},
            *sorted(fields.values(), key=lambda each: each["kind"] == "keyword-only"),
        ],
        "returns": "None",
    }


def _fields(target: griffe.Class) -> Iterator[tuple[str, griffe.Attribute]]:
    for name, each in target.members.items():
        if isinstance(each, griffe.Attribute) and each.annotation and "instance-attribute" in each.labels:
            yield name, each


def _field(attribute: griffe.Attribute) -> dict[str, str]:
    made = re.fullmatch(r"field\(default_factory=(.*)\)", str(attribute.value))
    return _texts(annotation=attribute.annotation, default=f"{made[1]}()" if made else attribute.value)


def _texts(**values: object) -> dict[str, str]:
    return {name: str(each) for name, each in values.items() if each is not None}
