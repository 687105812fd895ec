"""The entry point of `cfn`: finds the command, runs it, turns errors into exit codes.

Exit codes: 0 fine, 1 findings or bad input, 2 usage, 3 environment or remote, 70 a bug of ours, 130 Ctrl-C.
A command's module is imported only when that command is named, and the error tree only when there is an error, so that
`cfn --help` costs nothing.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from functools import partial
from types import ModuleType

from formwork import __version__
from formwork.cli.interrupts import install_handler, was_interrupted
from formwork.cli.parsing import Parser
from formwork.command_context.output import CommandOutput

# Name → one line of help; the module is formwork.cli.commands.<name with "_" for "-">.
COMMANDS: dict[str, str] = {
    "init": "create a project in this folder",
    "validate": "check projects and schemas, all problems at once",
    "docs": "write pages about types, hooks and modules, for those who use them",
    "diff": "show what breaks users between two versions of a schema",
    "generate": "write models, documentation and the role's template from the schema",
    "invoke": "call one handler as CloudFormation does",
    "serve": "serve a local registry and the functions of this project",
    "console": "open the console of the server that runs, in a browser",
    "worker": "share the work of servers on one PostgreSQL database",
    "test": "test the handlers against the handler contract",
    "dev": "validate, test and deploy what you save, on one screen",
    "permissions": "compare the handlers' permissions with what they used, and fill them in",
    "package": "package the project for registration",
    "submit": "package the project and register it",
    "registry": "list and change registered types, on this machine or in AWS",
    "stack": "deploy templates as stacks and show them, on this machine or in AWS",
    "hook": "try hooks without deploying, and set up AWS's managed hooks",
    "module": "expand the modules of a template",
    "convert": "convert Smithy models to resource schemas",
    "smithy": "validate, format, print and query Smithy models",
    "lsp": "serve editors: diagnostics, completion and more while you type",
    "mcp": "serve coding agents: validate, test, register and deploy as tools",
    "completion": "print the script that completes command lines in bash, zsh or fish",
}

# Commands of AWS's cfn that have no counterpart, and why.
_LEFT_OUT = {
    "build-image": "handlers run as plain processes here: `cfn test`, `cfn invoke` and `cfn serve` need no image",
}

# They start handlers, which must not read this process's environment.
_START_HANDLERS = frozenset({"invoke", "serve", "worker", "test", "dev", "submit", "registry", "stack"})

EXIT_ENVIRONMENT = 3
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None, output: CommandOutput | None = None) -> int:
    """Run `cfn` with `argv` (the process's own by default) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    output = output or CommandOutput.of_process()
    install_handler()
    try:
        code = _run(arguments, output)
        output.out.flush()  # a reader that went away or a full disk shows here, while it can still be reported
    except SystemExit as stop:  # argparse: help and version were shown, or the words make no sense
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        output.say("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`cfn … | head`): there is no reader to report it to.
        _discard_stdout()
        return 0
    except Exception as error:  # noqa: BLE001 - the boundary: whatever gets here is shown, and no traceback is
        if not was_interrupted():
            return _report(error, output)
        output.say("interrupted")
        return EXIT_INTERRUPTED
    # Code in between, such as a test runner, may have taken the interrupt for a failure of what it ran.
    return EXIT_INTERRUPTED if code and was_interrupted() else code


def _run(arguments: list[str], output: CommandOutput) -> int:
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may follow: formwork.cli.completing
        _complete(output)
    name = next((each for each in arguments if not each.startswith("-")), None)
    module = _expect_module(name) if name is not None else None
    parser = _parser(name, module, output, alone=arguments[:1] == [name])
    parsed = parser.parse_args(arguments)
    if parsed.version:
        output.result(f"cfn {__version__} (formwork)")
        return 0
    if module is None:
        parser.print_help()
        return 0
    output.verbosity = parsed.verbose + parsed.verbose_before
    if name in _START_HANDLERS:
        from formwork.cli.private_environment import conceal_environment

        conceal_environment()
    code: int = module.run(parsed, output)
    return code


def _complete(output: CommandOutput) -> None:
    from formwork.cli.completing import complete

    complete(lambda name: _parser(name, None if name is None else _expect_module(name), output), COMMANDS)


def _parser(
    name: str | None, module: ModuleType | None, output: CommandOutput, *, alone: bool = False
) -> argparse.ArgumentParser:
    """Return the parser of the whole line: every command by its name, the options of the one that is named.

    `alone`: without the other commands (2 ms), which a line that begins with a command can't name.
    """
    width = _columns() - 2  # as argparse has it; asked for it argparse would import shutil and all its archives (3 ms)
    parser = Parser(
        prog="cfn",
        formatter_class=partial(argparse.HelpFormatter, width=width),
        description="Develop CloudFormation extensions on one machine.",
        epilog="`cfn COMMAND --help` shows the options of a command.",
    )
    parser.show = output.result
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    parser.add_argument("-v", "--verbose", dest="verbose_before", action="count", default=0, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", prog="cfn")
    for each, summary in (COMMANDS if name is None or not alone else {name: COMMANDS[name]}).items():
        if each != name or module is None:
            commands.add_parser(each, help=summary, add_help=False)
            continue
        chosen = commands.add_parser(
            each,
            help=summary,
            description=module.__doc__,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=width),
        )
        chosen.show = output.result
        chosen.add_argument("-v", "--verbose", action="count", default=0, help="print more (-vv: still more)")
        module.add_arguments(chosen)
    return parser


def _columns() -> int:
    """Return how wide the terminal is: what COLUMNS says, else the terminal itself, else 80."""
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 80
    except (OSError, ValueError):  # no terminal
        return 80


def _expect_module(name: str) -> ModuleType:
    if name in COMMANDS:
        return importlib.import_module(f"formwork.cli.commands.{name.replace('-', '_')}")
    import difflib

    from formwork.diagnostics.errors import UsageError

    if name in _LEFT_OUT:
        raise UsageError(f'cfn has no command "{name}"', hint=_LEFT_OUT[name])
    near = difflib.get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    hint = f"did you mean `cfn {near[0]}`?" if near else f"the commands are {', '.join(COMMANDS)}"
    raise UsageError(f'unknown command "{name}"', hint=hint)


def _report(error: Exception, output: CommandOutput) -> int:
    """Show `error`; a foreseen one as its diagnostics, any other as the bug it is."""
    from formwork.diagnostics.errors import FormworkError

    try:
        if isinstance(error, FormworkError):
            output.show(error.diagnostics)
            return error.exit_code
        if isinstance(error, OSError) and error.strerror:
            return _report_environment(error, output)
        return _report_bug(error, output)
    except BrokenPipeError:  # stderr's reader went away too
        return EXIT_BUG


def _report_environment(error: OSError, output: CommandOutput) -> int:
    """Report an error of the operating system (a full disk, a missing folder, no permission); return the exit code."""
    import errno

    from formwork.diagnostics.errors import EnvironmentProblemError

    said = error.strerror or str(error)
    if error.filename is not None:
        said = f'"{error.filename}": {said}'
    elif isinstance(error, FileNotFoundError):  # only the system's word for "where am I" has no name
        said = "the current folder does not exist any more"
    elif error.errno in {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}:
        said = f"the output cannot be written: {said}"
    output.show(EnvironmentProblemError(said).diagnostics)
    if error.filename is None:
        _discard_stdout()  # it may be stdout that is full: Python would try once more at exit and print a traceback
    return EXIT_ENVIRONMENT


def _report_bug(error: Exception, output: CommandOutput) -> int:
    import traceback

    from formwork.diagnostics.internal_errors import error_and_place

    if os.environ.get("FORMWORK_TRACEBACK"):
        traceback.print_exception(error, file=output.err)
    output.say(f"cfn: a bug in Formwork: {error_and_place(error)}")
    output.say("  = help: report it with the traceback that FORMWORK_TRACEBACK=1 prints; your input is not the cause")
    return EXIT_BUG


def _discard_stdout() -> None:
    """Let Python's last flush at exit go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):  # stdout is not a file, as in tests: nothing to do
        return


if __name__ == "__main__":
    sys.exit(main())
