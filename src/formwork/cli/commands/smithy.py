"""Work with Smithy models.

`cfn smithy validate` shows everything that is wrong with a model, `format` lays its files out one way, `ast` prints it
as a JSON AST, and `select` prints the ids of the shapes that a selector picks. Each MODEL is a .smithy or .json file,
or a folder of them; together they are one model.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn smithy`."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    validate = verbs.add_parser("validate", help="show everything that is wrong with a model")
    _add_model(validate)
    validate.add_argument("--format", choices=("text", "json"), default="text", help="how to show the findings")
    validate.add_argument("--severity", choices=("note", "warning", "danger", "error"), default="warning",
                          help="the least severity to show (default: warning)")  # fmt: skip
    formatting = verbs.add_parser("format", help="lay model files out one way")
    formatting.add_argument("models", metavar="FILE", nargs="+", type=Path, help=".smithy files, or folders of them")
    formatting.add_argument("--check", action="store_true", help="change nothing; exit with 1 where a file would")
    formatting.add_argument("--stdout", action="store_true", help="print the formatted text of one file instead")
    ast = verbs.add_parser("ast", help="print the model as a JSON AST")
    _add_model(ast)
    selecting = verbs.add_parser("select", help="print the ids of the shapes that a selector picks")
    selecting.add_argument("selector", metavar="SELECTOR", help="for example 'resource > operation'")
    _add_model(selecting)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", metavar="MODEL", nargs="+", type=Path, help="a model file or a folder of them")
    parser.add_argument(
        "--allow-unknown-traits", action="store_true", help="accept traits that the model applies and doesn't define"
    )


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Do what the verb says."""
    match arguments.verb:
        case "validate":
            return _validate(arguments, output)
        case "format":
            return _format(arguments, output)
        case "ast":
            return _ast(arguments, output)
        case _:
            return _select(arguments, output)


def _validate(arguments: argparse.Namespace, output: CommandOutput) -> int:
    from formwork.convert.files import check_models
    from formwork.diagnostics.render import render_json, render_summary
    from formwork.smithy.events import EventSeverity

    checked = check_models(arguments.models, allow_unknown_traits=arguments.allow_unknown_traits)
    shown = [event.to_diagnostic() for event in checked.told(EventSeverity(arguments.severity.upper()))]
    if arguments.format == "json":
        output.result(render_json(shown, valid=checked.usable))
    else:
        output.findings(shown)
        output.result("The model is valid." if checked.usable and not shown else render_summary(shown))
    return 0 if checked.usable else 1


def _ast(arguments: argparse.Namespace, output: CommandOutput) -> int:
    from formwork.convert.files import check_models
    from formwork.convert.traits import cfn_library
    from formwork.smithy.ast_json.writer import ast_of
    from formwork.smithy.events import EventSeverity

    checked = check_models(arguments.models, allow_unknown_traits=arguments.allow_unknown_traits)
    output.show(event.to_diagnostic() for event in checked.told(EventSeverity.DANGER))
    if not checked.usable:
        return 1
    shipped = cfn_library().shapes
    ast = ast_of(checked.model)
    ast["shapes"] = {key: each for key, each in ast["shapes"].items() if key.partition("$")[0] not in shipped}
    output.result(json.dumps(ast, indent=4, ensure_ascii=False, default=float))
    return 0


def _select(arguments: argparse.Namespace, output: CommandOutput) -> int:
    from formwork.convert.files import check_models
    from formwork.smithy.events import EventSeverity
    from formwork.smithy.selectors import SelectorSyntaxError, select

    checked = check_models(arguments.models, allow_unknown_traits=arguments.allow_unknown_traits)
    output.show(event.to_diagnostic() for event in checked.told(EventSeverity.DANGER))
    if not checked.usable:
        return 1
    try:
        found = select(checked.model, arguments.selector)
    except SelectorSyntaxError as error:
        raise UsageError(f"the selector cannot be read: {error}") from error
    for shape_id in sorted(found):
        output.result(shape_id)
    return 0


def _format(arguments: argparse.Namespace, output: CommandOutput) -> int:
    files = _files(arguments.models)
    if arguments.stdout and len(files) != 1:
        raise UsageError("--stdout prints one file", hint="name a single .smithy file")
    changed = 0
    for path in files:
        before, after = _formatted(path)
        if arguments.stdout:
            output.result(after)
        elif before != after:
            changed += 1
            output.result(str(path))
            if not arguments.check:
                _write(path, after)
    return 1 if arguments.check and changed else 0


def _files(paths: Sequence[Path]) -> list[Path]:
    return [file for path in paths for file in (sorted(path.rglob("*.smithy")) if path.is_dir() else [path])]


def _formatted(path: Path) -> tuple[str, str]:
    from formwork.smithy.idl.formatter import format_idl
    from formwork.smithy.idl.parser import parse_idl
    from formwork.smithy.load import read_text

    text = read_text(path)
    errors = [each.to_diagnostic() for each in parse_idl(text, name=str(path)).events if each.breaks_model]
    if errors:
        raise BadInputError(errors)
    return text, format_idl(text)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        problem = error.strerror or str(error)
        raise EnvironmentProblemError(f'cannot write "{path}": {problem}') from error
