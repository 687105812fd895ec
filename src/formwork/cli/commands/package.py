"""Package the project in this folder for registration, as <type>.zip.

The same as `cfn submit --dry-run`. Dependencies are resolved for Lambda's Python and architecture without Docker; what
Lambda has or nothing imports is left out, and told.
"""

import argparse

from formwork.cli.packaging import add_package_arguments, make_package
from formwork.command_context.output import CommandOutput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn package`."""
    add_package_arguments(parser)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Package."""
    return make_package(arguments, output)
