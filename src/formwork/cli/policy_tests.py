"""`cfn test` in a folder of Guard rules."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError

if TYPE_CHECKING:
    from formwork.policies import PolicyProject, PolicyResult

# What means something without handlers; the other options are refused.
_TAKEN = frozenset(
    {"examples", "quiet", "report", "report_file", "require_proof", "seed", "unproved", "verbose", "touched"}
)


def has_policies() -> bool:
    """Whether this folder has Guard rules and is not a project of an extension."""
    from formwork.project import is_project

    if is_project(Path()):
        return False
    from formwork.policies import is_policy_project

    return is_policy_project(Path())


def test_policies(
    arguments: argparse.Namespace, output: CommandOutput, add_arguments: Callable[[argparse.ArgumentParser], None]
) -> int:
    """Test the rules of this folder, report, and return the exit code."""
    from formwork.diagnostics import Location
    from formwork.hooks.guard.rules import GuardRulesError, check_rules, expect_engine
    from formwork.policies import find_policy_project, run_policies

    _refuse_other_options(arguments, add_arguments)
    try:
        expect_engine()
    except GuardRulesError as error:
        raise EnvironmentProblemError(str(error)) from error
    project = find_policy_project(Path())
    try:
        check_rules(project.files)
    except GuardRulesError as error:
        raise BadInputError.of("hook.rules", str(error), location=Location(error.file, error.position)) from error
    _check_rule_names(arguments, project)
    most = {} if arguments.examples is None else {"most_mutants": arguments.examples}
    result = run_policies(project, seed=arguments.seed or 0, **most)
    _report(arguments, result, output)
    if not result.cases:
        raise BadInputError.of("policy.no-cases", "these rules have no cases", hint=_where_cases_go(project))
    return 0 if result.passed and _is_proof_enough(arguments, result, output) else 1


def _refuse_other_options(
    arguments: argparse.Namespace, add_arguments: Callable[[argparse.ArgumentParser], None]
) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    defaults = vars(parser.parse_args([]))
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list options
        name = action.dest
        if name in defaults and name not in _TAKEN and getattr(arguments, name) != defaults[name]:
            said = action.option_strings[-1] if action.option_strings else "what follows --"
            raise UsageError(f"{said} has no meaning for Guard rules, which have no handlers", hint="leave it out")
    if arguments.require_proof == "most":
        raise UsageError("--require-proof most is not available for Guard rules", hint="--require-proof")
    if arguments.examples is not None and arguments.examples < 0:
        raise UsageError(f"--examples is {arguments.examples}", hint="0 or more")
    file = arguments.report_file
    if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
        raise UsageError(f'--report-file is "{file}"', hint="a file in a folder that exists")
    if arguments.unproved and arguments.require_proof is None:
        raise UsageError("--unproved only means something with --require-proof")


def _check_rule_names(arguments: argparse.Namespace, project: "PolicyProject") -> None:
    from formwork.policies import rule_names

    known = {name for file in project.files for name in rule_names(file)}
    for rule in arguments.unproved:
        if rule not in known:
            raise UsageError(f'--unproved: "{rule}" is not a rule', hint="the report names them")


def _report(arguments: argparse.Namespace, result: "PolicyResult", output: CommandOutput) -> None:
    from formwork.policies.report import render_html, render_json, render_junit, render_text, summary

    shown = arguments.report_file is None
    match arguments.report:
        case "json":
            text = render_json(result)
        case "junit":
            text = render_junit(result)
        case "html":
            text = render_html(result, replay=_replay_command(arguments, result.seed))
        case _:
            text = render_text(result, colour=output.colour_out and shown, quiet=arguments.quiet)
    if shown:
        output.result(text)
    else:
        arguments.report_file.write_text(text, encoding="utf-8")
        output.say(summary(result))
        output.say(f"report: {arguments.report_file}")


def _replay_command(arguments: argparse.Namespace, seed: int) -> str:
    words = ["cfn", "test", "--seed", str(seed)]
    if arguments.examples is not None:
        words += ["--examples", str(arguments.examples)]
    return shlex.join(words)


def _is_proof_enough(arguments: argparse.Namespace, result: "PolicyResult", output: CommandOutput) -> bool:
    """Return whether --require-proof is satisfied; says what is missing."""
    from formwork.policies.report import gap_line, mutant_line

    if arguments.require_proof is None:
        return True
    allowed = set(arguments.unproved)
    missing = [gap_line(gap) for each in result.coverage for gap in each.gaps if gap.rule not in allowed]
    missing += (mutant_line(gap) for gap in result.gaps if gap.rule not in allowed)
    for line in missing:
        output.say(f"--require-proof: {line}")
    return not missing


def _where_cases_go(project: "PolicyProject") -> str:
    stem = Path(project.files[0].name).with_suffix("")
    tests = stem.parent / "tests" / stem.name
    return f"write templates that must pass into {tests}/pass/, and those that must be refused into {tests}/fail/"
