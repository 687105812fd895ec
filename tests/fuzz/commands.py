"""`cfn` in this process, without the boundary that would show a defect as a bug of Formwork."""

import functools
import importlib
import io

from formwork.cli import main
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import FormworkError


def run_command(*words):
    """Run a command; the exit code. What it foresees becomes one, everything else is raised."""
    output = CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)
    module, parser = _command(words[0])
    parsed = parser.parse_args([str(each) for each in words])
    output.verbosity = 0
    try:
        return module.run(parsed, output)
    except FormworkError as error:
        output.show(error.diagnostics)
        return error.exit_code


@functools.cache
def _command(name):
    module = importlib.import_module(f"formwork.cli.commands.{name}")
    quiet = CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)
    return module, main._parser(name, module, quiet)
