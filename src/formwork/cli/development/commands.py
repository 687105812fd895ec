"""Other commands of `cfn`, run in this process: a child could outlive it."""

import copy
import importlib
import io
from collections.abc import Sequence

from formwork.cli.parsing import Parser
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import FormworkError


def run_command(words: Sequence[str], output: CommandOutput, *, silent: bool = False) -> bool:
    """Run `cfn WORDS` as from the command line, and return whether it succeeded; errors are shown.

    `silent` leaves out its result, not its warnings and errors.
    """
    name, *rest = words
    module = importlib.import_module(f"formwork.cli.commands.{name}")
    parser = Parser(prog=f"cfn {name}")
    module.add_arguments(parser)
    used = copy.copy(output)
    if silent:
        used.out = io.StringIO()
    try:
        return bool(module.run(parser.parse_args(rest), used) == 0)
    except FormworkError as error:
        output.show(error.diagnostics)
        return False
