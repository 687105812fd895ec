"""Say what breaks users between two versions of a resource type's schema.

OLD and NEW are schema files or project folders; NEW is the project here where it is left out. OLD can also be a git
revision (a branch, tag or commit) in which the file of NEW is looked up. Breaking changes are errors, risky ones
warnings, the rest infos. The exit code is 1 where a change breaks users.
"""

import argparse
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.output import Output
from formwork.diagnostics import BadInputError, Location, Severity
from formwork.diagnostics.render import render_json, render_summary

if TYPE_CHECKING:
    from formwork.documents import Document
    from formwork.schema import ResourceSchema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn diff`."""
    parser.add_argument("old", metavar="OLD", help="a schema file, a project's folder, or a git revision")
    parser.add_argument(
        "new", metavar="NEW", nargs="?", type=Path, default=Path(), help="a schema file or project (default: here)"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="how to show the changes"
    )
    parser.add_argument("--all", action="store_true", help="show the changes that break nobody too")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Compare and show."""
    from formwork.cli.schema_files import load_schema_at
    from formwork.schema.changes import compare_schemas

    new = load_schema_at(arguments.new)
    old = _load_old(arguments.old, Path(new.name))
    changes = compare_schemas(_expect_schema(old), _expect_schema(new))
    breaks = any(each.severity is Severity.ERROR for each in changes)
    shown = [each for each in changes if arguments.all or each.severity is not Severity.INFO]
    match arguments.format:
        case "json":
            output.result(render_json(shown, breaking=breaks))
        case "sarif":
            from formwork import __version__
            from formwork.diagnostics.render_sarif import render_sarif

            output.result(render_sarif(shown, version=__version__))
        case "github":
            from formwork.diagnostics.render_github import render_github

            output.out.write(render_github(shown))
        case _:
            output.findings(shown)
            output.result(render_summary(shown) if shown else "no change that breaks users")
    return 1 if breaks else 0


def _load_old(old: str, file: Path) -> "Document":
    from formwork.cli.schema_files import load_schema_at

    path = Path(old)
    return load_schema_at(path) if path.exists() else _load_revision(old, file)


def _load_revision(revision: str, file: Path) -> "Document":
    """The document that `file` was at a git revision."""
    from formwork.documents import parse_document

    found = None
    if not revision.startswith("-"):
        command = ["git", "-C", str(file.parent), "show", f"{revision}:./{file.name}"]
        try:
            found = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - words of our own
        except FileNotFoundError:
            found = None  # no git here
    if found is None or found.returncode != 0:
        raise BadInputError.of(
            "change.old-not-found",
            f'"{revision}" is neither a file, nor a project, nor a git revision that has {file.name}',
            location=Location(revision),
            expected="an older version of the schema",
        )
    return parse_document(found.stdout.decode("utf-8", "replace"), name=f"{revision}:{file.name}")


def _expect_schema(document: "Document") -> "ResourceSchema":
    from formwork.schema import load_resource_schema

    loaded = load_resource_schema(document)
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    return loaded.schema
