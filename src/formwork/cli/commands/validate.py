"""Check projects and schema files against the rules of their kind.

Each PATH is a project's folder (its .rpdk-config, schema, inputs and overrides are checked) or a schema file, JSON or
YAML. All problems are shown at once. The exit code is 1 where one of them is an error; warnings never fail. With
--model or --configuration the files named there are checked against the schema at PATH. The schema.json of a module's
folder is rewritten from its fragment. "-" as PATH reads one schema from standard input.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from formwork.command_context.output import STDIN, STDIN_NAME, CommandOutput
from formwork.command_context.remote import add_remote_arguments, remote_documents
from formwork.diagnostics import BadInputError, Diagnostic, UsageError, sort_diagnostics
from formwork.diagnostics.render import render_json, render_summary
from formwork.documents.remote import RemoteDocuments
from formwork.extensions import ExtensionKind
from formwork.project.check import CheckResult, ModuleChecks, check_path, check_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn validate`."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="a project or a schema file (default: here)"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="how to show the findings"
    )
    parser.add_argument(
        "--select", metavar="CODES", type=_codes, default=(), help="show only these warnings, comma-separated"
    )
    parser.add_argument(
        "--ignore", metavar="CODES", type=_codes, default=(), help="do not show these warnings, comma-separated"
    )
    parser.add_argument(
        "--fix", action="store_true", help="first fix the findings in the schema that have exactly one fix"
    )
    parser.add_argument(
        "--model", metavar="FILE", type=Path, action="append", default=[], help="a model to check against the schema"
    )
    parser.add_argument(
        "--configuration",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="a type configuration to check against the schema",
    )
    parser.add_argument("--public", action="store_true", help="also check what publishing requires of modules")
    parser.add_argument(
        "--modules",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a module project, or a folder of them: the child modules of the module that is checked",
    )
    add_remote_arguments(parser)


def _codes(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Check and show."""
    paths = arguments.paths or [Path()]
    _check_stdin(paths, arguments)
    for path in paths if arguments.fix else ():
        _fix(path, output)
    remote = remote_documents(arguments)
    modules = _module_checks(arguments, output)

    def check(path: Path) -> CheckResult:
        if str(path) == STDIN:
            return check_text(output.read_input(), name=STDIN_NAME, remote=remote)
        return check_path(path, remote=remote, modules=modules)

    checked = _check_all(check, paths)
    if arguments.model or arguments.configuration:
        checked = [_with_values(each, arguments, remote) for each in checked]
    checked = [_selected(each, arguments) for each in checked]
    for each in checked:
        if each.kind is ExtensionKind.MODULE and each.valid and each.path.is_dir():
            _write_module_schema(each.path, output)
    _show(checked, arguments.format, output)
    return 0 if all(each.valid for each in checked) else 1


def _check_all(check: Callable[[Path], CheckResult], paths: Sequence[Path]) -> list[CheckResult]:
    if len(paths) == 1:
        return [check(paths[0])]
    from formwork.command_context.all_cores import map_on_all_cores

    return map_on_all_cores(check, paths)


def _check_stdin(paths: Sequence[Path], arguments: argparse.Namespace) -> None:
    """Refuse options that need a schema file if the schema is read from standard input.

    Raises:
        UsageError: with the option.
    """
    if all(str(path) != STDIN for path in paths):
        return
    for option in ("fix", "model", "configuration"):
        if getattr(arguments, option):
            raise UsageError(f"--{option} needs a schema file, not standard input", hint="name the file")
    if len(paths) > 1:
        raise UsageError('"-" (standard input) cannot be combined with other paths', hint="run the command twice")


def _module_checks(arguments: argparse.Namespace, output: CommandOutput) -> ModuleChecks:
    if not arguments.modules:
        return ModuleChecks(public=arguments.public)
    from formwork.command_context.module_lookup import find_modules

    find, diagnostics = find_modules(arguments.modules)
    output.show(diagnostics)
    return ModuleChecks(public=arguments.public, find_child=find)


def _fix(path: Path, output: CommandOutput) -> None:
    from formwork.cli.schema_files import fix_file

    try:
        fixed = fix_file(path)
    except BadInputError:
        return  # the check says what is wrong
    for each in fixed.fixed:
        output.say(f"fixed {each.code} at {each.location.pointer or '(the whole document)'}")
    for each in fixed.left:
        place = each.location.start.line if each.location.start else 1
        output.say(
            f"not fixed: {each.code} at {each.location.pointer or '(the whole document)'}: line {place} cannot be "
            f"changed without changing others; fix it by hand: {each.hint or each.expected}"
        )


def _write_module_schema(root: Path, output: CommandOutput) -> None:
    """The schema that follows from a module's valid fragment: the guide has `validate` write it."""
    from formwork.cli.writing import tell_written
    from formwork.generate.plan import managed
    from formwork.generate.write import write_plan
    from formwork.project import load_project
    from formwork.project.module import load_module, render_module_schema

    project = load_project(root)
    module = load_module(project)
    assert module.template is not None
    plan = {"schema.json": managed(render_module_schema(project, module.template))}
    tell_written(write_plan(plan, project.root), output)


def _with_values(checked: CheckResult, arguments: argparse.Namespace, remote: RemoteDocuments) -> CheckResult:
    """Return `checked` with the diagnostics of the models and configurations, if the schema is valid."""
    if not checked.valid:
        return checked
    from formwork.cli.schema_files import check_values

    try:
        found = check_values(checked.path, arguments.model, arguments.configuration, remote=remote)
    except BadInputError as error:
        found = list(error.diagnostics)
    return replace(checked, diagnostics=(*checked.diagnostics, *found))


def _selected(checked: CheckResult, arguments: argparse.Namespace) -> CheckResult:
    if not arguments.select and not arguments.ignore:
        return checked
    from formwork.diagnostics.selection import select_diagnostics

    kept = select_diagnostics(checked.diagnostics, select=arguments.select, ignore=arguments.ignore)
    return replace(checked, diagnostics=tuple(kept))


def _show(checked: Sequence[CheckResult], form: str, output: CommandOutput) -> None:
    match form:
        case "json":
            output.result(render_json(_all_diagnostics(checked), checked=[_to_json(each) for each in checked]))
        case "sarif":
            from formwork import __version__
            from formwork.diagnostics.render_sarif import render_sarif

            output.result(render_sarif(_all_diagnostics(checked), version=__version__))
        case "github":
            from formwork.diagnostics.render_github import render_github

            output.out.write(render_github(_all_diagnostics(checked)))
        case _:
            _show_text(checked, output)


def _show_text(checked: Sequence[CheckResult], output: CommandOutput) -> None:
    diagnostics = _all_diagnostics(checked)
    output.findings(diagnostics)
    for each in checked:
        if each.valid:
            place = f"{each.path}: " if len(checked) > 1 else ""
            output.result(f"{place}{_what(each)} is valid.")
    if diagnostics:
        output.result(render_summary(diagnostics))


def _what(checked: CheckResult) -> str:
    """In the incumbent's words, which scripts look for."""
    match checked.kind:
        case ExtensionKind.HOOK:
            return "Hook schema"
        case ExtensionKind.MODULE:
            return "Module fragment"
        case _:
            return "Resource schema"


def _all_diagnostics(checked: Sequence[CheckResult]) -> list[Diagnostic]:
    return sort_diagnostics(each for one in checked for each in one.diagnostics)


def _to_json(checked: CheckResult) -> dict[str, str | bool | None]:
    return {
        "path": str(checked.path),
        "kind": str(checked.kind) if checked.kind else None,
        "typeName": checked.type_name,
        "valid": checked.valid,
    }
