"""The calls of handlers that run now, with what they have written so far."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

_LONGEST_LOG = 64 * 1024  # characters; the end is kept
_NOTICE_SECONDS = 0.25  # between notices of new lines


class RunningCall(Struct, eq=False):
    """A call that has not ended; `mask` masks the secrets of its request in a text that may be cut at both ends."""

    stack_id: str | None
    logical_id: str | None
    action: str
    began: float
    mask: Callable[[str], str]
    _lines: deque[str] = field(default_factory=deque)
    _length: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, line: str) -> None:
        """Add a line, unmasked: a secret may extend over several."""
        with self._lock:
            self._lines.append(line)
            self._length += len(line)
            while self._length > _LONGEST_LOG and len(self._lines) > 1:
                self._length -= len(self._lines.popleft())

    @property
    def log(self) -> str:
        """What the handler has written, masked."""
        with self._lock:
            written = "".join(f"{each}\n" for each in self._lines)
        return self.mask(written[-_LONGEST_LOG:])


class RunningCalls:
    """The running calls of all handlers; safe to use from several threads."""

    def __init__(
        self, now: Callable[[], float] = time.time, written: Callable[[str | None], None] = lambda _stack_arn: None
    ) -> None:
        """`written` is called when a call has written lines, with the ARN of its stack, None for none."""
        self._now = now
        self._written = written
        self._lock = threading.Lock()
        self._calls: list[RunningCall] = []

    @contextlib.contextmanager
    def watch(self, request: Mapping[str, Any], mask: Callable[[str], str]) -> Iterator[Callable[[str], None]]:
        """Keep a call for as long as the block lasts; yield what takes its lines."""
        data = request.get("requestData")
        data = data if isinstance(data, Mapping) else {}
        stack, target = request.get("stackId"), data.get("logicalResourceId")
        call = RunningCall(
            stack_id=stack if isinstance(stack, str) else None,
            logical_id=target if isinstance(target, str) else None,
            action=str(request.get("action")),
            began=self._now(),
            mask=mask,
        )
        noticed = 0.0

        def take(line: str) -> None:
            nonlocal noticed
            call.write(line)
            if self._now() - noticed >= _NOTICE_SECONDS:
                noticed = self._now()
                self._written(call.stack_id)

        with self._lock:
            self._calls.append(call)
        try:
            yield take
        finally:
            with self._lock:
                self._calls.remove(call)

    def of_stack(self, stack_arn: str) -> list[RunningCall]:
        """Return the running calls about the resources of a stack, the earliest first."""
        with self._lock:
            return [each for each in self._calls if each.stack_id == stack_arn]

    def of_resource(self, stack_arn: str, logical_id: str) -> list[RunningCall]:
        """Return the running calls about a resource of a stack, the earliest first."""
        return [each for each in self.of_stack(stack_arn) if each.logical_id == logical_id]
