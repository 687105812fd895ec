"""Findings of dry runs, as diagnostics with places in the template, and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from formwork.diagnostics import Diagnostic, Location, Severity, render_pointer
from formwork.hook_dry_runs.dry_run import Check, DryRun, DryRunAnswer, Verdict
from formwork.hook_dry_runs.targets import DryRunTarget
from formwork.hooks import FailureMode, TargetKind

_SHOWN = 5


def dry_run_diagnostics(runs: Sequence[DryRun]) -> list[Diagnostic]:
    """Return a diagnostic for each check that failed, and for each answer without one."""
    return [each for run in runs for each in _diagnostics(run)]


def dry_run_to_json(run: DryRun) -> dict[str, Any]:
    """Return a dry run as a JSON object."""
    subject, target = run.subject, run.subject.target
    return {
        "file": subject.places.document.name,
        "hook": run.hook,
        "failureMode": str(run.mode),
        "target": {
            "kind": str(target.kind),
            "action": target.shown_action,
            "name": target.name,
            "identifier": target.identifier,
        },
        "verdict": str(run.answer.verdict),
        "message": run.answer.message,
        "rules": [{"name": name, "status": status} for name, status in run.answer.rules],
        "knownAfterDeployment": [render_pointer(("Properties", *each)) for each in subject.unknown],
    }


def _diagnostics(run: DryRun) -> Iterator[Diagnostic]:
    answer, target = run.answer, _target(run.subject)
    refused = Severity.ERROR if run.mode is FailureMode.FAIL else Severity.WARNING
    match answer.verdict:
        case Verdict.PASSED | Verdict.SKIPPED:
            return
        case Verdict.ERROR:
            message = f"{run.hook} failed on {target}: {_sentence(answer.message)}"
            yield Diagnostic("hook.failed", refused, message, run.subject.locate(), notes=_notes(run))
        case Verdict.REFUSED | Verdict.UNDECIDED:
            for check in answer.checks:
                yield _of_check(run, check, refused)
            if not answer.checks:
                message = f"{run.hook} refuses {target}: {_sentence(answer.message)}"
                yield Diagnostic("hook.refused", refused, message, run.subject.locate(), notes=_notes(run))


def _of_check(run: DryRun, check: Check, refused: Severity) -> Diagnostic:
    target, location = _target(run.subject), _locate(run.subject, check)
    said = _sentence(check.message) if check.rule is None else f"{check.rule}: {_sentence(check.message)}"
    if not check.undecided:
        message = f"{run.hook} refuses {target}: {said}"
        return Diagnostic("hook.refused", refused, message, location, hint=check.remediation, notes=_notes(run))
    pointer = render_pointer(("Properties", *(check.path or ())))
    message = f"{run.hook} cannot decide about {target}: {said}"
    note = f"the value at {pointer} is known only after deployment"
    return Diagnostic("hook.undecided", Severity.WARNING, message, location, hint=check.remediation, notes=(note,))


def _locate(subject: DryRunTarget, check: Check) -> Location:
    if subject.target.kind.holds_resources:
        return subject.locate(check.path or ())
    if check.resource is None:
        return subject.locate()
    path = () if check.path is None else ("Properties", *check.path)
    return subject.places.locate(check.resource, path)


def _target(subject: DryRunTarget) -> str:
    target = subject.target
    if target.kind.holds_resources:
        return f"{target.shown_action} of {target.identifier} ({target.name})"
    return f"{target.shown_action} of the {'change set' if target.kind is TargetKind.CHANGE_SET else 'stack'}"


def _notes(run: DryRun) -> tuple[str, ...]:
    """Which of the target's values the hook saw as a mark only."""
    unknown = run.subject.unknown
    if not unknown:
        return ()
    shown = [render_pointer(("Properties", *each)) for each in unknown[:_SHOWN]]
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    return (f"known only after deployment: {', '.join(shown)}{more}",)


def _sentence(text: str) -> str:
    return " ".join(text.split()).removesuffix(".")


def count_verdicts(answers: Sequence[DryRunAnswer]) -> dict[Verdict, int]:
    """Return how often each verdict was given, without those that were not."""
    counts = {verdict: sum(each.verdict is verdict for each in answers) for verdict in Verdict}
    return {verdict: count for verdict, count in counts.items() if count}
