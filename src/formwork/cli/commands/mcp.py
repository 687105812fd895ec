"""Serve the Model Context Protocol on standard input and output, for coding agents.

The tools validate, explain, scaffold, generate, test, register, deploy and compare, on this machine and without AWS
credentials: docs/how-to/work-with-an-agent.md. Their paths lead into this folder, and into those of --folder. A tool
that runs a project's code says so, and does nothing without `confirm: true`.
"""

import argparse
from pathlib import Path

from formwork.cli.long_lived import keep_memory_flat
from formwork.command_context.output import CommandOutput
from formwork.diagnostics.errors import EnvironmentProblemError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn mcp`."""
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="another folder that the tools may use, besides this one (repeatable)",
    )


def run(arguments: argparse.Namespace, _output: CommandOutput) -> int:
    """Serve until the client ends."""
    from formwork.agents.folders import AllowedFolders
    from formwork.diagnostics.extras import install_extra

    folders = AllowedFolders([Path(), *arguments.folder])
    try:
        import anyio

        from formwork.agents.server import AgentServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"anyio", "mcp", "mcp_types"}:
            raise
        raise EnvironmentProblemError(
            "the Model Context Protocol's library is not installed", hint=install_extra("mcp")
        ) from None
    keep_memory_flat()
    anyio.run(AgentServer(folders).serve)
    return 0
