"""What cases cover of Guard rules: rules that passed and failed, blocks that were entered, checks that failed.

The engine reports failed checks by their messages. A copy of each rule has a label in place of each message, and a
check that always fails at the beginning of each block: the labels that it reports are what was reached.
"""

import functools
import zlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.hooks.guard.labelled import TooManyCallsError, copy_with_labels
from formwork.hooks.guard.rules import GuardFinding, RuleFile, find_failures
from formwork.hooks.guard.structure import (
    CheckKind,
    GuardCheck,
    GuardRule,
    GuardStructure,
)
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure

_CHECK, _BLOCK = "check:", "block:"


class GapKind(StrEnum):
    """The kind of a gap: a behaviour of rules that no case covers."""

    NEVER_PASSED = "the rule never passed"
    NEVER_FAILED = "the rule never failed"
    NEVER_ENTERED = "never entered"
    CHECK_NEVER_FAILED = "never failed"
    UNKNOWN = "the coverage is not known"


_SHOWN = {"PASS": GapKind.NEVER_PASSED, "FAIL": GapKind.NEVER_FAILED}


class CoverageGap(Struct, frozen=True):
    """A part of a rule that no case covers; `source` is the part as it is written."""

    kind: GapKind
    file: str
    line: int
    rule: str
    source: str


class RuleCoverage(Struct, frozen=True):
    """The coverage of a rule file: counts of its parts, and the parts that are not covered.

    `passed` and `failed` count rules, `entered` blocks, `refused` checks that failed.
    """

    file: str
    rules: int
    passed: int
    failed: int
    blocks: int
    entered: int
    checks: int
    refused: int
    gaps: Sequence[CoverageGap]


class ReachedParts(Struct, frozen=True):
    """Offsets of the checks that failed and of the blocks that were entered, in one case or in several."""

    checks: AbstractSet[int] = frozenset()
    blocks: AbstractSet[int] = frozenset()

    def __or__(self, other: "ReachedParts") -> "ReachedParts":
        return ReachedParts(self.checks | other.checks, self.blocks | other.blocks)


class LabelledRules(Struct, frozen=True):
    """The structure of a rule file, and its labelled copy, whose findings show which parts were reached."""

    structure: GuardStructure
    file: RuleFile
    copies: AbstractSet[str]


def find_reached(files: Sequence[RuleFile], document: Mapping[str, Any]) -> list[ReachedParts]:
    """Return the parts of each file that the evaluation of a document reaches.

    Raises:
        GuardRulesError: a file can't be evaluated.
    """
    labelled = [label_rules(each) for each in files]
    known = [each.file for each in labelled if each is not None]
    found = find_failures(known, document) if known else []
    return [ReachedParts() if each is None else _reached(each, found) for each in labelled]


def _reached(labelled: LabelledRules, found: Sequence[GuardFinding]) -> ReachedParts:
    labels = {each.message for each in found if each.rule in labelled.copies}
    return ReachedParts(_offsets(labels, _CHECK), _offsets(labels, _BLOCK))


@functools.lru_cache(256)
def label_rules(file: RuleFile) -> LabelledRules | None:
    """Return the file with labels that show which parts a document reaches; None if its structure is not understood."""
    tag = f"{zlib.crc32(file.name.encode()):08x}_"
    try:
        structure = read_structure(file.content)
        copy = copy_with_labels(structure, _label, lambda block: f"{_BLOCK}{block.start}", tag=tag)
    except (GuardStructureError, TooManyCallsError):
        return None
    return LabelledRules(structure, RuleFile(file.name, copy.text), frozenset(copy.copies))


def rule_names(file: RuleFile) -> list[str]:
    """Return the names of the rules of a file that take no parameters, as far as its structure is understood."""
    labelled = label_rules(file)
    return [] if labelled is None else [each.name for each in labelled.structure.rules if each.parameters is None]


def cover(file: RuleFile, statuses: Mapping[str, AbstractSet[str]], reached: ReachedParts) -> RuleCoverage:
    """Return the coverage of a file from the statuses of its rules and the parts that the cases reached."""
    labelled = label_rules(file)
    if labelled is None:
        return RuleCoverage(file.name, 0, 0, 0, 0, 0, 0, 0, [CoverageGap(GapKind.UNKNOWN, file.name, 1, "", "")])
    structure = labelled.structure
    named = [each for each in structure.rules if each.parameters is None]
    parts = [(each, part) for each in structure.rules for part in _parts(each.body.checks, each.body.start)]
    gaps = [gap for rule in named for gap in _rule_gaps(structure, file, rule, statuses, reached)]
    for rule, part in parts:
        kind = _missing(part, reached)
        if kind is not None:
            line = structure.line(part.check.start)
            gaps.append(CoverageGap(kind, file.name, line, rule.name, structure.source(part.check)))
    for alternatives in structure.clauses[:1]:
        first = alternatives[0]
        gaps.append(CoverageGap(GapKind.UNKNOWN, file.name, structure.line(first.start), "", structure.source(first)))
    opened = [part for _, part in parts if part.opens is not None]
    checks = [part for _, part in parts if part.opens is None]
    return RuleCoverage(
        file.name,
        len(named),
        sum("PASS" in statuses.get(each.name, ()) for each in named),
        sum("FAIL" in statuses.get(each.name, ()) for each in named),
        len(opened),
        sum(each.opens in reached.blocks for each in opened),
        len(checks),
        sum(each.check.start in reached.checks for each in checks),
        sorted(gaps, key=lambda each: each.line),
    )


class _Part(Struct, frozen=True):
    """A check that can be seen to fail in the block at `within`, or a block `opens` that can be seen to be entered."""

    check: GuardCheck
    within: int
    opens: int | None = None


def _parts(checks: Sequence[Sequence[GuardCheck]], within: int) -> Iterator[_Part]:
    for alternatives in checks:
        first = alternatives[0]
        if len(alternatives) > 1:  # one check: the engine reports alternatives together
            yield _Part(first, within)
        elif first.body is None:
            if first.kind is not CheckKind.CALL or first.negated:  # what fails of a call is in the rule that it calls
                yield _Part(first, within)
        elif first.body.start < 0:
            yield from _parts(first.body.checks, within)
        else:
            yield _Part(first, within, first.body.start)
            yield from _parts(first.body.checks, first.body.start)


def _missing(part: _Part, reached: ReachedParts) -> GapKind | None:
    if part.within not in reached.blocks:
        return None  # the block around it is what is missing
    if part.opens is not None:
        return None if part.opens in reached.blocks else GapKind.NEVER_ENTERED
    return None if part.check.start in reached.checks else GapKind.CHECK_NEVER_FAILED


def _rule_gaps(
    structure: GuardStructure,
    file: RuleFile,
    rule: GuardRule,
    statuses: Mapping[str, AbstractSet[str]],
    reached: ReachedParts,
) -> Iterator[CoverageGap]:
    seen = statuses.get(rule.name, frozenset())
    missing = [kind for status, kind in _SHOWN.items() if status not in seen]
    if rule.body.start not in reached.blocks:
        missing = [GapKind.NEVER_ENTERED]
    for kind in missing:
        yield CoverageGap(kind, file.name, structure.line(rule.start), rule.name, structure.head(rule))


def _label(check: GuardCheck, calls: Sequence[GuardCheck]) -> str:  # noqa: ARG001 - calls share a label
    return f"{_CHECK}{check.start}"


def _offsets(labels: AbstractSet[str], kind: str) -> AbstractSet[int]:
    return {int(each.removeprefix(kind)) for each in labels if each.startswith(kind)}
