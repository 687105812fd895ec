"""Say what breaks users between two versions of the schema of a resource type or hook.

OLD and NEW are schema files or project folders; NEW is the project here where it is left out. OLD can also be a git
revision (a branch, tag or commit) in which the file of NEW is looked up, or a registered version: registry:NAME (the
default one), registry:NAME@00000003, or the type's ARN. Breaking changes are errors, risky ones warnings, the rest
infos. The exit code is 1 where a change breaks users.
"""

import argparse
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.endpoints import chosen_endpoint
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import BadInputError, Location, Severity, UsageError
from formwork.diagnostics.render import render_json, render_summary

if TYPE_CHECKING:
    from formwork.diagnostics import Diagnostic
    from formwork.documents import Document
    from formwork.extensions import ExtensionKind


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn diff`."""
    parser.add_argument(
        "old", metavar="OLD", help="a schema file, a project's folder, a git revision, or a registered version"
    )
    parser.add_argument(
        "new", metavar="NEW", nargs="?", type=Path, default=Path(), help="a schema file or project (default: here)"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="how to show the changes"
    )
    parser.add_argument("--all", action="store_true", help="also show the changes that break no users")
    registry = parser.add_argument_group("where a registered version is looked up")
    registry.add_argument("--endpoint-url", metavar="URL", help="CloudFormation's endpoint (default: AWS's own)")
    registry.add_argument("--region", help="the region")
    registry.add_argument("--profile", help="the AWS profile")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Compare and show."""
    from formwork.cli.schema_files import load_schema_at
    from formwork.extensions import ExtensionKind
    from formwork.schema import detect_kind

    new = load_schema_at(arguments.new)
    kind = detect_kind(new)
    if kind is ExtensionKind.MODULE:
        raise UsageError("the schemas of modules cannot be compared", hint="compare their fragments with git diff")
    old = _load_registered(arguments, kind) or _load_old(arguments.old, Path(new.name))
    changes = _compare(old, new, kind)
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
            output.result(render_summary(shown) if shown else "no change breaks users")
    return 1 if breaks else 0


def _load_registered(arguments: argparse.Namespace, kind: "ExtensionKind") -> "Document | None":
    """Return the schema document of the registered type that OLD names; None if OLD is something else."""
    old: str = arguments.old
    if not old.startswith(("registry:", "arn:")):
        return None
    from formwork.aws.clients import open_client
    from formwork.aws.registered_types import describe_schema, parse_registered_type
    from formwork.documents import DocumentFormat, parse_document

    wanted = parse_registered_type(old, kind=kind)
    assert wanted is not None
    client = open_client(
        "cloudformation",
        endpoint=chosen_endpoint(arguments.endpoint_url),
        profile=arguments.profile,
        region=arguments.region,
    )
    return parse_document(describe_schema(client, wanted), name=old, format=DocumentFormat.JSON)


def _load_old(old: str, file: Path) -> "Document":
    from formwork.cli.schema_files import load_schema_at

    path = Path(old)
    return load_schema_at(path) if path.exists() else _load_revision(old, file)


def _load_revision(revision: str, file: Path) -> "Document":
    """Return the document in `file` at a git revision, where it may have been JSON instead of YAML or vice versa."""
    from formwork.documents import parse_document

    names = [file.name, *(file.with_suffix(each).name for each in (".yaml", ".yml", ".json") if each != file.suffix)]
    for name in names if not revision.startswith("-") else ():
        found = _show_revision(f"{revision}:./{name}", file.parent)
        if found is not None:
            return parse_document(found.decode("utf-8", "replace"), name=f"{revision}:{name}")
    raise BadInputError.of(
        "change.old-not-found",
        f'"{revision}" is not a file, a project, or a git revision with {file.name}',
        location=Location(revision),
        expected="an older version of the schema",
    )


def _show_revision(name: str, folder: Path) -> bytes | None:
    command = ["git", "-C", str(folder), "show", name]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - words of our own
    except FileNotFoundError:
        return None  # no git here
    return done.stdout if done.returncode == 0 else None


def _compare(old: "Document", new: "Document", kind: "ExtensionKind") -> "list[Diagnostic]":
    from formwork.extensions import ExtensionKind
    from formwork.schema import load_hook_schema, load_resource_schema
    from formwork.schema_changes import compare_hooks, compare_schemas

    if kind is ExtensionKind.HOOK:
        hooks = load_hook_schema(old), load_hook_schema(new)
        if hooks[0].schema is None or hooks[1].schema is None:
            raise BadInputError(each for loaded in hooks for each in loaded.diagnostics)
        return compare_hooks(hooks[0].schema, hooks[1].schema)
    types = load_resource_schema(old), load_resource_schema(new)
    if types[0].schema is None or types[1].schema is None:
        raise BadInputError(each for loaded in types for each in loaded.diagnostics)
    return compare_schemas(types[0].schema, types[1].schema)
