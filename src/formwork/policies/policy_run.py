"""Runs the cases of a policy project: what differs from their expectations, coverage, and mutants."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import Location, render_pointer
from formwork.hooks.guard.rules import (
    GuardFinding,
    GuardRulesError,
    RuleFile,
    check_rules,
    evaluate_each,
)
from formwork.policies.case import CaseKind, PolicyCase
from formwork.policies.coverage import ReachedParts, RuleCoverage, cover, find_reached, label_rules
from formwork.policies.demands import Demand, demands
from formwork.policies.mutants import Mutant, MutantGap, demanded_of, make_mutants
from formwork.policies.policy_project import PolicyProject

MOST_MUTANTS = 200  # of a case
_CHUNK = 16  # files of rules that are evaluated together
_STATUSES = {"PASSED": "PASS", "FAILED": "FAIL", "SKIPPED": "SKIP"}

_Found = TypeVar("_Found")


class FailedCheck(Struct, frozen=True):
    """A check that failed in a case: what it says, and where in the case's file."""

    rule: str
    message: str
    location: Location


class Mismatch(Struct, frozen=True):
    """A rule whose status differs from what the case expects.

    `rule` is "" where the case names none, `actual` where its files have no such rule.
    """

    rule: str
    rule_file: str
    rule_line: int
    expected: str
    actual: str
    location: Location
    failed: Sequence[FailedCheck]


class CaseResult(Struct, frozen=True):
    """The result of a case: statuses by rule and what differs; `problem` is why they can't be evaluated."""

    case: PolicyCase
    statuses: Mapping[str, frozenset[str]]
    mismatches: Sequence[Mismatch]
    problem: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the case went as expected."""
        return not self.mismatches and self.problem is None


class PolicyResult(Struct, frozen=True):
    """The result of a run; `mutants` is the number of mutants tried out of `possible`."""

    project: PolicyProject
    cases: Sequence[CaseResult]
    coverage: Sequence[RuleCoverage]
    mutants: int
    possible: int
    gaps: Sequence[MutantGap]
    seed: int

    @property
    def passed(self) -> bool:
        """Whether there are cases and all went as expected."""
        return bool(self.cases) and all(each.passed for each in self.cases)


def run_policies(project: PolicyProject, *, most_mutants: int = MOST_MUTANTS, seed: int = 0) -> PolicyResult:
    """Evaluate all cases, and mutants of those in which rules passed.

    Raises:
        GuardRulesError: the engine is not installed, or a file of rules can't be compiled.
    """
    check_rules(project.files)
    run = _Run(project.files, most_mutants, seed)
    results = [run.case(each) for each in project.cases]
    coverage = [cover(file, run.statuses(file), run.reached.get(file.name, ReachedParts())) for file in project.files]
    return PolicyResult(project, results, coverage, run.mutants, run.possible, run.gaps, seed)


class _Run:
    def __init__(self, files: Sequence[RuleFile], most_mutants: int, seed: int) -> None:
        self._chunks = {
            file.name: tuple(files[at : at + _CHUNK])
            for at in range(0, len(files), _CHUNK)
            for file in files[at : at + _CHUNK]
        }
        self.reached: dict[str, ReachedParts] = {}
        self.mutants = 0
        self.possible = 0
        self.gaps: list[MutantGap] = []
        self._most_mutants = most_mutants
        self._seed = seed
        self._statuses: dict[tuple[str, str], set[str]] = {}
        self._found_demands: dict[str, Sequence[Demand]] = {}
        self._known: set[tuple[object, ...]] = set()

    def statuses(self, file: RuleFile) -> dict[str, set[str]]:
        """Return the statuses that the rules of a file had."""
        return {rule: found for (name, rule), found in self._statuses.items() if name == file.name}

    def case(self, case: PolicyCase) -> CaseResult:
        """Evaluate the rules on a case; record its coverage and its mutants."""
        try:
            verdicts = self._each(case, evaluate_each, case.input)
            parts = self._each(case, find_reached, case.input)
        except GuardRulesError as error:
            return CaseResult(case, {}, [], str(error))
        statuses: dict[str, frozenset[str]] = {}
        owners: dict[str, str] = {}
        demanded: list[tuple[str, Demand]] = []
        for file, verdict, reached in zip(case.files, verdicts, parts, strict=True):
            for rule, said in verdict.rules:
                status = _STATUSES[said]
                statuses[rule] = statuses.get(rule, frozenset()) | {status}
                self._statuses.setdefault((file.name, rule), set()).add(status)
                owners[rule] = file.name
            self.reached[file.name] = self.reached.get(file.name, ReachedParts()) | reached
            passed = {rule for rule, said in verdict.rules if _STATUSES[said] == "PASS"}
            demanded += ((file.name, each) for each in demanded_of(self._demands(file), passed, reached.blocks))
        if case.kind is not CaseKind.FAIL and "FAIL" not in frozenset[str]().union(*statuses.values()):
            self._try_mutants(case, demanded)
        findings = [finding for each in verdicts for finding in each.findings]
        return CaseResult(case, statuses, list(_mismatches(case, statuses, owners, findings)))

    def _each(
        self,
        case: PolicyCase,
        evaluate: Callable[[Sequence[RuleFile], Mapping[str, Any]], list[_Found]],
        document: Mapping[str, Any],
    ) -> list[_Found]:
        """Return what an evaluation finds for each file of a case.

        The files around it are evaluated with it, since an engine takes 0.3 s and 200 MB however many it has.
        """
        files = tuple(dict.fromkeys(other for file in case.files for other in self._chunks[file.name]))
        try:
            found = evaluate(files, document)
        except GuardRulesError:  # it may be that of another file
            return evaluate(case.files, document)
        return [found[files.index(each)] for each in case.files]

    def _demands(self, file: RuleFile) -> Sequence[Demand]:
        if file.name not in self._found_demands:
            labelled = label_rules(file)
            self._found_demands[file.name] = [] if labelled is None else demands(labelled.structure)
        return self._found_demands[file.name]

    def _try_mutants(self, case: PolicyCase, demanded: Sequence[tuple[str, Demand]]) -> None:
        mutants, possible = make_mutants(case, demanded, self._most_mutants, self._seed)
        self.mutants += len(mutants)
        self.possible += possible
        for mutant in mutants:
            if not self._is_refused(case, mutant.input):
                self._add_gap(case, mutant)

    def _is_refused(self, case: PolicyCase, document: Mapping[str, Any]) -> bool:
        try:
            return any(each.findings for each in self._each(case, evaluate_each, document))
        except GuardRulesError:  # it is not compliant either: a hook fails over it
            return True

    def _add_gap(self, case: PolicyCase, mutant: Mutant) -> None:
        """Add a gap, the first of those that differ in the case or in the element of a list only."""
        names = tuple(each for each in mutant.tokens[2:] if isinstance(each, str))
        key = (mutant.file, mutant.demand.line, names, mutant.change)
        if key in self._known:
            return
        self._known.add(key)
        line = case.locate(mutant.tokens).start
        self.gaps.append(
            MutantGap(
                case.name,
                case.document.name,
                line.line if line else 1,
                render_pointer(case.tokens(mutant.tokens)),
                mutant.change,
                mutant.demand.rule,
                mutant.file,
                mutant.demand.line,
            )
        )


def _mismatches(
    case: PolicyCase,
    statuses: Mapping[str, frozenset[str]],
    files: Mapping[str, str],
    findings: Sequence[GuardFinding],
) -> Iterator[Mismatch]:
    for rule, expected in case.expected.items():
        if expected not in statuses.get(rule, ()):
            actual = "/".join(sorted(statuses.get(rule, ())))
            yield _mismatch(case, rule, files.get(rule, _named(case)), expected, actual, findings)
    failed = [rule for rule, found in statuses.items() if "FAIL" in found]
    if case.kind is CaseKind.PASS:
        for rule in failed:
            if rule not in case.expected:
                yield _mismatch(case, rule, files[rule], "PASS", "FAIL", findings)
        if not failed and not case.expected and not any("PASS" in found for found in statuses.values()):
            yield _mismatch(case, "", _named(case), "PASS", "SKIP", findings)
    elif case.kind is CaseKind.FAIL and not failed and not case.expected:
        actual = "/".join(sorted(frozenset[str]().union(*statuses.values()))) or "SKIP"
        yield _mismatch(case, "", _named(case), "FAIL", actual, findings)


def _mismatch(  # noqa: PLR0913, PLR0917 - one argument a field
    case: PolicyCase, rule: str, file: str, expected: str, actual: str, findings: Sequence[GuardFinding]
) -> Mismatch:
    checks = [
        FailedCheck(each.rule, " ".join(each.message.split()), case.locate(case.find(each.resource, each.path)))
        for each in findings
        if each.rule == rule
    ]
    at = checks[0].location if checks and expected == "PASS" else case.locate_expectation(rule)
    return Mismatch(rule, file, _line_of(case, rule, file), expected, actual, replace(at, end=None), checks)


def _line_of(case: PolicyCase, rule: str, name: str) -> int:
    for file in case.files:
        labelled = label_rules(file) if file.name == name else None
        if labelled is not None:
            lines = [labelled.structure.line(each.start) for each in labelled.structure.rules if each.name == rule]
            return lines[0] if lines else 1
    return 1


def _named(case: PolicyCase) -> str:
    return ", ".join(each.name for each in case.files)
