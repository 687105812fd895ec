"""The entry point of `cfn`: finds the command, runs it, turns errors into exit codes.

Exit codes: 0 fine, 1 findings or bad input, 2 usage, 3 environment or remote, 70 a bug of ours, 130 Ctrl-C.
A command's module is imported only when that command is named, so that `cfn --help` costs nothing.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from formwork import __version__
from formwork.cli.output import Output
from formwork.diagnostics.errors import FormworkError

# Name → one line of help; the module is formwork.cli.commands.<name with "_" for "-">.
COMMANDS: dict[str, str] = {}

EXIT_BUG = 70
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run `cfn` with `argv` (the process's own by default) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    output = Output.of_process()
    try:
        return _run(arguments, output)
    except FormworkError as error:
        output.show(error.diagnostics)
        return error.exit_code
    except KeyboardInterrupt:
        output.say("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`cfn … | head`): nothing is left to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the boundary: whatever gets here is our bug, and the user must hear of it
        return _report_bug(error, output)


def _run(arguments: list[str], output: Output) -> int:
    name = next((each for each in arguments if not each.startswith("-")), None)
    parser = argparse.ArgumentParser(prog="cfn", description="Develop CloudFormation extensions on one machine.")
    parser.add_argument("--version", action="version", version=f"cfn {__version__} (formwork)")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    module: ModuleType | None = None
    for each, summary in COMMANDS.items():
        if each != name:
            commands.add_parser(each, help=summary, add_help=False)
            continue
        module = importlib.import_module(f"formwork.cli.commands.{each.replace('-', '_')}")
        chosen = commands.add_parser(each, help=summary, description=module.__doc__)
        chosen.add_argument("-v", "--verbose", action="count", default=0, help="say more about what is going on")
        module.add_arguments(chosen)
    parsed = parser.parse_args(arguments)
    if module is None:
        parser.print_help(output.out)
        return 0
    output.verbosity = parsed.verbose
    code: int = module.run(parsed, output)
    return code


def _report_bug(error: Exception, output: Output) -> int:
    import traceback

    if os.environ.get("FORMWORK_TRACEBACK"):
        traceback.print_exception(error, file=output.err)
    place = traceback.extract_tb(error.__traceback__)[-1]
    output.say(f"cfn: a bug in Formwork: {type(error).__name__}: {error} ({place.filename}:{place.lineno})")
    output.say("  = help: set FORMWORK_TRACEBACK=1 for the whole traceback, and report it; it isn't your input's fault")
    return EXIT_BUG


if __name__ == "__main__":
    sys.exit(main())
