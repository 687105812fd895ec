"""Keep a local CloudFormation registry up, and the Lambda functions of the project in this folder.

One port answers CloudFormation, S3 for packages, STS, roles of IAM, CloudWatch Logs for reading, and
Lambda's Invoke for the project's functions, to boto3, the AWS CLI and every other client. Handlers run as plain
processes on the Python that template.yml names, without Docker. What is registered stays in the state folder.

`--console-port` is where people look at stacks, resources and types in a browser; the one-time link that begins a
session is shown, and `cfn console` makes another one.

When the service answers, one line `ready http://HOST:PORT` goes to standard output; everything else goes to standard
error. Ctrl-C ends it.
"""

import argparse
import contextlib
import functools
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.ending import END_SECONDS, end_within
from formwork.cli.long_lived import StopRequest, keep_memory_flat, stop_requests
from formwork.command_context.handler_options import DEFAULT_REGION, add_aws_arguments
from formwork.command_context.output import CommandOutput
from formwork.command_context.remote import kept_documents
from formwork.command_context.schemas_here import schemas_here
from formwork.command_context.work_options import (
    HINT,
    add_work_arguments,
    check_database,
    check_schema_folders,
    missing_module,
    not_installed,
    rule_folders,
)
from formwork.diagnostics.errors import FormworkError, UsageError

if TYPE_CHECKING:
    from formwork.command_context.reach import AwsForHandlers
    from formwork.command_context.registry_service import Served
    from formwork.invoke.masking import Masker
    from formwork.lambda_host.host import LambdaHost
    from formwork.project import Project
    from formwork.request_guard import RequestGuard

_CONSOLE_PORT = 3011
_WAIT_SECONDS = 0.2  # between looks at a signal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn serve`."""
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=int, default=3001, help="default: 3001; 0 picks a free one")
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="answer clients that reach this machine as NAME, too (may be given several times)",
    )
    parser.add_argument(
        "--console-port",
        metavar="N",
        type=int,
        help=f"where the console listens, on this machine only (default: {_CONSOLE_PORT}, or a free one)",
    )
    parser.add_argument("--no-console", action="store_true", help="serve no console")
    parser.add_argument("--concurrency", metavar="N", type=int, default=10, help="processes a function (default: 10)")
    parser.add_argument("--region", metavar="NAME", default=DEFAULT_REGION, help=f"default: {DEFAULT_REGION}")
    group = parser.add_argument_group("the registry")
    where = group.add_mutually_exclusive_group()
    where.add_argument("--state", metavar="DIR", help="the folder of the registry (default: one for this user)")
    where.add_argument("--ephemeral", action="store_true", help="keep nothing: a state folder for this run only")
    group.add_argument("--database", metavar="URL", help="postgresql://… instead of SQLite in the state folder")
    group.add_argument(
        "--no-work", action="store_true", help="with --database: answer only, and leave the work to `cfn worker`"
    )
    group.add_argument(
        "--durability",
        choices=["normal", "full"],
        default="normal",
        help="what survives: every crash (normal, the default), or the loss of power too (full, slower)",
    )
    group.add_argument(
        "--require-auth", action="store_true", help="verify signatures, against the keys in `credentials` of the folder"
    )
    add_work_arguments(group)
    add_aws_arguments(parser)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Serve until a signal comes."""
    from formwork.command_context.reach import aws_for_handlers

    _check(arguments)
    project = _project(arguments, output)
    guard = _guard(arguments)
    with stop_requests() as stop, contextlib.ExitStack() as stack:
        aws = stack.enter_context(aws_for_handlers(arguments, output))
        functions = None if project is None else _Functions(project, arguments, output, aws, stack)
        missing = missing_module()
        if missing is None:
            from formwork.command_context.registry_service import serve_registry

            served = stack.enter_context(
                serve_registry(
                    arguments,
                    output,
                    aws=aws,
                    host=None if functions is None else functions.host,
                    guard=guard,
                    console_ports=_console_ports(arguments),
                )
            )
            stack.callback(end_within, END_SECONDS, output)  # however it ends: this is the first to hear
            if not _wait_for(served, stop):
                return 0
            address, failure, links = served.url, served.failure, served.links
        elif functions is None:
            raise not_installed(missing)
        else:
            output.say(f"the registry is not served: it is not installed (no module {missing}); {HINT}")
            address = functions.host.serve(host=arguments.host, port=arguments.port, guard=guard)
            failure, links = _no_failure, None
        keep_memory_flat()
        _tell(address, arguments, functions, output)
        if links is not None:
            from formwork.console.links import PRINTED_SECONDS

            output.say(f"console: {links.make(PRINTED_SECONDS)}")
        while not stop.wait(0.5):  # in pieces, since Windows lets no Ctrl-C through a wait without end
            if (error := failure()) is not None:
                raise error
            if functions is not None:
                functions.reload()
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that can't be used."""
    if arguments.concurrency < 1:
        raise UsageError(f"--concurrency is {arguments.concurrency}", hint="1 or more")
    if not 0 <= arguments.port < 65536:
        raise UsageError(f"--port is {arguments.port}", hint="a port from 1 to 65535, or 0 for a free one")
    if not 0 <= (arguments.console_port or 0) < 65536:
        raise UsageError(
            f"--console-port is {arguments.console_port}", hint="a port from 1 to 65535, or 0 for a free one"
        )
    if arguments.no_console and arguments.console_port is not None:
        raise UsageError("--no-console and --console-port exclude each other")
    check_schema_folders(arguments.schemas)
    rule_folders(arguments.rules)
    check_database(arguments.database)
    if arguments.no_work and arguments.database is None:
        raise UsageError("--no-work needs --database: without it no worker can do the work")


def _console_ports(arguments: argparse.Namespace) -> list[int]:
    """Return the ports to try for the console, in order: none for no console, 0 for any free one."""
    if arguments.no_console:
        return []
    if arguments.console_port is not None:
        return [arguments.console_port]
    return [0] if arguments.port == 0 else [_CONSOLE_PORT, 0]


def _guard(arguments: argparse.Namespace) -> "RequestGuard":
    """Return the guard that refuses requests for other host names than this machine's and those of --allow-host."""
    from formwork.request_guard import RequestGuard, host_name, machine_names

    names = set(machine_names(arguments.host))
    for given in arguments.allow_host:
        name = host_name(given)
        if name is None:
            raise UsageError(f'--allow-host is "{given}"', hint="a host name or an IP address, without scheme and port")
        names.add(name)
    return RequestGuard(names)


def _wait_for(served: "Served", stop: StopRequest) -> bool:
    """Wait until the registry answers; return False if a signal ended the wait.

    Raises:
        Exception: why it can't answer.
    """
    while not served.settled(_WAIT_SECONDS):
        if stop.made:
            return False
    if (error := served.failure()) is not None:
        raise error
    return True


def _no_failure() -> Exception | None:
    return None


def _project(arguments: argparse.Namespace, output: CommandOutput) -> "Project | None":
    """Return the project in this folder; None where there is none."""
    from formwork.project import CONFIG_FILE, load_project

    if not Path(CONFIG_FILE).exists():
        return None
    here = schemas_here(arguments.schemas, output, running=False)  # this one starts only now
    project = load_project(Path(), remote=kept_documents(), schemas_at_hand=here)
    output.show(project.diagnostics)
    return project


def _tell(address: str, arguments: argparse.Namespace, functions: "_Functions | None", output: CommandOutput) -> None:
    from formwork.request_guard import is_loopback

    if not is_loopback(arguments.host):
        output.say(f"warning: everyone who can reach {address} can register types and run handlers")
    output.result(f"ready {address}")
    output.out.flush()
    names = () if functions is None else functions.host.function_names
    output.say(f"serving {', '.join(names) or 'the registry'}; Ctrl-C ends it")


class _Functions:
    """The project's functions on a local Lambda service, read anew when template.yml changes.

    While the new template.yml is invalid, the previous functions stay.
    """

    def __init__(
        self,
        project: "Project",
        arguments: argparse.Namespace,
        output: CommandOutput,
        aws: "AwsForHandlers",
        stack: contextlib.ExitStack,
    ) -> None:
        from formwork.command_context.reach import host_settings
        from formwork.invoke.project_host.host import open_project_host
        from formwork.languages.projects import ProjectRuntimes

        self._project = project
        self._output = output
        self._settings = host_settings(
            arguments, output, aws=aws, concurrency=arguments.concurrency, log=self._log, hear=self._hear
        )
        self._lock = threading.Lock()
        self.host: LambdaHost = stack.enter_context(open_project_host(project, self._settings, ProjectRuntimes))
        self._seen = self._stamp()

    def reload(self) -> None:
        """Look whether template.yml has changed."""
        from formwork.invoke.project_host.host import project_functions
        from formwork.languages.projects import ProjectRuntimes

        if (now := self._stamp()) == self._seen:
            return
        self._seen = now
        try:
            self.host.replace(project_functions(self._project, self._settings, ProjectRuntimes))
        except FormworkError as error:
            self._output.show(error.diagnostics)
        else:
            self._output.say(f"template.yml changed: serving {', '.join(self.host.function_names)}")

    @functools.cached_property
    def _masker(self) -> "Masker":  # made for the first event: the targets of a hook can be hundreds
        from formwork.invoke.project_masks import project_masker

        return project_masker(self._project)

    def _log(self, function: str, request_id: str, line: str) -> None:
        with self._lock:
            self._output.say(f"[{function} {request_id[:8] or '-'}] {self._masker.text(line)}")

    def _hear(self, payload: bytes) -> None:
        event = json.loads(payload)
        if isinstance(event, dict):
            self._masker.learn(event)

    def _stamp(self) -> tuple[str, int, int] | None:
        from formwork.lambda_host.template import find_template

        path = find_template(self._project.root)
        try:
            status = path.stat() if path else None
        except OSError:
            status = None
        return (str(path), status.st_mtime_ns, status.st_size) if status else None
