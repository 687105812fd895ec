"""`cfn serve`'s registry: from a command's options to a running local service, and who has a state folder."""

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.api.server import ApiServer
from formwork.aws.key_file import load_keys, make_keys
from formwork.aws.temporary_keys import SESSIONS
from formwork.command_context.output import CommandOutput
from formwork.command_context.places import state_folder, take_state_key
from formwork.command_context.work import close_state, work_settings
from formwork.console.links import OneTimeLinks
from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.internal_errors import internal_error, traceback_of
from formwork.durable.failing import storage_problem
from formwork.durable.servers import registered_server
from formwork.durable.state_folder import StateFolder
from formwork.lambda_host.invoke_api import InvokeApi
from formwork.lambda_host.outcome import Outcome
from formwork.local_service.console import ServedConsole
from formwork.local_service.service import ServiceSettings, run_service
from formwork.private_files.modes import private_umask
from formwork.private_files.temporary import TemporaryFolder
from formwork.request_guard import RequestGuard

if TYPE_CHECKING:
    from formwork.api.requests import AnsweredRequest
    from formwork.command_context.reach import AwsForHandlers
    from formwork.diagnostics.secrets import Secret
    from formwork.durable import Database
    from formwork.lambda_host.host import LambdaHost

KEY_FILE = "credentials"


class Served(Struct, frozen=True):
    """The address of a served registry; `failure` says why the registry is unavailable, None while it may be available.

    `settled` waits for some seconds at most, and says whether the registry answers, has failed, or starts later.
    `links` makes links to the console, None where there is none.
    """

    url: str
    failure: Callable[[], Exception | None]
    settled: Callable[[float], bool]
    links: OneTimeLinks | None = None


class _NoFunctions:
    """Outside a project there are no functions to invoke."""

    function_names: tuple[str, ...] = ()

    def arn(self, name: str) -> str:
        return f"arn:aws:lambda:us-east-1:123456789012:function:{name}"

    def invoke(
        self, name: str, payload: bytes, *, timeout: float | None = None, client_context: str | None = None
    ) -> Outcome:
        raise NotImplementedError(f"{name}: the API asks for names first")


def no_functions() -> InvokeApi:
    """Lambda's Invoke API without any functions."""
    return InvokeApi(_NoFunctions())


@contextlib.contextmanager
def serve_registry(  # noqa: PLR0913 - its dependencies
    arguments: argparse.Namespace,
    output: CommandOutput,
    *,
    aws: "AwsForHandlers",
    host: "LambdaHost | None",
    guard: RequestGuard | None = None,
    console_ports: Sequence[int] = (),
) -> Iterator[Served]:
    """Serve the registry of the state folder, and `host`'s functions beside it.

    `guard` has the names by which the service is reached; by default those of loopback. The console listens on
    the first of `console_ports` that can be had, 0 being any free one; without ports there is no console. Where another
    server has the default folder, a project's functions are served nevertheless, without the registry.

    Raises:
        EnvironmentProblemError: the folder is in use, a port is, or the database can't be reached.
    """
    invoke = no_functions() if host is None else InvokeApi(host)
    with contextlib.ExitStack() as stack:
        stack.enter_context(private_umask())
        server = ApiServer(host=arguments.host, port=arguments.port, on_problem=output.say)
        stack.callback(server.close)
        state = _state(arguments, stack)
        opened: Database | EnvironmentProblemError
        try:
            opened = _database(arguments, state, server.url, output, stack)
        except EnvironmentProblemError as error:
            if host is None or arguments.state is not None or arguments.database is not None:
                raise
            output.say(f"the registry is not served here: {error}")
            opened = error

        if not isinstance(opened, EnvironmentProblemError):
            _note_moto(aws, StateFolder(state), stack)
            if not arguments.require_auth:  # handlers have keys of no account
                aws = aws.with_stacks_of(server.url)

        def database() -> "Database":
            if isinstance(opened, EnvironmentProblemError):
                raise opened
            return opened

        console = None
        if console_ports and not isinstance(opened, EnvironmentProblemError):
            console = ServedConsole(_listen(console_ports, output))
            stack.callback(console.server.close)
        exchanged = None if console is None else console.exchanges.record
        watch = None if console is None else console.running.watch
        work = work_settings(arguments, output, aws, invoke.respond, state, exchanged=exchanged, watch=watch)
        settings = ServiceSettings(
            guard=guard or RequestGuard(),
            work=work,
            console=console,
            keys=_keys(arguments, state, output),
            seed=None if isinstance(opened, EnvironmentProblemError) else opened.derive_key(SESSIONS),
            # In a project there may be nothing to resume: a user of the functions alone does not wait for the registry.
            eager=not isinstance(opened, EnvironmentProblemError) and (host is None or _has_begun(state)),
            on_error=lambda error: _show_failure(error, output),
            on_request=lambda answered: output.detail(_request_line(answered)),
        )
        service = stack.enter_context(run_service(server, state, database, settings))
        lent = isinstance(opened, EnvironmentProblemError)  # said already, and no reason to end
        if not lent:
            kept = None if arguments.ephemeral else state
            reached = None if console is None else (console.links.url, console.links.key_text)
            stack.enter_context(registered_server(state_folder(), service.url, kept, reached))
        links = None if console is None else console.links
        yield Served(service.url, lambda: None if lent else service.error, service.settled, links)


def _listen(ports: Sequence[int], output: CommandOutput) -> ApiServer:
    """Listen on the first of `ports` that is free. To look first would let another process take it in between."""
    *preferred, last = ports
    for port in preferred:
        with contextlib.suppress(EnvironmentProblemError):
            return ApiServer(host="127.0.0.1", port=port, on_problem=output.say)
    return ApiServer(host="127.0.0.1", port=last, on_problem=output.say)


def _show_failure(error: Exception, output: CommandOutput) -> None:
    """Print why a request failed, which its client was referred to; for a bug of ours with the traceback."""
    if (problem := storage_problem(error)) is not None:
        output.say(f"error[environment]: {problem}")
        return
    output.say(f"{internal_error(error)}\n{traceback_of(error)}")


def _request_line(answered: "AnsweredRequest") -> str:
    return f"{answered.operation}  {answered.status}  {answered.seconds:.3f} s"


def _has_begun(state: Path) -> bool:
    try:
        return (state / "formwork.db").stat().st_size > 0
    except OSError:
        return False


def _state(arguments: argparse.Namespace, stack: contextlib.ExitStack) -> Path:
    if arguments.ephemeral:
        return stack.enter_context(TemporaryFolder("state"))
    return Path(arguments.state).absolute() if arguments.state is not None else state_folder()


def _database(
    arguments: argparse.Namespace, state: Path, url: str, output: CommandOutput, stack: contextlib.ExitStack
) -> "Database":
    from formwork.durable import open_database

    place = arguments.database if arguments.database is not None else state
    database = open_database(place, state=state, durability=arguments.durability, key=take_state_key())
    stack.callback(database.close)
    close_state(state, output)
    if database.lock is not None:
        database.lock.note(address=url)
    return database


def _note_moto(aws: "AwsForHandlers", state: StateFolder, stack: contextlib.ExitStack) -> None:
    """Write the URL of the server's moto into the state folder for workers, until the server ends."""
    if aws.moto is not None:
        state.moto.parent.mkdir(parents=True, exist_ok=True)
        state.write_file(state.moto, aws.moto.url.encode())
        stack.callback(state.moto.unlink, missing_ok=True)


def _keys(arguments: argparse.Namespace, state: Path, output: CommandOutput) -> "Mapping[str, Secret] | None":
    if not arguments.require_auth:
        return None
    path = state / KEY_FILE
    if not path.exists():
        make_keys(path)
        output.say(f"a new access key is in {path}; clients use it with AWS_SHARED_CREDENTIALS_FILE={path}")
    return load_keys(path)
