"""Settings of servers and workers, from the options that `cfn serve` and `cfn worker` share."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.assembly.notices import notice_sender
from formwork.assembly.settings import WorkSettings
from formwork.command_context.egress import unruled_settings
from formwork.command_context.output import CommandOutput
from formwork.command_context.package_proof import aws_options, package_prover
from formwork.command_context.places import cache_folder, home_folder
from formwork.command_context.remote import kept_documents
from formwork.command_context.work_options import lambda_endpoint, rule_folders
from formwork.durable.state_folder import StateFolder

if TYPE_CHECKING:
    from formwork.command_context.reach import AwsForHandlers
    from formwork.invoke import Exchange
    from formwork.lambda_host.http_messages import Request, Response
    from formwork.lambda_host.live_lines import CallWatcher
    from formwork.registry.settings import HandlerSettings


def work_settings(  # noqa: PLR0913 - its dependencies
    arguments: argparse.Namespace,
    output: CommandOutput,
    aws: "AwsForHandlers",
    invoke: "Callable[[Request], Response]",
    state: Path,
    *,
    exchanged: "Callable[[Exchange], None] | None" = None,
    watch: "CallWatcher | None" = None,
) -> WorkSettings:
    """Return the settings of a server or a worker; `state` is the state folder.

    `invoke` is Lambda's Invoke API of a project's functions, `exchanged` receives the exchanges with handlers, `watch`
    is entered around each call.
    """
    return WorkSettings(
        handlers=lambda: _handler_settings(output, aws, exchanged, watch),
        invoke=invoke,
        aws=aws.access,
        moto=aws.moto,
        prove=package_prover(aws_options(arguments, aws.environment), lambda: _handler_settings(output, aws)),
        remote=kept_documents(),
        strict_quotas=arguments.strict_quotas,
        strict_types=arguments.strict_types,
        schema_folders=tuple(each.absolute() for each in (*arguments.schemas, state / "schemas")),
        rule_folders=rule_folders(arguments.rules),
        lambda_endpoint=lambda_endpoint(arguments.lambda_endpoint),
        works=not getattr(arguments, "no_work", False),
        notices=notice_sender(arguments.events, output.say, aws.access if aws.moto is not None else None),
        on_problem=output.say,
    )


def close_state(state: Path, output: CommandOutput) -> None:
    """Remove other users' access to files that older versions wrote into a state folder, and report it."""
    if closed := StateFolder(state).close_to_others():
        entries = "1 file or folder" if closed == 1 else f"{closed:,} files and folders"
        output.say(f'other users could read {entries} in the state folder "{state}"; their rights were removed')


def _handler_settings(
    output: CommandOutput,
    aws: "AwsForHandlers",
    exchanged: "Callable[[Exchange], None] | None" = None,
    watch: "CallWatcher | None" = None,
) -> "HandlerSettings":
    from formwork.registry.settings import HandlerSettings

    more: dict[str, Any] = {} if exchanged is None else {"exchanged": exchanged}
    return HandlerSettings(
        **more,
        watch=watch,
        cache=cache_folder(),
        home=home_folder(),
        user_environment=dict(os.environ),
        aws_environment=aws.environment,
        note=output.say,
        egress=unruled_settings(output),
    )
