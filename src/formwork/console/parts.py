"""What the console needs from the server that it belongs to."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.console.exchanges import RecordedExchanges
from formwork.console.feed import ChangeFeed
from formwork.console.links import OneTimeLinks
from formwork.console.running_calls import RunningCalls
from formwork.console.signing_in import SessionKey
from formwork.diagnostics.secrets import Secret

if TYPE_CHECKING:
    from formwork.engine.engine import Engine
    from formwork.registry.registry import Registry


class CallRefusedError(Exception):
    """An operation of the API answered with an error; `code` is AWS's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


# Calls an operation of the API as an account in a Region, with the access key that a session was begun with, None where
# none is required: (scope, key, service, operation, input) to output. It raises CallRefusedError where the API answers
# with an error.
ApiCall = Callable[[Scope, SessionKey | None, str, str, Mapping[str, Any]], Mapping[str, Any]]


class ConsoleServices(Struct, frozen=True):
    """The started services that pages show; whatever a page changes, it changes by `call`."""

    engine: "Engine"
    registry: "Registry"
    call: ApiCall


class ConsoleParts(Struct, frozen=True, kw_only=True):
    """The dependencies of the console.

    `port` is the console's own, `api` the address of the API. `services` waits until these have started, and raises why
    they could not. `keys` are the access keys that may sign in, None where none is needed; `temporary` recognises
    those of STS. `on_error` is called with exceptions that are bugs.
    """

    port: int
    api: str
    links: OneTimeLinks
    feed: ChangeFeed
    exchanges: RecordedExchanges
    running: RunningCalls
    services: Callable[[], ConsoleServices]
    keys: Mapping[str, Secret] | None
    temporary: TemporaryKeys
    account_of: Callable[[str], str]
    on_error: Callable[[Exception], None]
