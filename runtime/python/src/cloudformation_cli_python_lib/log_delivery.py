"""Delivering a handler's log to the CloudWatch log group of the extension's provider.

Active when a request names a log group and brings the provider's credentials. Records are sent in batches: when a
second has passed, when an error is logged, and at the end of the invocation. Credentials and the bearer token are
masked. Delivery never fails a request and never takes long: time limits are short and the first failure ends it.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .boto3_proxy import SessionProxy

# PutLogEvents takes 10,000 events and 1,048,576 bytes a batch, each event's text plus 26 bytes, 256 KB an event.
_BATCH_BYTES = 1_000_000
_BATCH_EVENTS = 1_000
_EVENT_OVERHEAD = 26
_EVENT_CHARACTERS = 60_000  # at most four bytes each
_INTERVAL_SECONDS = 1.0


def quick_client(session: Any, service: str) -> Any:
    """A client whose calls give up in seconds: what observes a request must not use up its time."""
    from botocore.config import Config  # noqa: PLC0415 - only where the provider's credentials came along

    return session.client(service, config=Config(connect_timeout=2, read_timeout=3, retries={"max_attempts": 0}))


class ProviderFilter(logging.Filter):
    """Keeps the provider's own records out of the platform's log; `provider` is the handlers' package name."""

    def __init__(self, provider: str) -> None:
        super().__init__()
        self.provider = provider

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is of another package."""
        return not (record.name == self.provider or record.name.startswith(self.provider + "."))


class ProviderLogHandler(logging.Handler):
    """Sends records to one stream of a log group, which is made where it does not exist."""

    def __init__(
        self,
        group: str,
        stream: str,
        session: SessionProxy,
        *,
        redact: Callable[[str], str] = str,
        on_failure: Callable[[Exception], None] = lambda _error: None,
    ) -> None:
        super().__init__()
        self.group = group
        self.stream = stream.replace(":", "__")  # a stream's name holds no colon
        self._session = session
        self._redact = redact
        self._on_failure = on_failure
        self._client: Any = None
        self._batch: list[dict[str, Any]] = []
        self._batch_bytes = 0
        self._sent_at = time.monotonic()
        self._sending = False
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record into the batch; the records that sending itself causes are left out."""
        if self._sending or self._failed:
            return
        try:
            message = self._redact(self.format(record))[:_EVENT_CHARACTERS]
        except Exception:  # noqa: BLE001 - as in every logging.Handler: a record with wrong arguments is reported there
            self.handleError(record)
            return
        if not message:
            return  # PutLogEvents refuses empty ones
        size = len(message.encode("utf-8", "replace")) + _EVENT_OVERHEAD
        if self._batch_bytes + size > _BATCH_BYTES or len(self._batch) == _BATCH_EVENTS:
            self.flush()
        self._batch.append({"timestamp": round(record.created * 1000), "message": message})
        self._batch_bytes += size
        if record.levelno >= logging.ERROR or time.monotonic() - self._sent_at > _INTERVAL_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Send what has been taken; a failure is reported once and ends the delivery."""
        if not self._batch or self._sending or self._failed:
            return
        batch, self._batch, self._batch_bytes = self._batch, [], 0
        self._sending = True
        try:
            self._put(sorted(batch, key=lambda event: event["timestamp"]))
        except Exception as error:  # noqa: BLE001 - delivery never fails a request, whatever botocore raises
            self._failed = True
            self._on_failure(error)
        finally:
            self._sending = False
            self._sent_at = time.monotonic()

    def _put(self, events: list[dict[str, Any]]) -> None:
        if self._client is None:
            self._client = quick_client(self._session, "logs")
        request = {"logGroupName": self.group, "logStreamName": self.stream, "logEvents": events}
        try:
            self._client.put_log_events(**request)
        except self._client.exceptions.ResourceNotFoundException:
            self._create()
            self._client.put_log_events(**request)

    def _create(self) -> None:
        existing = self._client.exceptions.ResourceAlreadyExistsException
        with suppress(existing):  # only the stream may be missing
            self._client.create_log_group(logGroupName=self.group)
        with suppress(existing):  # another invocation may be faster
            self._client.create_log_stream(logGroupName=self.group, logStreamName=self.stream)
