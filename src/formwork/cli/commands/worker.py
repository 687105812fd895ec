"""Share the work of servers that keep their state in one PostgreSQL database: stacks, registrations, requests.

`cfn serve --database postgresql://…` answers clients, and any number of workers take what is to be done from the same
database. A stack is worked on by one process as a whole; what a process that died had begun is continued by another one
within seconds, with the same client request tokens. Packages and objects are in the state folder, which all of them
share: the same folder on one machine, a network folder on several.

When the worker is ready, one line `ready worker NAME` goes to standard output; everything else goes to standard error.
Ctrl-C ends it: the others continue what it was doing.
"""

import argparse
import contextlib
from pathlib import Path

from formwork.cli.ending import END_SECONDS, end_within
from formwork.cli.long_lived import keep_memory_flat, stop_requests
from formwork.command_context.handler_options import add_aws_arguments
from formwork.command_context.output import CommandOutput
from formwork.command_context.work_options import (
    add_work_arguments,
    check_database,
    check_schema_folders,
    missing_module,
    not_installed,
    rule_folders,
)
from formwork.private_files.modes import private_umask


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn worker`."""
    parser.add_argument("--database", metavar="URL", required=True, help="postgresql://…, the one of the server")
    parser.add_argument("--state", metavar="DIR", help="the folder of the server's registry (default: this user's)")
    add_work_arguments(parser)
    add_aws_arguments(parser)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Work until a signal comes."""
    check_database(arguments.database)
    check_schema_folders(arguments.schemas)
    rule_folders(arguments.rules)
    if (missing := missing_module()) is not None:
        raise not_installed(missing)
    with private_umask(), stop_requests() as stop, contextlib.ExitStack() as stack:
        name = _work(arguments, output, stack)
        stack.callback(end_within, END_SECONDS, output)  # however it ends: this is the first to hear
        keep_memory_flat()
        output.result(f"ready worker {name}")
        output.out.flush()
        output.say("working; Ctrl-C ends it")
        while not stop.wait(0.5):  # in pieces, since Windows lets no Ctrl-C through a wait without end
            pass
    return 0


def _work(arguments: argparse.Namespace, output: CommandOutput, stack: contextlib.ExitStack) -> str:
    """Begin to work until the end of the stack; the worker's name."""
    from formwork.assembly.assemble import assemble
    from formwork.assembly.remote_functions import RemoteFunctions
    from formwork.aws.temporary_keys import SESSIONS, TemporaryKeys
    from formwork.command_context.places import state_folder, take_state_key
    from formwork.command_context.reach import aws_for_handlers, moto_of_server
    from formwork.command_context.work import close_state, work_settings
    from formwork.durable import open_database
    from formwork.durable.state_folder import StateFolder
    from formwork.object_store.store import ObjectStore

    state = Path(arguments.state).absolute() if arguments.state is not None else state_folder()
    folder = StateFolder(state)
    if arguments.aws == "moto":
        aws = moto_of_server(folder.moto).with_stacks_of(folder.read_address())
    else:
        aws = stack.enter_context(aws_for_handlers(arguments, output))
    database = open_database(arguments.database, state=state, key=take_state_key())
    stack.callback(database.close)
    close_state(state, output)
    functions = RemoteFunctions(folder.read_address, TemporaryKeys(database.derive_key(SESSIONS)))
    settings = work_settings(arguments, output, aws, functions.respond, state)
    return assemble(database, ObjectStore(state / "objects"), settings, stack).worker
