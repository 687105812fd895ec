"""What a trial found, as diagnostics with places in the template, and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from formwork.diagnostics import Diagnostic, Location, Severity, render_pointer
from formwork.hook_trials.answers import Answer, Check, Trial, Verdict
from formwork.hook_trials.questions import Question
from formwork.hooks import FailureMode

_SHOWN = 5


def trial_diagnostics(trials: Sequence[Trial]) -> list[Diagnostic]:
    """Return a diagnostic for each check that failed, and for each answer without one."""
    return [each for trial in trials for each in _diagnostics(trial)]


def trial_to_json(trial: Trial) -> dict[str, Any]:
    """Return a trial as a JSON object."""
    question, target = trial.question, trial.question.target
    return {
        "file": question.places.document.name,
        "hook": trial.hook,
        "failureMode": str(trial.mode),
        "target": {
            "kind": str(target.kind),
            "action": target.shown_action,
            "name": target.name,
            "identifier": target.identifier,
        },
        "verdict": str(trial.answer.verdict),
        "message": trial.answer.message,
        "rules": [{"name": name, "status": status} for name, status in trial.answer.rules],
        "knownAfterDeployment": [render_pointer(("Properties", *each)) for each in question.unknown],
    }


def _diagnostics(trial: Trial) -> Iterator[Diagnostic]:
    answer = trial.answer
    refused = Severity.ERROR if trial.mode is FailureMode.FAIL else Severity.WARNING
    match answer.verdict:
        case Verdict.PASSED | Verdict.SKIPPED:
            return
        case Verdict.ERROR:
            message = f"{_subject(trial)}: the hook failed: {_sentence(answer.message)}"
            yield Diagnostic("hook.failed", refused, message, trial.question.locate(), notes=_notes(trial))
        case Verdict.REFUSED | Verdict.UNDECIDED:
            for check in answer.checks:
                yield _of_check(trial, check, refused)
            if not answer.checks:
                message = f"{_subject(trial)}: {_sentence(answer.message) or 'refused'}"
                yield Diagnostic("hook.refused", refused, message, trial.question.locate(), notes=_notes(trial))


def _of_check(trial: Trial, check: Check, refused: Severity) -> Diagnostic:
    subject = _subject(trial) if check.rule is None else f"{_subject(trial)}, rule {check.rule}"
    message = f"{subject}: {_sentence(check.message)}"
    location = _locate(trial.question, check)
    if not check.undecided:
        return Diagnostic("hook.refused", refused, message, location, hint=check.remediation, notes=_notes(trial))
    pointer = render_pointer(("Properties", *(check.path or ())))
    note = f"the value at {pointer} is known only after deployment"
    return Diagnostic("hook.undecided", Severity.WARNING, message, location, hint=check.remediation, notes=(note,))


def _locate(question: Question, check: Check) -> Location:
    if question.target.kind.holds_resources:
        return question.locate(check.path or ())
    if check.resource is None:
        return question.locate()
    path = () if check.path is None else ("Properties", *check.path)
    return question.places.locate(check.resource, path)


def _subject(trial: Trial) -> str:
    target = trial.question.target
    if target.kind.holds_resources:
        return f"{trial.hook} refuses {target.shown_action} of {target.identifier} ({target.name})"
    return f"{trial.hook} refuses the {'change set' if target.kind == 'CHANGE_SET' else 'stack'}"


def _notes(trial: Trial) -> tuple[str, ...]:
    """Which of the target's values the hook saw as a mark only."""
    unknown = trial.question.unknown
    if not unknown:
        return ()
    shown = [render_pointer(("Properties", *each)) for each in unknown[:_SHOWN]]
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    return (f"known only after deployment: {', '.join(shown)}{more}",)


def _sentence(text: str) -> str:
    return " ".join(text.split()).removesuffix(".")


def count_verdicts(answers: Sequence[Answer]) -> dict[Verdict, int]:
    """Return how often each verdict was given, without those that were not."""
    counts = {verdict: sum(each.verdict is verdict for each in answers) for verdict in Verdict}
    return {verdict: count for verdict, count in counts.items() if count}
