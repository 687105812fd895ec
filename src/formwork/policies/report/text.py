"""The report on the terminal: cases that went otherwise than expected, coverage, and mutants that no rule refused."""

from collections.abc import Iterator

from formwork.diagnostics import Location
from formwork.diagnostics.visible import TerminalText, painted, visible
from formwork.policies.coverage import CoverageGap, GapKind
from formwork.policies.mutants import MutantGap
from formwork.policies.policy_run import CaseResult, Mismatch, PolicyResult

_RED, _GREEN, _YELLOW = "31", "32", "33"


def render_text(result: PolicyResult, *, colour: bool = False, quiet: bool = False) -> TerminalText:
    """Return the whole report, or if `quiet` only what differs from the expectations, and the numbers."""
    lines = [*_cases(result, colour=colour, quiet=quiet)]
    if not quiet:
        lines += _coverage(result, colour=colour)
        lines += _mutants(result, colour=colour)
        lines += (f"warning: {each} is not a case of any rules" for each in result.project.unused)
        lines.append("")
    lines.append(painted(summary(result), _GREEN if result.passed else _RED, colour=colour))
    return TerminalText("".join(visible(line) + "\n" for line in lines))


def summary(result: PolicyResult) -> str:
    """Return the numbers of a run on one line."""
    failed = sum(not each.passed for each in result.cases)
    gaps = sum(len(each.gaps) for each in result.coverage)
    parts = [f"{len(result.cases)} cases, {failed} failed", f"{gaps} parts of rules not covered"]
    parts.append(f"{len(result.gaps)} mutants not refused of {result.mutants}")
    return f"cfn test: {'; '.join(parts)}"


def gap_line(gap: CoverageGap) -> str:
    """Return a part that no case covers, with its place."""
    if gap.kind in {GapKind.NEVER_PASSED, GapKind.NEVER_FAILED}:
        return f"{gap.file}:{gap.line}: {gap.kind}: {gap.rule}"
    if gap.kind is GapKind.UNKNOWN:
        return f"{gap.file}:{gap.line}: {gap.kind}"
    return f"{gap.file}:{gap.line}: {gap.kind}: {gap.source}"


def mutant_line(gap: MutantGap) -> str:
    """Return a mutant that no rule refused, with its place and the check that looks at it."""
    place = f"{gap.case_file}:{gap.case_line}: {gap.pointer}"
    return f"{place} {gap.change}: no rule refuses it ({gap.rule}, {gap.rule_file}:{gap.rule_line})"


def mismatch_lines(mismatch: Mismatch) -> Iterator[str]:
    """Yield the lines about a rule's expected status, its actual one, and the location."""
    file = f"{mismatch.rule_file}:{mismatch.rule_line}"
    if mismatch.rule and not mismatch.actual:
        yield f"{_at(mismatch.location)}: rule not found in {mismatch.rule_file}: {mismatch.rule}"
        return
    rule = f"{mismatch.rule} ({file})" if mismatch.rule else f"a rule of {mismatch.rule_file}"
    yield f"{_at(mismatch.location)}: {rule}: expected {mismatch.expected}, got {mismatch.actual}"
    for each in mismatch.failed:
        yield f"  {_at(each.location)} {each.location.pointer or '/'}: {each.message}"


def _cases(result: PolicyResult, *, colour: bool, quiet: bool) -> Iterator[str]:
    for each in result.cases:
        if each.passed:
            if not quiet:
                yield painted(f"✓ {each.case.name}", _GREEN, colour=colour)
            continue
        yield painted(f"✗ {each.case.name}", _RED, colour=colour)
        yield from (f"  {line}" for line in problem_lines(each))


def problem_lines(result: CaseResult) -> Iterator[str]:
    """Yield why a case failed."""
    if result.problem is not None:
        yield f"{_at(result.case.location)}: {result.problem}"
    for mismatch in result.mismatches:
        yield from mismatch_lines(mismatch)


def _coverage(result: PolicyResult, *, colour: bool) -> Iterator[str]:
    yield ""
    yield "Coverage:"
    for each in result.coverage:
        yield (
            f"  {each.file}: {each.passed} of {each.rules} rules passed, {each.failed} failed; "
            f"{each.entered} of {each.blocks} blocks entered; {each.refused} of {each.checks} checks failed"
        )
        yield from (painted(f"    {gap_line(gap)}", _YELLOW, colour=colour) for gap in each.gaps)


def _mutants(result: PolicyResult, *, colour: bool) -> Iterator[str]:
    yield ""
    left = f" of {result.possible} (--examples sets how many; seed {result.seed})"
    more = left if result.possible > result.mutants else ""
    yield f"Mutants of passing cases: {result.mutants}{more}"
    yield from (painted(f"  {mutant_line(each)}", _YELLOW, colour=colour) for each in result.gaps)


def _at(location: Location) -> str:
    return f"{location.file}:{location.start.line}" if location.start else str(location.file)
