"""The server of a test session: the local service in this process, with a new account for each test.

The reasons are in docs/decisions/1334.
"""

import contextlib
import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from formwork.aws import Credentials, local_credentials
from formwork.aws.access import AwsAccess
from formwork.aws.moto import MotoServer
from formwork.aws.scope import Scope
from formwork.aws.temporary_keys import SESSIONS
from formwork.command_context.work_options import missing_module, not_installed
from formwork.diagnostics import UsageError
from formwork.diagnostics.internal_errors import internal_error, traceback_of
from formwork.documents.remote import RemoteDocuments
from formwork.egress.settings import local_aws_environment
from formwork.object_store.store import ObjectStore
from formwork.private_files.temporary import TemporaryFolder
from formwork.registry.settings import HandlerSettings
from formwork.testing.clients import ReusedClients
from formwork.testing.exchanges import ExchangeRecorder
from formwork.testing.host_dependencies import HostDependencies, process_dependencies

AWS_CHOICES = ("simulated", "moto")
_WARM = 4  # versions of types whose handler processes are kept: each test registers its own
_START_SECONDS = 60.0
_FIRST_ACCOUNT = 100_000_000_000


class LocalServer:
    """A CloudFormation server in this process, whose state ends with it.

    `aws` says what makes AWS's own types: "simulated" or "moto". `url` is its address, `aws_url` the address of the
    other services of AWS: moto's, or the same. Close it at the end.

    `dependencies` are by default those of the process; `state` is a private folder that keeps the state.

    Raises:
        EnvironmentProblemError: the extra `serve` is not installed, or moto's; another process uses the folder.
        UsageError: `aws` is not a choice.
    """

    def __init__(
        self, *, aws: str = "simulated", dependencies: HostDependencies | None = None, state: Path | None = None
    ) -> None:
        if aws not in AWS_CHOICES:
            raise UsageError(f'invalid aws "{aws}"', hint=f"one of {', '.join(AWS_CHOICES)}")
        if (missing := missing_module()) is not None:
            raise not_installed(missing)
        self.dependencies = dependencies or process_dependencies()
        self.exchanges = ExchangeRecorder()
        self.errors: list[Exception] = []
        self._functions: dict[str, Callable[[Any, Any], Any]] = {}
        self._numbers = itertools.count(_FIRST_ACCOUNT + 1)
        self._lock = threading.Lock()
        self._packages: dict[Any, Any] = {}
        self._free_clients: list[ReusedClients] = []
        self._ends = contextlib.ExitStack()
        try:
            self._start(aws, state)
        except BaseException:
            self._ends.close()
            raise

    def _start(self, aws: str, state: Path | None) -> None:
        from formwork.api.server import ApiServer  # noqa: PLC0415 - of the extra `serve`, as the others
        from formwork.assembly.settings import WorkSettings  # noqa: PLC0415
        from formwork.command_context.registry_service import no_functions  # noqa: PLC0415
        from formwork.durable import open_database  # noqa: PLC0415
        from formwork.local_service.service import ServiceSettings, run_service  # noqa: PLC0415

        stack = self._ends
        self.moto: MotoServer | None = None
        if aws == "moto":
            self.moto = stack.enter_context(contextlib.closing(MotoServer(self.dependencies.environment)))
        if state is None:
            state = stack.enter_context(TemporaryFolder("state"))
        server = ApiServer(host="127.0.0.1", port=0)
        stack.callback(server.close)
        self.url = server.url
        self.aws_url = server.url if self.moto is None else self.moto.url
        database = open_database(state)
        stack.callback(database.close)
        work = WorkSettings(
            handlers=self._handler_settings,
            invoke=no_functions().respond,
            aws=None if self.moto is None else AwsAccess(local_credentials, self.moto.url),
            credentials_in=lambda scope: lambda: credentials_of(scope.account),
            moto=self.moto,
            remote=RemoteDocuments(cache=self.dependencies.cache / "schemas"),
        )
        settings = ServiceSettings(work=work, seed=database.derive_key(SESSIONS), on_error=self.errors.append)
        self.objects = ObjectStore(state / "objects")
        self.service = stack.enter_context(run_service(server, state, lambda: database, settings))
        self.service.settled(_START_SECONDS)
        if self.service.error is not None:
            raise self.service.error

    def _handler_settings(self) -> HandlerSettings:
        environment = local_aws_environment(self.aws_url)
        if self.moto is not None:
            environment["AWS_ENDPOINT_URL_CLOUDFORMATION"] = self.url
        return HandlerSettings(
            cache=self.dependencies.cache,
            home=self.dependencies.home,
            user_environment=dict(self.dependencies.environment),
            aws_environment=environment,
            warm=_WARM,
            in_process=self._functions.get,
            variables_in=_function_variables,
            exchanged=self.exchanges.record,
        )

    def new_account(self) -> str:
        """Return the id of an account in which there is nothing."""
        if self.moto is not None:
            self.moto.reset()  # all of its resources are in one account
        return str(next(self._numbers))

    def take_clients(self, account: str) -> ReusedClients:
        """Return clients of this server for an account, until they are returned."""
        clients = self._free_clients.pop() if self._free_clients else ReusedClients()
        clients.assign(credentials_of(account))
        return clients

    def return_clients(self, clients: ReusedClients) -> None:
        """Take clients back for a later account."""
        self._free_clients.append(clients)

    def add_function(self, entry_point: str, function: Callable[[Any, Any], Any]) -> None:
        """Have packages with this entry point call a function of this process."""
        self._functions[entry_point] = function

    def remove_function(self, entry_point: str) -> None:
        """Forget a function of this process."""
        self._functions.pop(entry_point, None)

    def package(self, key: Any, build: Callable[[], Any]) -> Any:
        """Return what `build` gives, called once for the same key in a session."""
        with self._lock:
            if key not in self._packages:
                self._packages[key] = build()
            return self._packages[key]

    def problems(self) -> list[str]:
        """Return the internal errors of the server since the last call, with their tracebacks."""
        found, self.errors[:] = list(self.errors), []
        return [f"{internal_error(error)}\n{traceback_of(error)}" for error in found]

    def close(self) -> None:
        """End the server, its handlers and moto, and remove the state; without effect the second time."""
        self._ends.close()


def credentials_of(account: str) -> Credentials:
    """Return the credentials of an account of the server; the secret parts are known and not secret."""
    given = local_credentials()
    return Credentials(account, given.secret_access_key, given.session_token)


def _function_variables(scope: Scope) -> dict[str, str]:
    return credentials_of(scope.account).to_environment()
