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
        bases = [str(each) for each in target.bases]
        enumeration = bool(_ENUMERATIONS & set(bases))
        return {"bases": bases, "members": dict(_members(target, values=enumeration))}
    assert isinstance(target, griffe.Attribute), target.path
    return _texts(annotation=target.annotation, value=target.value if values else None)


def _members(target: griffe.Class, *, values: bool) -> Iterator[tuple[str, Noted]]:
    for name, each in sorted(target.all_members.items()):
        if name == "__init__" or not name.startswith("_"):
            yield name, _noted(each, values=values)


def _texts(**values: object) -> dict[str, str]:
    return {name: str(each) for name, each in values.items() if each is not None}
