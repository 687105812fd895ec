"""What a run of `cfn test` tests: the schema, its configuration, and how the handlers are called."""

import argparse
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.command_context.output import CommandOutput
from formwork.contract_runs.stale_models import warn_about_stale_models
from formwork.diagnostics import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from formwork.contract_runs.settings import ContractSettings
    from formwork.egress.enforcement import EnforcedPermissions
    from formwork.invoke.masking import Masker
    from formwork.project import Project
    from formwork.schema import HookSchema, ResourceSchema

_MANY_TARGETS = 100  # of a hook: reading their schemas takes a while


class TestedProject(Struct, frozen=True):
    """What a run tests: `seconds` is what the longest invocation may take."""

    schema: "ResourceSchema | HookSchema"
    configuration: "Mapping[str, Any] | None"
    settings: "ContractSettings"
    masker: "Masker"
    seconds: float


def read_tested(
    arguments: argparse.Namespace,
    project: "Project",
    output: CommandOutput,
    seed: int,
    new_token: "Callable[[], str] | None",
) -> TestedProject:
    """Return what the project has to test; `new_token` makes client request tokens.

    Raises:
        BadInputError: its schema or configuration is not valid.
        UsageError: options that do not go together.
    """
    from formwork.extensions import ExtensionKind

    read = _read_hook if project.kind is ExtensionKind.HOOK else _read_resource
    return read(arguments, project, output, seed, new_token)


def enforced_permissions(
    arguments: argparse.Namespace, schema: "ResourceSchema | HookSchema"
) -> "EnforcedPermissions | None":
    """Return the permissions that `--enforce-iam` enforces; None without it."""
    if not arguments.enforce_iam:
        return None
    from formwork.command_context.reach import LOCAL_ACCOUNT
    from formwork.egress.enforcement import EnforcedPermissions

    return EnforcedPermissions({name: each.permissions for name, each in schema.handlers.items()}, LOCAL_ACCOUNT)


def _read_resource(
    arguments: argparse.Namespace,
    project: "Project",
    output: CommandOutput,
    seed: int,
    new_token: "Callable[[], str] | None",
) -> TestedProject:
    from formwork.command_context.configurations import resource_configuration
    from formwork.contract.project_subjects import expect_schema
    from formwork.contract_runs.settings import read_settings
    from formwork.invoke.masking import Masker

    schema = expect_schema(project)
    settings = read_settings(arguments, seed, new_token=new_token)
    warn_about_stale_models(project, schema, output)
    configuration, warnings = resource_configuration(schema, arguments.typeconfig)
    output.show(warnings)
    return TestedProject(schema, configuration, settings, Masker.of_resource(schema), settings.limits.write_seconds)


def _read_hook(
    arguments: argparse.Namespace,
    project: "Project",
    output: CommandOutput,
    seed: int,
    new_token: "Callable[[], str] | None",
) -> TestedProject:
    from formwork.command_context.configurations import expect_hook, hook_configuration
    from formwork.contract_runs.settings import read_settings
    from formwork.invoke.project_masks import project_masker

    if arguments.simulated:
        raise UsageError("--simulated stands in for the handlers of a resource type: nothing says what a hook refuses")
    schema, warnings = expect_hook(project)
    output.show(warnings)
    configuration, warnings = hook_configuration(schema, arguments.typeconfig)
    output.show(warnings)
    settings = read_settings(arguments, seed, new_token=new_token)
    targets = {name for handler in schema.handlers.values() for name in handler.target_names}
    if len(targets) > _MANY_TARGETS:
        output.say(f"reading the schemas of {len(targets):,} targets")
    warn_about_stale_models(project, schema, output)
    return TestedProject(schema, configuration, settings, project_masker(project), settings.limits.read_seconds)
