"""A session with one type's handlers: builds requests, sends them, and drives callbacks to a final event.

`--max-reinvoke N` allows N calls after the first one (CLI user guide). READ and LIST are never called again, as
CloudFormation never does; a negative `callbackDelaySeconds` means no further call, and PENDING is IN_PROGRESS.
"""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from formwork.aws.credentials import Credentials, CredentialSource
from formwork.aws.partitions import partition_of
from formwork.invoke import requests
from formwork.invoke.answer import parse_event
from formwork.invoke.operation import Exchange, Operation, OperationEnd
from formwork.invoke.retrying import retriable_code
from formwork.invoke.transport import HandlerTransport

Model = Mapping[str, Any]
_NextRequest = Callable[[Mapping[str, Any], Mapping[str, Any], Credentials | None], dict[str, Any]]

# READ and LIST must answer at once; the service never calls them again.
_SYNCHRONOUS = frozenset({"READ", "LIST"})


def _no_credentials() -> None:
    return None


class HandlerSession:
    """Calls the handlers of one type as the service does.

    Everything stays raw JSON in both directions, so that nothing lenient hides a violation. A session holds no state
    between calls: it may be shared by threads if its transport may.
    """

    def __init__(  # noqa: PLR0913 - the service's own knowledge about a call
        self,
        transport: HandlerTransport,
        type_name: str,
        *,
        account: str = "123456789012",
        region: str = "us-east-1",
        type_version: str = "00000001",
        stack_id: str | None = None,
        credentials: CredentialSource = _no_credentials,
        type_configuration: Model | None = None,
        resolve: Callable[[Model], Model] = lambda configuration: configuration,
        invocation_timeout: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        new_token: Callable[[], str] = lambda: str(uuid.uuid4()),
        on_request: Callable[[Mapping[str, Any]], None] = lambda _request: None,
        on_exchange: Callable[[Exchange], None] = lambda _exchange: None,
    ) -> None:
        """`resolve` fills the type configuration's dynamic references in, anew for each operation.

        `invocation_timeout` bounds each call, in seconds.

        `on_request` is called with every request before it is sent, `on_exchange` with every exchange as it ends.
        """
        self.transport = transport
        self.type_name = type_name
        self.account = account
        self.region = region
        self.type_version = type_version
        stack = f"stack/formwork/{uuid.uuid5(uuid.NAMESPACE_DNS, type_name)}"
        self.stack_id = stack_id or f"arn:{partition_of(region)}:cloudformation:{region}:{account}:{stack}"
        self.type_configuration = type_configuration
        self._resolve = resolve
        self._credentials = credentials
        self._timeout = invocation_timeout
        self._sleep = sleep
        self._clock = clock
        self._new_token = new_token
        self._on_request = on_request
        self._on_exchange = on_exchange

    def request(  # noqa: PLR0913 - one argument a member of the request
        self,
        action: str,
        desired: Model | None,
        previous: Model | None = None,
        *,
        token: str | None = None,
        logical_id: str | None = None,
        callback_context: Model | None = None,
        next_token: str | None = None,
        tags: Mapping[str, str] | None = None,
        previous_tags: Mapping[str, str] | None = None,
        system_tags: Mapping[str, str] | None = None,
        previous_system_tags: Mapping[str, str] | None = None,
        stack_id: str | None = None,
    ) -> dict[str, Any]:
        """Return the request for a resource handler; `token` is the client request token, a new one where None."""
        return requests.resource_request(
            action=str(action),
            type_name=self.type_name,
            type_version=self.type_version,
            account=self.account,
            region=self.region,
            stack_id=stack_id or self.stack_id,
            token=token or self._new_token(),
            logical_id=logical_id or _logical_id(self.type_name),
            desired=desired,
            previous=previous,
            credentials=self._credentials(),
            type_configuration=self._configuration(),
            callback_context=callback_context,
            next_token=next_token,
            tags=tags,
            previous_tags=previous_tags,
            system_tags=system_tags,
            previous_system_tags=previous_system_tags,
        )

    def hook_request(  # noqa: PLR0913 - one argument a member of the request
        self,
        invocation_point: str,
        target_name: str,
        target_model: Model | None,
        *,
        target_type: str = "RESOURCE",
        target_logical_id: str | None = None,
        token: str | None = None,
        callback_context: Model | None = None,
        change_set_id: str | None = None,
        payload_url: str | None = None,
        stack_id: str | None = None,
    ) -> dict[str, Any]:
        """Return the request for a hook handler; the session's type configuration is the request's hookModel."""
        return requests.hook_request(
            invocation_point=str(invocation_point),
            type_name=self.type_name,
            type_version=self.type_version,
            account=self.account,
            stack_id=stack_id or self.stack_id,
            token=token or self._new_token(),
            target_name=target_name,
            target_type=target_type,
            target_logical_id=target_logical_id or _logical_id(target_name),
            target_model=target_model,
            credentials=self._credentials(),
            type_configuration=self._configuration(),
            callback_context=callback_context,
            change_set_id=change_set_id,
            payload_url=payload_url,
        )

    def invoke(self, action: str, desired: Model | None, previous: Model | None = None, **members: Any) -> Exchange:
        """One invocation of a resource handler, without callbacks; `members` are those of `request`."""
        return self.send(self.request(action, desired, previous, **members))

    def invoke_hook(self, point: str, target_name: str, target_model: Model | None, **members: Any) -> Exchange:
        """One invocation of a hook handler, without callbacks; `members` are those of `hook_request`."""
        return self.send(self.hook_request(point, target_name, target_model, **members))

    def with_credentials(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a test event, with the session's credentials where it has none, or placeholders that are empty."""
        credentials = self._credentials()
        written = event.get("credentials")
        if credentials is None or (isinstance(written, Mapping) and written and all(written.values())):
            return event
        return {**event, "credentials": credentials.to_wire()}

    def send(self, request: Mapping[str, Any]) -> Exchange:
        """Send any request as it is."""
        self._on_request(request)
        answer = self.transport.invoke(request, timeout=self._timeout)
        event, problem = parse_event(answer)
        exchange = Exchange(request, answer, event, problem)
        self._on_exchange(exchange)
        return exchange

    def send_with_retries(
        self,
        request: Mapping[str, Any],
        delays: Sequence[float],
        *,
        hear: Callable[[Exchange], None] = lambda _exchange: None,
    ) -> list[Exchange]:
        """Send a request, and again while it is FAILED with a retriable code: after `delays` seconds, at most so often.

        Token and callback context stay the same, as CloudFormation's retries have them. `hear` is as in `drive`.
        """
        exchanges = [self.send(request)]
        hear(exchanges[0])
        for delay in delays:
            if retriable_code(exchanges[-1].event) is None:
                break
            self._sleep(delay)
            exchanges.append(self.send(request))
            hear(exchanges[-1])
        return exchanges

    def run(
        self,
        action: str,
        desired: Model | None,
        previous: Model | None = None,
        *,
        max_reinvoke: int | None = None,
        timeout_minutes: float | None = None,
        **members: Any,
    ) -> Operation:
        """Return an operation to its final event, as the service drives it; `members` are those of `request`.

        `max_reinvoke` is how many calls may follow the first, None for any number. `timeout_minutes` is the handler's
        timeoutInMinutes, counted from the first call; no call starts after it.
        """
        request = self.request(action, desired, previous, **members)
        return self.drive(request, max_reinvoke=max_reinvoke, timeout_minutes=timeout_minutes)

    def run_hook(
        self,
        point: str,
        target_name: str,
        target_model: Model | None,
        *,
        max_reinvoke: int | None = None,
        timeout_minutes: float | None = None,
        **members: Any,
    ) -> Operation:
        """Return a hook's operation to its final event; `members` are those of `hook_request`."""
        request = self.hook_request(point, target_name, target_model, **members)
        return self.drive(request, max_reinvoke=max_reinvoke, timeout_minutes=timeout_minutes)

    def drive(
        self,
        request: Mapping[str, Any],
        *,
        max_reinvoke: int | None = None,
        timeout_minutes: float | None = None,
        retry_delays: Sequence[float] = (),
        hear: Callable[[Exchange], None] = lambda _exchange: None,
    ) -> Operation:
        """Send `request` (a resource's or a hook's) and follow its callbacks to the final event.

        `retry_delays` are the seconds before each retry of a request that is FAILED with a retriable code; none by
        default. `hear` is called with each exchange as it ends, before the wait for the next one.
        """
        following: _NextRequest = (
            requests.next_hook_request if "hookTypeName" in request else requests.next_resource_request
        )
        deadline = None if timeout_minutes is None else self._clock() + timeout_minutes * 60
        exchanges = self.send_with_retries(request, retry_delays, hear=hear)
        while (end := self._end(exchanges, max_reinvoke=max_reinvoke, deadline=deadline)) is None:
            last = exchanges[-1]
            assert last.event is not None
            self.wait(last.event)
            following_request = following(last.request, last.event, self._credentials())
            exchanges += self.send_with_retries(following_request, retry_delays, hear=hear)
        return Operation(tuple(exchanges), end)

    def next_request(self, exchange: Exchange) -> dict[str, Any]:
        """Return the request that follows an IN_PROGRESS event of a resource handler, credentials fresh."""
        assert exchange.event is not None
        return requests.next_resource_request(exchange.request, exchange.event, self._credentials())

    def wait(self, event: Mapping[str, Any]) -> None:
        """Wait for as long as the event asks for before the next call."""
        if (delay := callback_delay(event)) > 0:
            self._sleep(delay)

    def _configuration(self) -> Model | None:
        return None if self.type_configuration is None else self._resolve(self.type_configuration)

    def _end(
        self, exchanges: list[Exchange], *, max_reinvoke: int | None, deadline: float | None
    ) -> OperationEnd | None:
        """Return why no further call follows; None where one does."""
        last = exchanges[-1]
        if last.event is None or not last.unfinished:
            return OperationEnd.ANSWERED
        if last.request.get("action") in _SYNCHRONOUS:
            return OperationEnd.SYNCHRONOUS
        delay = callback_delay(last.event)
        if delay < 0:
            return OperationEnd.DELAY_NEGATIVE
        if max_reinvoke is not None and len(exchanges) > max_reinvoke:
            return OperationEnd.REINVOKE_LIMIT
        if deadline is not None and self._clock() + delay >= deadline:
            return OperationEnd.TIMED_OUT
        return None


def callback_delay(event: Mapping[str, Any]) -> float:
    """Return the event's callbackDelaySeconds, 0 where it is absent or no number."""
    delay = event.get("callbackDelaySeconds")
    return delay if isinstance(delay, int | float) and not isinstance(delay, bool) else 0


def _logical_id(type_name: str) -> str:
    return "My" + "".join(letter for letter in type_name.rpartition("::")[2] if letter.isalnum())
