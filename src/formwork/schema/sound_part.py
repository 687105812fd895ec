"""The part of a faulty schema that the semantic rules can still judge, so that all problems are reported at once.

What the meta-schema refuses for its type is taken out or replaced by an empty value of the right one. A finding of the
rules that may only be an echo of that is dropped.

The alternatives: rules only for schemas without structural errors (two rounds of corrections), or rules that accept
values of any type (each repeats the meta-schema's checks).
"""

import copy
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Severity, get_at
from formwork.extensions import ExtensionKind
from formwork.schema.checking import POINTER_LISTS, Problem
from formwork.schema.findings import Path, SchemaViolation, list_findings
from formwork.schema.metaschemas import meta_validator

_ROUNDS = 10  # taking out one thing may show another that an alternative had hidden
# A value with such a fault has the right type, which is all that the rules rely on.
_TOLERATED = frozenset(
    {"out-of-bounds", "malformed", "bad-name", "not-allowed", "repeated-item", "forbidden", "missing-dependency"}
)
_LISTS = frozenset((each,) for each in POINTER_LISTS)
_HOLDERS = frozenset({"properties", "definitions", "patternProperties", "dependencies", "mappings"})
_EMPTY = {"an object": dict, "an array": list, "a string": str, "an integer": int, "a number": int}
_MISSING: dict[str, Any] = {
    "permissions": [],
    "taggable": True,
    "properties": {},
    "mappings": {},
    "targetNames": [],
    "additionalProperties": False,
}
# What they say is true only of a schema of which nothing was taken out.
_ABSENCE = frozenset({"schema.unused-definition"})
_POINTING = frozenset({"schema.pointer-not-found", "schema.unresolvable-ref"})


class SoundPart(Struct, frozen=True):
    """A schema value whose members all have their types.

    `taken` are the paths of what had to be taken out for that, `faulty` those of the objects with any fault at all.
    """

    value: dict[str, Any]
    taken: tuple[Path, ...]
    faulty: tuple[Path, ...]

    def is_echo(self, code: str, severity: Severity, problem: Problem) -> bool:
        """Return whether a rule's `problem` may be a mere consequence of a fault that the meta-schema reports."""
        path = problem.path
        if code in _ABSENCE or any(path[: len(each)] == each or path == each[:-1] for each in self.taken):
            return True
        if code in _POINTING:
            text = str(get_at(self.value, path))
            return any(_leads_into(text, each) for each in self.taken)
        if severity is Severity.ERROR:
            return False
        # Who reads a list of pointers sees too few in one that is faulty.
        return any(path[: len(each)] == each or each[0] in POINTER_LISTS for each in self.faulty)


def find_sound_part(value: Any, kind: ExtensionKind) -> SoundPart | None:
    """The sound part of the schema `value`, which the meta-schema of `kind` refuses; None where nothing is left."""
    if not isinstance(value, dict):
        return None
    sound, taken, faulty = copy.deepcopy(value), list[Path](), list[Path]()
    validator = meta_validator(kind)
    for _ in range(_ROUNDS):
        found = list_findings(validator.iter_errors(sound), sound)
        faulty += filter(None, (_faulty_object(each) for each in found))
        faults = [each for each in found if not _is_tolerated(each)]
        if not faults:
            if kind is ExtensionKind.RESOURCE and not sound.get("properties"):
                return None  # nothing that points to a property could be judged
            return SoundPart(sound, tuple(taken), tuple(faulty))
        taken += [_take_out(sound, each) for each in faults]
    return None


def _faulty_object(finding: SchemaViolation) -> Path:
    """Return the path of the object, or of the list of pointers, that a fault is in."""
    if finding.slug in ("missing-member", "missing-dependency") or finding.path[:1] in _LISTS:
        return finding.path
    return finding.path[:-1]


def _is_tolerated(finding: SchemaViolation) -> bool:
    if finding.slug == "missing-member":
        return not finding.path and '"properties"' not in finding.message
    return finding.slug in _TOLERATED


def _take_out(value: Any, fault: SchemaViolation) -> Path:
    """Remove the faulty part of `value`, or add a missing member; return the path of the change."""
    if fault.slug == "missing-member":
        holder = get_at(value, fault.path)
        name = next((each for each in _MISSING if f'"{each}"' in fault.message), None)
        if name is not None and isinstance(holder, dict):
            holder[name] = copy.copy(_MISSING[name])
            return (*fault.path, name)
    holder, last = get_at(value, fault.path[:-1]), fault.path[-1]
    if isinstance(holder, list):
        holder[int(last)] = _EMPTY.get(fault.expected, dict)()
    elif isinstance(holder, dict) and fault.path[-2:-1] and fault.path[-2] in _HOLDERS and not fault.key:
        holder[last] = _EMPTY.get(fault.expected, dict)()
    elif isinstance(holder, dict):
        holder.pop(last, None)
    return fault.path


def _leads_into(pointer: str, taken: Path) -> bool:
    """Return whether a property pointer or `$ref` may lead to or through the part removed at `taken`."""
    steps = [each for each in pointer.partition("#")[2].split("/") if each] or pointer.split("/")[1:]
    where = [str(each) for each in taken]
    if len(where) == 1 or where[0] not in ("properties", "definitions"):
        return where[0] in ("properties", "definitions", *steps[:1])
    through_definition = where[0] == "definitions" and steps[:1] == ["properties"] and len(steps) > 2
    return through_definition or steps[:2] == where[:2]
