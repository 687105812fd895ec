"""`cfn hook try`: which hooks, which targets, and what was found."""

import argparse
import contextlib
from collections.abc import Iterator, Sequence

from formwork.cli.hook_verbs.chosen_hooks import is_project, open_hooks
from formwork.cli.hook_verbs.chosen_targets import plan_targets
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget, names_registry, reach_registry
from formwork.command_context.schemas_here import schemas_here
from formwork.diagnostics import Diagnostic, Severity, UsageError, sort_diagnostics
from formwork.diagnostics.render import render_json, render_summary
from formwork.hook_dry_runs.dry_run import DryRun, DryRunHook, Verdict, try_hooks
from formwork.hook_dry_runs.findings import count_verdicts, dry_run_diagnostics, dry_run_to_json
from formwork.hook_dry_runs.schemas import SchemaReader
from formwork.hooks import TargetKind

_WORDS = {
    Verdict.PASSED: "passed",
    Verdict.SKIPPED: "skipped: no rule applies",
    Verdict.UNDECIDED: "undecided",
    Verdict.REFUSED: "refused",
    Verdict.ERROR: "failed",
}


def try_templates(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Ask the hooks about the targets; exit code 1 where one that is in FAIL mode refuses or fails."""
    if (arguments.stack or arguments.change_set) and not names_registry(arguments):
        raise UsageError("--stack and --change-set need a service", hint="--local, or --endpoint-url, or --profile")
    _refuse_without_effect(arguments)
    with _service(arguments, output) as service:
        schemas = SchemaReader(schemas_here(arguments.schemas, output))
        with open_hooks(arguments, service, schemas, output) as hooks:
            targets = plan_targets(arguments, service, schemas, _kinds(arguments.kinds, hooks))
            runs = try_hooks(hooks, targets)
        names = [hook.name for hook in hooks]
    diagnostics = dry_run_diagnostics(runs)
    if not runs:
        asked = ", ".join(names)
        message = f"no hook looks at anything here: of {len(targets)} targets none is covered by {asked}"
        diagnostics.append(Diagnostic("hook.nothing-asked", Severity.WARNING, message))
    _show(runs, sort_diagnostics(diagnostics), arguments.format, output)
    return 1 if any(each.refuses for each in runs) else 0


def _refuse_without_effect(arguments: argparse.Namespace) -> None:
    """Refuse options that say nothing about the targets and hooks that are chosen.

    Raises:
        UsageError: with the option.
    """
    if arguments.input_parameters and not arguments.rules:
        raise UsageError("--input-parameters are for --rules", hint="leave it out, or name the rules")
    what, options = _without_effect_on_targets(arguments)
    for option in options:
        if getattr(arguments, option):
            raise UsageError(f"--{option.replace('_', '-')} has no meaning for {what}", hint="leave it out")
    if (arguments.rules or arguments.hook) and not any(is_project(each) for each in arguments.hook):
        for option in ("typeconfig", "aws"):
            if getattr(arguments, option) is not None:
                raise UsageError(f"--{option} is for the handlers of a hook project", hint="leave it out")
        if arguments.mode is not None and not arguments.rules:
            raise UsageError("--mode is for --rules and projects: a registered hook has its own", hint="leave it out")


def _without_effect_on_targets(arguments: argparse.Namespace) -> tuple[str, tuple[str, ...]]:
    """Return what the hooks are tried on, in words, and the attributes of options that have no effect there."""
    if arguments.change_set is not None:
        return "a change set", ("action", "modules", "parameter", "parameter_file")
    if arguments.stack is None:
        return "a template", ()
    if arguments.templates:
        return "the update of a stack", ("action", "modules")
    return "a deployed stack", ("modules", "parameter", "parameter_file")


def _kinds(given: Sequence[str] | None, hooks: Sequence[DryRunHook]) -> list[TargetKind]:
    """Return the kinds of target that are given, else those that the hooks are configured for.

    A resource is asked about once: as Cloud Control's only where that is given.
    """
    if given:
        return [TargetKind(each) for each in dict.fromkeys(given)]
    wanted = {each for hook in hooks for each in hook.kinds}
    kinds: list[TargetKind] = [each for each in TargetKind if each in wanted and each is not TargetKind.CLOUD_CONTROL]
    return kinds or [TargetKind.CLOUD_CONTROL]


@contextlib.contextmanager
def _service(arguments: argparse.Namespace, output: CommandOutput) -> Iterator[RegistryTarget | None]:
    """The service that the options name; None where none is needed."""
    if not names_registry(arguments):
        yield None
        return
    with reach_registry(arguments, output) as target:
        yield target


def _show(runs: Sequence[DryRun], diagnostics: Sequence[Diagnostic], form: str, output: CommandOutput) -> None:
    match form:
        case "json":
            output.result(render_json(diagnostics, dryRuns=[dry_run_to_json(each) for each in runs]))
        case "sarif":
            from formwork import __version__
            from formwork.diagnostics.render_sarif import render_sarif

            output.result(render_sarif(diagnostics, version=__version__))
        case "github":
            from formwork.diagnostics.render_github import render_github

            output.out.write(render_github(diagnostics))
        case _:
            output.findings(diagnostics)
            if output.verbosity:
                for each in runs:
                    output.result(_line(each))
            _summarize(runs, output)
            if diagnostics:
                output.result(render_summary(diagnostics))


def _line(run: DryRun) -> str:
    target = run.subject.target
    subject = f"{run.subject.places.document.name}: {target.identifier} ({target.name})"
    return f"{subject}, {run.hook}: {_WORDS[run.answer.verdict]}"


def _summarize(runs: Sequence[DryRun], output: CommandOutput) -> None:
    """A line for each file and hook."""
    by_place: dict[tuple[str, str], list[DryRun]] = {}
    for each in runs:
        by_place.setdefault((each.subject.places.document.name, each.hook), []).append(each)
    for (file, hook), those in by_place.items():
        counts = count_verdicts([each.answer for each in those])
        told = ", ".join(f"{count} {_WORDS[verdict]}" for verdict, count in counts.items())
        output.result(f"{file}: {hook}: {len(those)} target{'' if len(those) == 1 else 's'}: {told}")
