"""The exchanges with handlers since the server started, masked, within bounds of number and size."""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formwork.invoke import Exchange
from formwork.lambda_host.outgoing_calls import OutgoingCall

_MOST = 5_000
_MOST_BYTES = 64 * 1024 * 1024
_LONGEST_LOG = 64 * 1024  # characters of one exchange's log; the whole log is in the type's log group


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedExchange:
    """One exchange; `request` and `answer` are JSON texts, None where there was no answer."""

    number: int
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
    calls: tuple[OutgoingCall, ...] | None


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

    def record(self, exchange: Exchange) -> None:
        """Keep an exchange, which is masked already."""
        request = exchange.request
        data = _mapping(request.get("requestData"))
        target = data.get("logicalResourceId") or data.get("targetLogicalId")
        log = exchange.answer.log or ""
        with self._lock:
            self._number += 1
            kept = RecordedExchange(
                number=self._number,
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


def _size(kept: RecordedExchange) -> int:
    return len(kept.request) + len(kept.answer or "") + len(kept.log)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
