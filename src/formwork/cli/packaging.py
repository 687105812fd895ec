"""Shared by `cfn package` and `cfn submit`: building a package from options, and describing it."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from formwork.command_context.output import CommandOutput
from formwork.command_context.places import cache_folder
from formwork.command_context.schemas_here import add_schema_arguments, open_project
from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind
from formwork.languages.packages import package_build
from formwork.package.package import MAX_UNPACKED_BYTES, PackageReport, package_project
from formwork.package.provider import PackagingSettings, ProviderBuild
from formwork.package.template import Architecture
from formwork.project import Project


def add_package_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of packaging."""
    parser.add_argument(
        "--architecture",
        choices=[str(each) for each in Architecture],
        help="the processor architecture on Lambda (default: that of template.yml, else x86_64)",
    )
    parser.add_argument(
        "--aws-runtime", action="store_true", help="keep AWS's cloudformation-cli-python-lib instead of Formwork's own"
    )
    parser.add_argument("--refresh", action="store_true", help="resolve the dependencies again, without the cache")
    add_schema_arguments(parser)
    docker = parser.add_mutually_exclusive_group()
    docker.add_argument("--use-docker", action="store_true", help="refused: packages are built without Docker")
    docker.add_argument("--no-docker", action="store_true", help="accepted: packages are built without Docker")


def make_package(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Package the project in this folder into `<type>.zip` here, and print the summary."""
    project = open_project(arguments, output)
    report = package_into(Path(f"{project.hyphenated_name}.zip"), project, arguments, output)
    output.result(f"Dry run complete: {report.path.resolve()}")
    return 0


def package_into(path: Path, project: Project, arguments: argparse.Namespace, output: CommandOutput) -> PackageReport:
    """Package `project` into the zip file `path`, print a summary, and return the report."""
    if arguments.use_docker:
        raise UsageError(
            "packages are built without Docker", hint="leave --use-docker out: wheels for Lambda are chosen without it"
        )
    report = package_project(project, path, build=_build(project, arguments, output))
    output.show(report.diagnostics)
    _tell_targets(report.targets_at_hand, output)
    _tell(report, output)
    return report


def _build(project: Project, arguments: argparse.Namespace, output: CommandOutput) -> ProviderBuild | None:
    """Return how the project's language is built; None for a module, which has no code."""
    if project.kind is ExtensionKind.MODULE:
        return None
    settings = PackagingSettings(
        environment=dict(os.environ),
        cache=cache_folder(),
        say=output.say,
        architecture=_architecture(project, arguments.architecture),
        refresh=arguments.refresh,
        aws_runtime=arguments.aws_runtime,
    )
    return package_build(project, settings)


def _architecture(project: Project, named: str | None) -> Architecture:
    from formwork.package.template import architecture_of

    return Architecture(named) if named else architecture_of(project.root / "template.yml")


def _tell_targets(names: Sequence[str], output: CommandOutput) -> None:
    if names:
        some = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
        output.say(f"target schemas of this machine (`cfn generate` would keep them in the project): {some}")


def _tell(report: PackageReport, output: CommandOutput) -> None:
    if not report.unpacked:
        output.say(f"packaged: {megabytes(report.size)}")
        return
    target = f" for {report.target}" if report.target else ""
    output.say(f"packaged{target}: {megabytes(report.size)}, {megabytes(report.unpacked)} unpacked")
    for remark in report.remarks:
        output.say(remark)
    for each in report.left_out:
        output.say(f"left out: {each.what}, {megabytes(each.size)}: {each.reason}")
    if report.unpacked > MAX_UNPACKED_BYTES:
        output.say(f"warning: Lambda unpacks at most {megabytes(MAX_UNPACKED_BYTES)}")


def megabytes(size: int) -> str:
    """`1.2 MB`; `12 KB` below that."""
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{max(1, round(size / 1000))} KB"
