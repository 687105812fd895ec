"""Calls of a resource's handlers by operation: what was asked, what was answered, and the callbacks between."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from formwork.console.exchanges import RecordedExchange

_LONGEST_LOG = 200_000  # characters of all calls of a page


class HandlerCallView(Struct, frozen=True):
    """One call. `context` is the callback context that it received, `next_context` the one that it asks to receive.

    `delay` is after how many seconds it asks to be called again. `left` and `width` are percentages of the operation.
    """

    exchange: RecordedExchange
    attempt: int
    context: str | None
    next_context: str | None
    delay: float | None
    message: str | None
    error_code: str | None
    left: float
    width: float


class HandlerOperationView(Struct):
    """The calls of one action with one token, the first one first; `seconds` is the time from its begin to its end."""

    action: str
    token: str
    exchanges: list[RecordedExchange] = field(default_factory=list)

    @property
    def start(self) -> float:
        """When the first call began."""
        return self.exchanges[0].time - self.exchanges[0].seconds

    @property
    def seconds(self) -> float:
        """The time from the begin of the first call to the end of the last."""
        return self.exchanges[-1].time - self.start

    @property
    def status(self) -> str:
        """The status of the last answer."""
        return self.exchanges[-1].status or "no answer"

    @property
    def calls(self) -> list[HandlerCallView]:
        """The calls, as they are shown."""
        return [self._view(number, each) for number, each in enumerate(self.exchanges, 1)]

    def _view(self, attempt: int, exchange: RecordedExchange) -> HandlerCallView:
        request, answer = _json(exchange.request), _json(exchange.answer)
        context = request.get("callbackContext") or _mapping(request.get("requestContext")).get("callbackContext")
        span = max(self.seconds, 0.001)
        return HandlerCallView(
            exchange=exchange,
            attempt=attempt,
            context=_shown(context),
            next_context=_shown(answer.get("callbackContext")),
            delay=answer.get("callbackDelaySeconds") if exchange.status == "IN_PROGRESS" else None,
            message=answer.get("message") or exchange.problem,
            error_code=answer.get("errorCode"),
            left=max(0.0, 100 * (exchange.time - exchange.seconds - self.start) / span),
            width=max(1.0, 100 * exchange.seconds / span),
        )


def handler_operations(exchanges: Iterable[RecordedExchange]) -> list[HandlerOperationView]:
    """Return the operations of exchanges, which are the latest first, as their operations are."""
    found: list[HandlerOperationView] = []
    for each in reversed(list(exchanges)):
        known = next((one for one in reversed(found) if (one.action, one.token) == (each.action, each.token)), None)
        # A read after the answer SUCCESS has the token of the operation too; the same action again is a new operation.
        if known is None or (known.status != "IN_PROGRESS" and each.action != "READ"):
            known = HandlerOperationView(each.action, each.token)
            found.append(known)
        known.exchanges.append(each)
    return found[::-1]


def combined_log(exchanges: Sequence[RecordedExchange]) -> list[tuple[RecordedExchange, str]]:
    """Return what each call wrote, the earliest first; the latest ones within a bound."""
    left = _LONGEST_LOG
    found: list[tuple[RecordedExchange, str]] = []
    for each in exchanges:
        if each.log and left > 0:
            found.append((each, each.log[-left:].rstrip("\n")))
            left -= len(each.log)
    return found[::-1]


def _json(text: str | None) -> Mapping[str, Any]:
    try:
        return _mapping(json.loads(text or "null"))
    except ValueError:
        return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _shown(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
