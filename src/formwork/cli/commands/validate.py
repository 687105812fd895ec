"""Check projects and schema files against the rules of their kind.

Each PATH is a project's folder (its .rpdk-config, schema, inputs and overrides are checked) or a schema file, JSON or
YAML. All problems are shown at once. The exit code is 1 where one of them is an error; warnings never fail.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from formwork.cli.output import Output
from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.diagnostics.render import render_json, render_summary
from formwork.project.check import Checked, check_path
from formwork.project.names import ExtensionKind


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn validate`."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="a project or a schema file (default: here)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to show the findings")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Check and show."""
    checked = [check_path(path) for path in arguments.paths or [Path()]]
    if arguments.format == "json":
        output.result(render_json(_all_diagnostics(checked), checked=[_to_json(each) for each in checked]))
    else:
        _show_text(checked, output)
    return 0 if all(each.valid for each in checked) else 1


def _show_text(checked: Sequence[Checked], output: Output) -> None:
    diagnostics = _all_diagnostics(checked)
    output.findings(diagnostics)
    for each in checked:
        if each.valid:
            place = f"{each.path}: " if len(checked) > 1 else ""
            output.result(f"{place}{_what(each)} is valid.")
    if diagnostics:
        output.result(render_summary(diagnostics))


def _what(checked: Checked) -> str:
    """In the incumbent's words, which scripts look for."""
    match checked.kind:
        case ExtensionKind.HOOK:
            return "Hook schema"
        case ExtensionKind.MODULE:
            return "Module fragment"
        case _:
            return "Resource schema"


def _all_diagnostics(checked: Sequence[Checked]) -> list[Diagnostic]:
    return sort_diagnostics(each for one in checked for each in one.diagnostics)


def _to_json(checked: Checked) -> dict[str, str | bool | None]:
    return {
        "path": str(checked.path),
        "kind": str(checked.kind) if checked.kind else None,
        "typeName": checked.type_name,
        "valid": checked.valid,
    }
