"""Events in EventBridge's form, delivered to a file or a webhook by a thread of their own: nobody waits for them."""

import contextlib
import http.client
import json
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from formwork.diagnostics import EnvironmentProblemError, UsageError

_MOST_WAITING = 10_000
_TRIES = 3
_PAUSE_SECONDS = 0.5
_POST_SECONDS = 5.0
_LAST_SECONDS = 5.0  # how long the end waits for what is still to be delivered


class NoticeTarget(Protocol):
    """Where events go."""

    def deliver(self, line: bytes) -> None:
        """Deliver an event, a JSON text without line breaks.

        Raises:
            OSError: it can't be.
        """
        ...


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
        except OSError as error:
            raise EnvironmentProblemError(f"events can't be written to {path}: {error.strerror}") from error

    def deliver(self, line: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(line + b"\n")


class _Webhook:
    def __init__(self, url: str) -> None:
        self._url = url

    def deliver(self, line: bytes) -> None:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._url, line, headers, method="POST")  # noqa: S310 - http or https
        for attempt in range(1, _TRIES + 1):
            try:
                urllib.request.urlopen(request, timeout=_POST_SECONDS).close()  # noqa: S310 - the same
            except urllib.error.HTTPError as error:
                error.close()
                if error.code < http.client.INTERNAL_SERVER_ERROR or attempt == _TRIES:
                    raise
            except (OSError, http.client.HTTPException) as error:
                if attempt == _TRIES:
                    raise OSError(str(error)) from error
            else:
                return
            time.sleep(_PAUSE_SECONDS)


class NoticeSender:
    """Takes events from any thread, and delivers them in their order.

    What can't be delivered, or comes too fast, is lost; `on_problem` hears of the first of a row.
    """

    def __init__(self, target: NoticeTarget, on_problem: Callable[[str], None]) -> None:
        self._target = target
        self._on_problem = on_problem
        self._waiting: queue.Queue[Mapping[str, Any] | None] = queue.Queue(_MOST_WAITING)
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        self._thread.start()

    def send(self, event: Mapping[str, Any]) -> None:
        """Have an event delivered, soon."""
        try:
            self._waiting.put_nowait(event)
        except queue.Full:
            self._fail("they come faster than they can be delivered")

    def close(self) -> None:
        """Deliver what is left, as far as that goes in a moment."""
        with contextlib.suppress(queue.Full):
            self._waiting.put(None, timeout=_LAST_SECONDS)
        self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        while (event := self._waiting.get()) is not None:
            try:
                self._target.deliver(json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode())
            except OSError as error:
                self._fail(str(error))
            else:
                self._failing = False

    def _fail(self, why: str) -> None:
        if not self._failing:
            self._failing = True
            self._on_problem(f"warning: events of hooks are lost: {why}")


@contextlib.contextmanager
def send_notices(where: str | None, on_problem: Callable[[str], None]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """What sends events to `where`, a file or an http(s) URL, until the end of the block; None sends them nowhere.

    Raises:
        EnvironmentProblemError: the file can't be written.
        UsageError: the URL is none that events can be posted to.
    """
    if where is None:
        yield lambda _event: None
        return
    scheme = where.partition("://")[0] if "://" in where else None
    if scheme is not None and scheme.lower() not in {"http", "https"}:
        raise UsageError(
            f'the events shall go to "{where}"', hint="a file, or a URL that begins with http:// or https://"
        )
    sender = NoticeSender(_File(Path(where)) if scheme is None else _Webhook(where), on_problem)
    try:
        yield sender.send
    finally:
        sender.close()
