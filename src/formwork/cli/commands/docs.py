"""Write pages about resource types, hooks and modules, for those who use them.

Each TYPE is a project's folder, a schema file or a type in a registry (NAME, registry:NAME@00000003 or an ARN; without
options that name another registry, the one on this machine); by default the project here. Of a registered type the
pages show what each version changed; of others, with --since, what changed since an older schema. Versions of
modules are not compared.

The HTML needs no server and loads nothing from elsewhere. Files that this command did not write are never changed.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.writing import tell_written
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import add_target_arguments
from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.extensions import ExtensionKind
from formwork.generate.write import write_plan

if TYPE_CHECKING:
    from formwork.generate.plan import Plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `cfn docs`."""
    parser.add_argument("types", metavar="TYPE", nargs="*", default=[], help="what to describe (default: here)")
    parser.add_argument("--format", choices=("html", "markdown"), default="html", help="the form of the pages")
    parser.add_argument(
        "--output", metavar="DIR", type=Path, default=Path("site"), help='the folder to write to (default: "site")'
    )
    parser.add_argument("--title", default="Types", help='the title of the index (default: "Types")')
    parser.add_argument(
        "--since", metavar="OLD", help="an older schema or project of the one TYPE, to show what changed"
    )
    add_target_arguments(parser, what="the registry that has the types by name")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Describe, write, tell."""
    from formwork.command_context.described_extensions import find_extensions
    from formwork.type_pages import describe_type, plan_pages

    found = find_extensions(arguments.types, arguments, output, with_versions=True)
    versions = [each.versions for each in found]
    if arguments.since is not None:
        if len(found) != 1:
            raise UsageError("--since is for one type", hint="name one TYPE")
        if found[0].kind is ExtensionKind.MODULE:
            raise UsageError("versions of modules are not compared", hint="compare their fragments with git diff")
        (old,) = find_extensions([arguments.since], arguments, output)
        if (old.kind, old.type_name) != (found[0].kind, found[0].type_name):
            raise UsageError(f'--since names "{old.type_name}", not an older "{found[0].type_name}"')
        versions = [((old.version_id or arguments.since, old.schema), (found[0].version_id or "now", found[0].schema))]
    pages = [describe_type(each.schema, shown) for each, shown in zip(found, versions, strict=True)]
    plan = plan_pages(pages, title=arguments.title, as_html=arguments.format == "html")
    _expect_own(plan, arguments.output)
    tell_written(write_plan(plan, arguments.output), output)
    first = "index.html" if arguments.format == "html" else "README.md"
    output.result(f"Wrote {len(pages)} page{'' if len(pages) == 1 else 's'}: {arguments.output / first}")
    return 0


def _expect_own(plan: "Plan", folder: Path) -> None:
    """Refuse to replace a file that an earlier run did not write."""
    from formwork.type_pages.plan import MARK

    for name in plan:
        path = folder / name
        if path.is_file() and MARK not in path.read_text(encoding="utf-8", errors="replace")[:500]:
            hint = "write to another folder with --output, or move the file away"
            raise EnvironmentProblemError(f'"{path}" is not a page of `cfn docs`, and would be replaced', hint=hint)
