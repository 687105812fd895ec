"""One screen for a working session: each save is validated, generated, tested and deployed, until you quit.

A save validates the project, writes what follows from the schema, runs the tests that the save can touch on handlers
started with the new code, and says which clauses are violated. With --stack and --template, what passes is registered
on this machine, and the stack is created or updated there; a `cfn serve` of yours is used, else one is started for the
session. A module is validated and, with --template, expanded.

Keys: a runs all tests, r replays those that failed, f chooses a handler or a clause to work on, c opens the console, d
shows how to debug, q quits. Without a terminal there are plain lines and no keys. Options of `cfn test` follow `--`,
such as `cfn dev -- --aws moto`.
"""

import argparse
import contextlib
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind

if TYPE_CHECKING:
    from formwork.cli.development.work import Prover


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn dev`."""
    parser.add_argument("--stack", metavar="NAME", help="a stack on this machine to keep up to date; needs --template")
    parser.add_argument(
        "--template", metavar="FILE", type=Path, help="the stack's template; of a module, also to expand"
    )
    parser.add_argument(
        "--parameter", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the stack; repeatable"
    )
    parser.add_argument(
        "--capability", metavar="NAME", action="append", default=[], help="such as CAPABILITY_IAM; repeatable"
    )
    parser.add_argument("test_options", metavar="-- OPTIONS OF cfn test", nargs="*", help="such as -- --aws moto")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Work until the user quits."""
    from formwork.cli.commands.test import choose_seed, settle_options
    from formwork.cli.development.keyboard import NoKeys, open_keys
    from formwork.cli.development.screen import Screen
    from formwork.cli.development.session import Session
    from formwork.cli.development.work import ProjectWork, SessionStack
    from formwork.cli.saved_files import SavedFiles
    from formwork.command_context.schemas_here import open_project

    test = _test_arguments(arguments.test_options)
    settle_options(test, output)
    project = open_project(test, output)
    _check(arguments, project.kind)
    stack = None
    if arguments.stack is not None:
        words = [word for each in arguments.parameter for word in ("--parameter", each)]
        words += [word for each in arguments.capability for word in ("--capability", each)]
        stack = SessionStack(arguments.stack, arguments.template, tuple(words))
    seed = choose_seed(test, output)
    with contextlib.ExitStack() as opened:
        if stack is not None:
            _open_server(opened, output)
        keys = opened.enter_context(open_keys(output))
        whole = not isinstance(keys, NoKeys)
        work = ProjectWork(output, _prover(test, output, seed), stack=stack, template=arguments.template)
        template = () if arguments.template is None else (arguments.template,)
        Session(
            work,
            SavedFiles(Path(), {test.report_file, test.log_file, *_folder_files(test)}, template),
            keys,
            Screen(output, f"cfn dev: {project.type_name}", whole=whole),
            _Commands(test, seed, output),
            stack_template=None if stack is None else os.path.relpath(arguments.template),
        ).run()
    return 0


def _prover(test: argparse.Namespace, output: CommandOutput, seed: int) -> "Prover":
    """Return a function that runs tests as `cfn test` does with these options, and reports what is wrong."""
    from formwork.cli.commands.test import prove_again

    test.quiet = True  # a session has one screen
    return lambda selected: prove_again(test, output, seed, selected)


def _test_arguments(words: list[str]) -> argparse.Namespace:
    """Return the options of `cfn test --watch WORDS`."""
    from formwork.cli.commands.test import add_arguments as add_test_arguments
    from formwork.cli.parsing import Parser

    parser = Parser(prog="cfn dev --")
    add_test_arguments(parser)
    parsed: argparse.Namespace = parser.parse_args(["--watch", *words])
    for option in ("debug_port", "require_proof", "faults", "last_failed", "focus"):
        if getattr(parsed, option) not in (None, False, []):
            raise UsageError(f"cfn dev has no --{option.replace('_', '-')}", hint="run `cfn test` with it")
    return parsed


def _check(arguments: argparse.Namespace, kind: ExtensionKind) -> None:
    """Raise UsageError for options that miss what they need."""
    if arguments.stack is not None and arguments.template is None:
        raise UsageError("--stack needs --template", hint="name the file of the stack's template")
    if arguments.stack is None:
        given = [name for name in ("parameter", "capability") if getattr(arguments, name)]
        if arguments.template is not None and kind is not ExtensionKind.MODULE:
            given.append("template")
        if given:
            raise UsageError(f"--{given[0]} needs --stack", hint="name the stack to deploy")
    if arguments.template is not None and not arguments.template.is_file():
        raise UsageError(f'--template is "{arguments.template}"', hint="a file that exists")


def _folder_files(test: argparse.Namespace) -> list[Path]:
    from formwork.contract_runs.reports import FOLDER_FILES

    return [] if test.report_folder is None else [test.report_folder / each for each in FOLDER_FILES]


def _open_server(opened: contextlib.ExitStack, output: CommandOutput) -> None:
    """Have a server for the session: the user's that runs, else one of our own."""
    from formwork.command_context.registry_target import local_server

    url, started = opened.enter_context(local_server(output, console_ports=[0]))
    output.say(f"{'serving' if started else 'using'} the registry at {url}")


class _Commands:
    """What keys do besides running tests."""

    def __init__(self, test: argparse.Namespace, seed: int, output: CommandOutput) -> None:
        self._test = test
        self._seed = seed
        self._output = output

    def open_console(self) -> None:
        """See `Commands.open_console`."""
        from formwork.cli.development.commands import run_command

        run_command(["console"], self._output)

    def debugging(self, test: str | None) -> str:
        """See `Commands.debugging`."""
        from formwork.contract_runs.reports import replay_command

        chosen = "" if test is None else f" -k {shlex.quote(test.partition('[')[0])}"
        return f"{replay_command(self._test, self._seed)} --debug-port 5678{chosen}"
