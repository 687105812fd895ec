"""The console beside the API: on a socket of its own, with the operations of the API's table."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from formwork.api.caller import Caller, account_of_key
from formwork.api.dispatch import LazyOperationTable
from formwork.api.server import ApiServer
from formwork.api.wire import ApiError, check_constraints, load_service
from formwork.aws.partitions import partition_of
from formwork.aws.scope import Scope
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.console import CallRefusedError, ConsoleParts, ConsoleServices, LazyConsole, OneTimeLinks
from formwork.console.exchanges import RecordedExchanges
from formwork.console.feed import ChangeFeed
from formwork.console.running_calls import RunningCalls
from formwork.console.signing_in import SessionKey
from formwork.diagnostics.secrets import Secret
from formwork.durable.observer import WorkObserver

if TYPE_CHECKING:
    from formwork.assembly.assemble import Assembly
    from formwork.durable import Database

_KEY_ID = "CONSOLE"  # what operations see as the access key where none is required


class ConsoleObserver(WorkObserver):
    """Notifies the API's held calls and the console's streams."""

    def __init__(self, calls: WorkObserver, feed: ChangeFeed) -> None:
        self._calls = calls
        self._feed = feed

    def changed(self) -> None:
        """See `WorkObserver`."""
        self._calls.changed()
        self._feed.changed()

    def checkpoint(self, moment: str) -> None:
        """See `WorkObserver`."""
        self._calls.checkpoint(moment)


@dataclass(slots=True)
class ServedConsole:
    """The console of a service: `server` listens already; `exchanges` and `running` receive the calls of handlers."""

    server: ApiServer
    feed: ChangeFeed = field(default_factory=ChangeFeed)
    exchanges: RecordedExchanges = field(init=False)
    running: RunningCalls = field(init=False)
    links: OneTimeLinks = field(init=False)
    _work: "Assembly | None" = None

    def __post_init__(self) -> None:
        self.exchanges = RecordedExchanges(recorded=self.feed.called)
        self.running = RunningCalls(written=self.feed.called)
        self.links = OneTimeLinks(self.server.url)

    def take(self, work: "Assembly", database: "Database") -> None:
        """Show the services of `work`, and report what its transactions commit."""
        self._work = work
        self.feed.shared = database.shared
        database.committed = self.feed.committed

    @contextlib.contextmanager
    def answering(
        self,
        late: LazyOperationTable,
        api: str,
        keys: Mapping[str, Secret] | None,
        temporary: TemporaryKeys,
        on_error: Callable[[Exception], None],
    ) -> Iterator[None]:
        """Answer browsers until the end of the block, with the operations of `late`."""

        def services() -> ConsoleServices:
            table = late.expect()
            work = self._work
            assert work is not None

            def call(
                scope: Scope, key: SessionKey | None, service: str, operation: str, asked: Mapping[str, Any]
            ) -> Mapping[str, Any]:
                try:
                    model = load_service(service).operation(operation)
                    assert model is not None
                    check_constraints(model, asked)
                    return table[service, operation](_caller(scope, key), asked)
                except ApiError as error:
                    raise CallRefusedError(error.code, error.message) from error

            return ConsoleServices(work.engine, work.registry, call)

        port = urlsplit(self.server.url).port
        assert port is not None
        parts = ConsoleParts(
            port=port,
            api=api,
            links=self.links,
            feed=self.feed,
            exchanges=self.exchanges,
            running=self.running,
            services=services,
            keys=keys,
            temporary=temporary,
            account_of=account_of_key,
            on_error=on_error,
        )
        self.server.start(LazyConsole(parts))
        try:
            yield
        finally:
            self.feed.close()
            self.server.close()


def _caller(scope: Scope, key: SessionKey | None) -> Caller:
    user = f"arn:{partition_of(scope.region)}:iam::{scope.account}:user/formwork"
    if key is None:
        return Caller(scope.account, scope.region, _KEY_ID, user)
    return Caller(scope.account, scope.region, key.key_id, key.arn or user)
