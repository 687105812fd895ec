"""Prove the handlers of this project against the handler contract.

The tests create, read, update, list and delete resources with the inputs of the inputs/ folder, or with inputs
generated from the schema and overrides.json. A hook's handlers are asked about each of their targets, with the models
of inputs/ that must pass and must not, or with models generated from the schemas in target-schemas/. What follows `--`
goes to pytest: -k NAME, --tb=STYLE, -m MARKERS.

The exit code is 1 where a clause that MUST be kept is violated, and where a handler was given up on before its
operation ended (see --patience); warnings (SHOULD) never fail. With --require-proof, for CI, it is 1 where a clause
that MUST be kept has no proof, too.

In a folder of Guard rules (*.guard) it tests the rules with templates in tests/RULES/pass and tests/RULES/fail, and
with unit tests of cfn-guard (RULES_tests.yaml). It reports what of the rules no case covers, and mutants of passing
templates that no rule refuses (--examples sets how many per case). With --require-proof, both fail.
"""

import argparse
import contextlib
import random
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.egress import read_egress_rules
from formwork.command_context.handler_options import add_handler_arguments
from formwork.command_context.output import CommandOutput
from formwork.command_context.schemas_here import open_project
from formwork.contract_runs.options import EFFORTS, WITHOUT_MEANING, check_test_options
from formwork.contract_runs.recorded_run import PartTokens, settle_recorded_run, write_recorded_run
from formwork.contract_runs.tested import enforced_permissions, read_tested

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult
    from formwork.contract_runs.touched_tests import SelectedTests
    from formwork.invoke.project_host.settings import CoverageSettings
    from formwork.project import Project

EXIT_INTERRUPTED = 130
_PROOFS = ("all", "most")
_REPORTS = ("text", "json", "junit", "html")
_PATIENCE, _PATIENCE_WITH_MOTO = 20.0, 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn test`."""
    add_handler_arguments(parser)
    _describe_profile(parser)
    parser.add_argument(
        "--enforce-timeout",
        metavar="N",
        type=float,
        help="seconds that read and list may take; create, update and delete twice that (default: 30 and 60)",
    )
    parser.add_argument(
        "--typeconfig",
        metavar="FILE",
        type=Path,
        help="type configuration (default: ~/.cfn-cli/typeConfiguration.json)",
    )
    parser.add_argument("--exports", metavar="FILE", type=Path, help="JSON object with the values of {{ExportName}}")
    parser.add_argument(
        "--cloudformation-endpoint-url",
        "--endpoint-url",
        metavar="URL",
        help="the CloudFormation whose stacks export what --exports lacks (default: that of --aws, where it has one)",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="make the inputs of an earlier run again")
    parser.add_argument("--examples", metavar="N", type=int, help="sequences that the whole-life test tries")
    parser.add_argument("--effort", choices=EFFORTS, help="how much to try (default: quick)")
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=float,
        help=f"how long one operation may wait for its callbacks; what they ask for beyond that is only counted "
        f"(default: {_PATIENCE:g}; with --aws moto {_PATIENCE_WITH_MOTO:g}; with real AWS no limit)",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="tests in progress at a time, each calling the handlers when it likes (default: 16 that overlap only "
        "where they wait for callbacks; with real AWS 4); 1 runs one after another",
    )
    parser.add_argument(
        "--last-failed",
        "--lf",
        action="store_true",
        help="only the tests that failed in the last run, with its seed; all where none did",
    )
    parser.add_argument(
        "--focus",
        metavar="NAME",
        action="append",
        default=[],
        help="only the tests of this clause (update.applied), or those that call this handler (update), and those "
        "that show the handlers to work at all (repeatable)",
    )
    parser.add_argument(
        "--faults",
        metavar="KINDS",
        nargs="?",
        const="all",
        help="let each call of the handlers fail in each way instead, and judge what they do then: all (default), of "
        "throttle, 5xx, timeout, reset, slow, stale, denied, expired and kill those named, or one scenario of a report",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="after the run, wait for saved files, and run the tests that they touch; until Ctrl-C",
    )
    parser.set_defaults(touched=None)
    parser.add_argument(
        "-d",
        "--debug-port",
        metavar="PORT",
        type=int,
        help="handlers wait for a debugger on 127.0.0.1:PORT; one test at a time, no time limits",
    )
    parser.add_argument(
        "--coverage",
        action=argparse.BooleanOptionalAction,
        help="record which lines of Python handlers run (default: where it costs nothing, from Python 3.12 on)",
    )
    parser.add_argument(
        "--unsealed",
        action="store_true",
        help="let handlers reach every host but AWS, as --aws says (default: what no rule allows is refused)",
    )
    parser.add_argument(
        "--enforce-iam",
        action="store_true",
        help="with --aws moto or URL: deny the calls that the permissions of the handler do not contain, as IAM does",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="report only violations, one line per violation")
    parser.add_argument(
        "--simulated",
        action="store_true",
        help="test handlers that are derived from the schema instead of the project's: what a new model is tried with",
    )
    parser.add_argument(
        "--require-proof",
        choices=_PROOFS,
        nargs="?",
        const="all",
        help="fail where a clause that MUST be kept and applies has no proof; most: where more than half have none",
    )
    parser.add_argument(
        "--unproved",
        metavar="CLAUSE",
        action="append",
        default=[],
        help="a clause that --require-proof does not ask for (repeatable), such as list.token",
    )
    parser.add_argument("--report", choices=_REPORTS, default="text", help="how to report (default: text)")
    parser.add_argument("--report-file", metavar="FILE", type=Path, help="where to (default: standard output)")
    parser.add_argument(
        "--report-folder",
        metavar="DIR",
        type=Path,
        help="also write report.html, report.json and junit.xml into this folder, which is made",
    )
    parser.add_argument(
        "--log-file",
        metavar="FILE",
        type=Path,
        help="write what the handlers got, wrote and answered, by test, secrets masked",
    )
    parser.add_argument("--v2", action="store_true", help=argparse.SUPPRESS)
    for option in WITHOUT_MEANING:
        parser.add_argument(option, metavar="X", help=argparse.SUPPRESS)
    parser.add_argument("-k", dest="keyword", metavar="EXPRESSION", help="run only the tests whose names match it")
    parser.add_argument("pytest_arguments", metavar="-- PYTEST ARGUMENTS", nargs="*", help="such as -- -k NAME")


def _describe_profile(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to reword an option
        if "--profile" in action.option_strings:
            action.help = (
                "quick or thorough: how much to try; any other name: use real AWS with this profile's credentials"
            )


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Test, and report."""
    from formwork.cli.policy_tests import has_policies, test_policies
    from formwork.extensions import ExtensionKind

    if has_policies():
        return test_policies(arguments, output, add_arguments)
    settle_options(arguments, output)
    project = open_project(arguments, output)
    output.show(project.diagnostics)
    if project.kind is ExtensionKind.MODULE:
        output.say("a module has no handlers to test; `cfn validate` checks it")
        return 0
    seed = choose_seed(arguments, output)
    if arguments.watch:
        from formwork.cli.watching import watch

        watch(arguments, output, lambda touched: prove_again(arguments, output, seed, touched))
        return EXIT_INTERRUPTED
    result = _prove(arguments, project, output, seed)
    if result.finished.interrupted:
        return EXIT_INTERRUPTED
    return 0 if result.passed and _is_proof_enough(arguments, result, output) else 1


def settle_options(arguments: argparse.Namespace, output: CommandOutput) -> None:
    """Refuse options that contradict each other, and set what follows from several.

    Raises:
        UsageError: with the option.
    """
    arguments.pace = settle_recorded_run(arguments, output)
    check_test_options(arguments, output)
    if arguments.focus:
        from formwork.contract_runs.focus import expect_focus

        arguments.touched = expect_focus(arguments.focus)
    if arguments.keyword is not None:
        arguments.pytest_arguments = ["-k", arguments.keyword, *arguments.pytest_arguments]


def _prove(arguments: argparse.Namespace, project: "Project", output: CommandOutput, seed: int) -> "SuiteResult":
    """Run the tests that the arguments select, and report."""
    from formwork.cli.aws_library import aws_library_of
    from formwork.contract_runs.handler_coverage import record_lines
    from formwork.contract_runs.reports import write_report

    with record_lines(arguments, project) as recording:
        result = _run_tests(arguments, project, output, seed, recording.settings)
        result.coverage = recording.read()
    result.library = None if arguments.simulated else aws_library_of(project, aws_runtime=arguments.aws_runtime)
    result.root = str(Path.cwd())
    if not arguments.simulated:
        from formwork.contract_runs.last_run import LastRun

        LastRun(Path()).keep_clauses(result.clauses)
    write_report(arguments, result, output, seed)
    return result


def prove_again(
    arguments: argparse.Namespace, output: CommandOutput, seed: int, touched: "SelectedTests | None"
) -> "SuiteResult | None":
    """Run the tests that are touched on the project as it is now, and report; None where it can't be tested."""
    from formwork.diagnostics import FormworkError

    arguments.touched = arguments.touched if arguments.focus else touched
    arguments.quiet = arguments.quiet or touched is not None  # the whole report once, then what changed
    try:
        return _prove(arguments, open_project(arguments, output), output, seed)
    except FormworkError as error:  # in the middle of an edit: the next save may be better
        output.show(error.diagnostics)
        return None


def _is_proof_enough(arguments: argparse.Namespace, result: "SuiteResult", output: CommandOutput) -> bool:
    """Whether every handler was followed to its end, and --require-proof is satisfied; says what is missing."""
    from formwork.contract_results.proof import RequiredProof, given_up, little_proved, missing_proof

    if arguments.require_proof is None:
        unfinished = given_up(result)
        if arguments.report != "text" or arguments.report_file is not None:  # else the report says so itself
            for told in (*unfinished, little_proved(result)):
                if told is not None:
                    output.say(f"warning: {told}")
        return not unfinished
    missing = missing_proof(result, RequiredProof(arguments.require_proof), allowed=arguments.unproved)
    for line in missing:
        output.say(f"--require-proof: {line}")
    return not missing


def choose_seed(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """The seed named, with --last-failed that of the last run, else a new one; noted for the next run."""
    from formwork.contract_runs.last_run import LastRun, wants_last_failed

    last = LastRun(Path())
    arguments.last_failed = arguments.last_failed or wants_last_failed(arguments.pytest_arguments)
    seed: int | None = arguments.seed
    if arguments.last_failed:
        if not last.has_failures:
            output.say("no test failed in the last run: running all")
        seed = last.seed if seed is None else seed
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    last.keep_seed(seed)
    return seed


def _run_tests(
    arguments: argparse.Namespace,
    project: "Project",
    output: CommandOutput,
    seed: int,
    coverage: "CoverageSettings | None",
) -> "SuiteResult":
    from formwork.command_context.reach import reach_function, reach_simulated
    from formwork.contract.memory import Memory
    from formwork.contract.pace import Pace
    from formwork.contract.project_subjects import load_subjects
    from formwork.contract_runs.permission_record import keep_seen
    from formwork.contract_runs.running import run_tests
    from formwork.contract_runs.settings import HandlerLogPrinter
    from formwork.contract_runs.with_faults import prepare_faults, run_faults
    from formwork.schema import ResourceSchema

    faults = prepare_faults(arguments, project)
    arguments.egress_rules = read_egress_rules(arguments, project.root)
    tokens = PartTokens(seed) if arguments.record is not None or arguments.replay is not None else None
    tested = read_tested(arguments, project, output, seed, tokens)
    settings, pace = tested.settings, arguments.pace or Pace()
    log = HandlerLogPrinter(tested.masker, output, shown=arguments.debug_port is not None)
    with contextlib.ExitStack() as stack:
        if arguments.simulated and isinstance(tested.schema, ResourceSchema):
            reached = reach_simulated(arguments, tested.schema)
        else:
            reached = stack.enter_context(
                reach_function(
                    arguments,
                    project,
                    output,
                    function=arguments.function_name or "TypeFunction",
                    debug_port=arguments.debug_port,
                    coverage=coverage,
                    log=log.show,
                    seal=arguments.debug_port is None and not arguments.unsealed,
                    mask=tested.masker.text,
                    faults=faults,
                    enforced=enforced_permissions(arguments, tested.schema),
                )
            )
        session = settings.session(
            reached,
            tested.schema.type_name,
            configuration=tested.configuration,
            seconds=tested.seconds,
            resolve=reached.stored_values(tested.configuration, output),
            log=log,
        )
        loaded = load_subjects(
            project,
            tested.schema,
            session,
            examples=settings.examples,
            exports=settings.exports,
            limits=settings.limits,
            effort=settings.effort,
            seed=seed,
            patience=settings.patience,
            before_test=reached.reset,
            memory=Memory(pace=pace),
        )
        output.show(loaded.diagnostics)
        if faults is not None:
            return run_faults(arguments, loaded.subjects, output, faults)

        def begin(test: str) -> None:
            if tokens is not None:
                part = tokens.begin(test)
                pace.begin(part)
                reached.begin(part)

        result = run_tests(arguments, loaded.subjects, output, settings, begin)
        if arguments.record is not None:
            write_recorded_run(arguments, seed, pace)
        if not arguments.simulated:
            keep_seen(
                loaded.subjects[0][1],
                (exchange for test in result.tests for exchange in test.exchanges),
                complete=result.finished.complete and not result.finished.interrupted,
            )
        return result
