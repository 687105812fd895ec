"""The exchanges with handlers since the server started, masked, within bounds of number and size."""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.aws.scope import Scope

if TYPE_CHECKING:
    from formwork.invoke import Exchange
    from formwork.lambda_host.outgoing_calls import OutgoingCall

_MOST = 5_000
_MOST_BYTES = 64 * 1024 * 1024
_LONGEST_LOG = 64 * 1024  # characters of one exchange's log; the whole log is in the type's log group


class RecordedExchange(Struct, frozen=True, kw_only=True):
    """One exchange; `request` and `answer` are JSON texts, None where there was no answer.

    `type_name` is the type or the hook whose handler was called, in the account and Region of `scope`.
    """

    number: int
    type_name: str = ""
    scope: Scope | None = None
    time: float
    seconds: float
    stack_id: str | None
    logical_id: str | None
    action: str
    token: str
    status: str | None
    problem: str | None
    request: str
    answer: str | None
    log: str
    calls: "tuple[OutgoingCall, ...] | None"


class RecordedExchanges:
    """Keeps the latest exchanges; safe to use from several threads."""

    def __init__(
        self, now: Callable[[], float] = time.time, recorded: Callable[[str | None], None] = lambda _stack_arn: None
    ) -> None:
        """`recorded` is called after each exchange with the ARN of its stack, None where it has none."""
        self._now = now
        self._recorded = recorded
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, RecordedExchange] = OrderedDict()
        self._bytes = 0
        self._number = 0

    def record(self, exchange: "Exchange") -> None:
        """Keep an exchange, which is masked already."""
        request = exchange.request
        data = _mapping(request.get("requestData"))
        target = data.get("logicalResourceId") or data.get("targetLogicalId")
        log = exchange.answer.log or ""
        with self._lock:
            self._number += 1
            kept = RecordedExchange(
                number=self._number,
                type_name=_text(request.get("resourceType") or request.get("hookTypeName")) or "",
                scope=_scope(request),
                time=self._now(),
                seconds=exchange.answer.seconds,
                stack_id=_text(request.get("stackId")),
                logical_id=_text(target),
                action=_text(request.get("action") or request.get("actionInvocationPoint")) or "?",
                token=_text(request.get("bearerToken") or request.get("clientRequestToken")) or "",
                status=exchange.status,
                problem=None if exchange.problem is None else exchange.problem.message,
                request=json.dumps(request, default=str),
                answer=None if exchange.event is None else json.dumps(exchange.event, default=str),
                log=log[-_LONGEST_LOG:],
                calls=exchange.answer.calls,
            )
            self._kept[kept.number] = kept
            self._bytes += _size(kept)
            while len(self._kept) > _MOST or self._bytes > _MOST_BYTES:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= _size(oldest)
        self._recorded(kept.stack_id)

    def of_resource(self, stack_arn: str, logical_id: str) -> list[RecordedExchange]:
        """Return the exchanges about a resource of a stack, the latest first."""
        return [each for each in self.of_stack(stack_arn) if each.logical_id == logical_id]

    def of_stack(self, stack_arn: str) -> list[RecordedExchange]:
        """Return the exchanges about the resources of a stack, the latest first."""
        with self._lock:
            kept = list(self._kept.values())
        return [each for each in reversed(kept) if each.stack_id == stack_arn]

    def of_type(self, scope: Scope, type_name: str) -> list[RecordedExchange]:
        """Return the exchanges with the handlers of a type, the latest first."""
        with self._lock:
            kept = list(self._kept.values())
        return [each for each in reversed(kept) if (each.scope, each.type_name) == (scope, type_name)]

    def find(self, scope: Scope, number: int) -> RecordedExchange | None:
        """Return the exchange with a number, None where it is not kept any more, or is another account's."""
        with self._lock:
            found = self._kept.get(number)
        return found if found is not None and found.scope == scope else None


def _scope(request: Mapping[str, Any]) -> Scope | None:
    """Return where a handler was called; requests for hooks have the Region in the stack's ARN alone."""
    account = _text(request.get("awsAccountId"))
    parts = (_text(request.get("stackId")) or "").split(":")
    region = _text(request.get("region")) or (parts[3] if len(parts) > 3 else None)
    return None if account is None or region is None else Scope(account, region)


def _size(kept: RecordedExchange) -> int:
    return len(kept.request) + len(kept.answer or "") + len(kept.log)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
