"""Package the project in this folder and register it with CloudFormation, or with the registry on this machine.

With AWS, the package goes to the bucket of the stack CloudFormationManagedUploadInfrastructure, and the handlers' role
is made by the stack <type>-role-stack from resource-role.yaml or hook-role.yaml. A registry on this machine (--local,
or --endpoint-url http://127.0.0.1:3001) needs neither. With --dry-run the package is made and nothing registered.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from formwork.cli.packaging import add_package_arguments, make_package, package_into
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget, add_target_arguments, reach_registry
from formwork.command_context.schemas_here import open_project, schemas_here
from formwork.command_context.status_line import StatusLine
from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.private_files.temporary import TemporaryFolder

if TYPE_CHECKING:
    from formwork.project import Project
    from formwork.submit import RegistrationTarget, Submission


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn submit`, the incumbent's all."""
    parser.add_argument("--dry-run", action="store_true", help="package the project without registering it")
    parser.add_argument("--set-default", action="store_true", help="make the new version the default one")
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--role-arn", metavar="ARN", help="the role that the handlers are called with")
    role.add_argument("--use-role", action="store_true", help="make the role from the project's template (the default)")
    role.add_argument("--no-role", action="store_true", help="register without a role")
    add_target_arguments(parser, what="the registry to register with")
    add_package_arguments(parser)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Package, and register."""
    if arguments.dry_run:
        return make_package(arguments, output)
    from formwork.aws.sessions import ROLE_ARN, expect_boto3
    from formwork.submit import register_package

    if arguments.role_arn is not None and not ROLE_ARN.fullmatch(arguments.role_arn):
        raise UsageError(
            f'"{arguments.role_arn}" is not the ARN of a role', hint="such as arn:aws:iam::123456789012:role/Name"
        )
    project = open_project(arguments, output)
    expect_boto3()  # before anything is built
    with reach_registry(arguments, output) as reached, TemporaryFolder("submit") as folder:
        target = _target(reached, output)  # before anything is built; one on this machine starts meanwhile
        here = schemas_here(arguments.schemas, output, registry=target.cloudformation)
        project = replace(project, schemas_at_hand=here)
        package = folder / f"{project.hyphenated_name}.zip"
        _write_module_schema(project, output)
        package_into(package, project, arguments, output)
        progress = _Progress(output)
        submission = _submission(project, package, arguments, output, progress)
        try:
            done = register_package(
                target, submission, started=lambda token: output.result(f"Registration token: {token}")
            )
        finally:
            progress.end()
    output.result(f"Type ARN: {done.type_arn}")
    output.result(f"Version ARN: {done.version_arn}")
    if arguments.set_default:
        output.say(f"version {done.version} is now the default version")
    elif done.default_version not in (None, done.version):
        output.say(
            f"the default version is still {done.default_version}; `cfn submit --set-default` makes it {done.version}"
        )
    return 0


def _target(reached: RegistryTarget, output: CommandOutput) -> "RegistrationTarget":
    from formwork.submit import RegistrationTarget

    try:
        return RegistrationTarget(
            reached.client("cloudformation"), reached.client("s3"), reached.client("sts"), local=reached.local
        )
    except EnvironmentProblemError:
        if not reached.local:
            output.say("`cfn submit --local` registers on this machine, without AWS")
        raise


def _submission(
    project: "Project", package: Path, arguments: argparse.Namespace, output: CommandOutput, progress: "_Progress"
) -> "Submission":
    from formwork.submit import Submission

    return Submission(
        kind=project.kind,
        type_name=project.type_name,
        hyphenated_name=project.hyphenated_name,
        package=package,
        role_arn=arguments.role_arn,
        role_template=None if arguments.no_role else _role_template(project),
        set_default=arguments.set_default,
        say=output.say,
        waiting=progress.show,
    )


def _role_template(project: "Project") -> Path | None:
    """Return the file that the handlers' role is made from; None where there are no handlers."""
    from formwork.extensions import ExtensionKind
    from formwork.project.schema_file import expect_project_schema

    if project.kind is ExtensionKind.MODULE or not expect_project_schema(project)[0].value.get("handlers"):
        return None
    return project.root / f"{project.kind.noun}-role.yaml"


def _write_module_schema(project: "Project", output: CommandOutput) -> None:
    """Write a module's `schema.json`, which follows from its fragment."""
    from formwork.extensions import ExtensionKind

    if project.kind is not ExtensionKind.MODULE:
        return
    from formwork.cli.writing import tell_written
    from formwork.diagnostics import BadInputError
    from formwork.generate.plan import managed
    from formwork.generate.write import write_plan
    from formwork.project.module import load_module, render_module_schema

    module = load_module(project)
    if module.template is None or not module.valid:
        raise BadInputError(module.diagnostics)
    plan = {"schema.json": managed(render_module_schema(project, module.template))}
    tell_written(write_plan(plan, project.root), output)


class _Progress:
    """Shows the stage of a registration: one line that is rewritten on a terminal, else one line per stage."""

    def __init__(self, output: CommandOutput) -> None:
        self._output = output
        self._line = StatusLine(output.err, colour=output.colour) if output.terminal else None
        self._shown = ""

    def show(self, description: str, seconds: float) -> None:
        """Show the stage that the registration is in, and for how long it has been waited for."""
        stage = description.partition(";")[0].strip() or "in progress"
        if self._line is not None:
            self._line.show(f"{stage} ({seconds:.0f} s)")
        elif stage != self._shown:
            self._output.say(stage)
        self._shown = stage

    def end(self) -> None:
        """Clear the line."""
        if self._line is not None:
            self._line.clear()
