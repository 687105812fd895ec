"""Seeded faults: one good resource type, one good hook, and many single changes that each put one fault in.

They stand in `golden/schema/rules/`, a folder a rule. Each entry of a folder's `faults.json` is a fault: what to `set`
and to `remove`, by JSON pointer, in the good schema called `base` (the resource type by default), and where (`at`) the
rule must report it. {"$repeat": [start, piece, times]} stands for a long text.
"""

import copy
import json
from dataclasses import dataclass
from pathlib import Path

from formwork.diagnostics import parse_pointer

RULES = Path(__file__).parents[1] / "golden" / "schema" / "rules"
GONE = type("Gone", (), {"__repr__": lambda _: "GONE"})()

RESOURCE, HOOK = (json.loads((RULES / f"{name}.json").read_text()) for name in ("resource", "hook"))


@dataclass(frozen=True)
class Fault:
    """One fault: the rule's name, the base's, the changes that put it in, and the pointer it must be reported at."""

    rule: str
    base: str
    changes: dict
    pointer: str

    @property
    def code(self):
        return f"schema.{self.rule}"

    @property
    def schema(self):
        return seed_fault(RESOURCE if self.base == "resource" else HOOK, self.changes)

    def __str__(self):
        return f"{self.rule}: {str(self.changes)[:60]}"


def read_faults(rule):
    """The faults of the rule whose folder is `rule`."""
    for entry in json.loads((rule / "faults.json").read_text(encoding="utf-8")):
        assert not entry.keys() - {"base", "set", "remove", "at"}, entry
        changes = _written_out(entry.get("set", {})) | dict.fromkeys(entry.get("remove", ()), GONE)
        yield Fault(rule.name, entry.get("base", "resource"), changes, entry["at"])


def _written_out(value):
    if isinstance(value, list):
        return [_written_out(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$repeat"}:
        start, piece, times = value["$repeat"]
        return start + piece * times
    return {name: _written_out(each) for name, each in value.items()}


FAULTS = [fault for rule in sorted(RULES.iterdir()) if rule.is_dir() for fault in read_faults(rule)]


def seed_fault(base, changes):
    """A copy of the schema `base` with the changes in it."""
    value = copy.deepcopy(base)
    for pointer, new in changes.items():
        *parents, last = parse_pointer(pointer)
        place = value
        for token in parents:
            place = place[int(token)] if isinstance(place, list) else place[token]
        if new is GONE:
            del place[last]
        else:
            place[last] = new
    return value


def lines_by_pointer(value):
    """For `json.dumps(value, indent=1)`: the line on which the member or item at each pointer begins."""
    lines, line = {}, 1

    def walk(each, tokens):
        nonlocal line
        lines["".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)] = line
        members = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for name, child in members:
            line += 1
            walk(child, [*tokens, str(name)])
        if members and len(each):
            line += 1

    walk(value, [])
    assert line == json.dumps(value, indent=1).count("\n") + 1
    return lines
