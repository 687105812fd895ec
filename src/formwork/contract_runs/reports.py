"""The report of `cfn test`, in the form and the place that its options ask for."""

import argparse
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.handler_options import DEFAULT_REGION
from formwork.command_context.output import CommandOutput

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult

# The options that decide what a run calls, and with what.
_REPEATED = (
    *("--endpoint", "--function-name", "--region", "--aws", "--profile", "--role-arn", "--aws-runtime", "--schemas"),
    *("--enforce-timeout", "--typeconfig", "--exports", "--cloudformation-endpoint-url"),
    *("--examples", "--effort", "--patience", "--jobs", "--simulated"),
)
FOLDER_FILES = ("report.html", "report.json", "junit.xml")  # of --report-folder
_UNSAID = {"--region": DEFAULT_REGION, "--effort": "quick"}


def replay_command(arguments: argparse.Namespace, seed: int) -> str:
    """Return the command that makes this run again, without what selects tests and how it reports."""
    words = ["cfn", "test", "--seed", str(seed)]
    for option in _REPEATED:
        value = getattr(arguments, option[2:].replace("-", "_"))
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words += [word for each in value for word in (option, str(each))]
        elif value not in (None, False, _UNSAID.get(option)):
            words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    if arguments.faults is not None:  # last: a finding's own replay has another
        words += ["--faults", arguments.faults]
    return shlex.join(words)


def write_report(arguments: argparse.Namespace, result: "SuiteResult", output: CommandOutput, seed: int) -> None:
    """Write the report, and the log file, that the options ask for."""
    from formwork.contract_results.report.exchange_text import MOST_COLUMNS
    from formwork.contract_results.report.text import render_text, summary

    replay = replay_command(arguments, seed)
    if arguments.log_file is not None:
        from formwork.contract_results.report.logs import render_logs

        arguments.log_file.write_text(render_logs(result), encoding="utf-8")
    if arguments.report_folder is not None:
        _write_folder(arguments.report_folder, result, replay)
    match arguments.report:
        case "json":
            from formwork.contract_results.report.machine import render_json

            text = render_json(result, replay=replay)
        case "junit":
            from formwork.contract_results.report.junit import render_junit

            text = render_junit(result)
        case "html":
            from formwork.contract_results.report.html import render_html

            text = render_html(result, replay=replay)
        case _:
            shown = arguments.report_file is None
            wide = {"width": shutil.get_terminal_size((MOST_COLUMNS, 24)).columns} if shown else {}
            coloured = output.colour_out and shown
            text = render_text(result, replay=replay, colour=coloured, quiet=arguments.quiet, **wide)
    if arguments.report_file is None:
        output.result(text)
    else:
        arguments.report_file.write_text(text, encoding="utf-8")
        output.say(summary(result))
        output.say(f"report: {arguments.report_file}")


def _write_folder(folder: Path, result: "SuiteResult", replay: str) -> None:
    """Write the report in every form that other programs read."""
    from formwork.contract_results.report.html import render_html
    from formwork.contract_results.report.junit import render_junit
    from formwork.contract_results.report.machine import render_json

    folder.mkdir(exist_ok=True)
    texts = (render_html(result, replay=replay), render_json(result, replay=replay), render_junit(result))
    for name, text in zip(FOLDER_FILES, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
