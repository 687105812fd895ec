"""What the provider of an extension sees of one invocation: its log and its metrics.

Both need the provider's credentials in the request; without them nothing here is imported or done. Nothing that goes
wrong here reaches the request.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable

from .boto3_proxy import SessionProxy, _get_boto_session
from .envelope import EnvelopeError, Members
from .interface import Action, HookInvocationPoint
from .redaction import Redaction

if TYPE_CHECKING:
    import logging

    from typing_extensions import Self

    from .log_delivery import ProviderFilter, ProviderLogHandler
    from .metrics import MetricsPublisher


class Observation:
    """A context around one handler call that delivers its log and its metrics."""

    def __init__(
        self,
        asked: Action | HookInvocationPoint,
        metrics: MetricsPublisher | None = None,
        log: ProviderLogHandler | None = None,
        hidden: ProviderFilter | None = None,
    ) -> None:
        self._asked = asked
        self._metrics = metrics
        self._log = log
        self._hidden = hidden
        self._platform: logging.Handler | None = None
        self._started = 0.0

    def __enter__(self) -> Self:
        if self._log is not None:
            root = _root_logger()
            if self._hidden is not None and root.handlers:
                self._platform = root.handlers[0]
                self._platform.addFilter(self._hidden)
            root.addHandler(self._log)
        self._started = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._log is not None:
            _root_logger().removeHandler(self._log)
            self._log.flush()
            self._log.close()
        if self._platform is not None and self._hidden is not None:
            self._platform.removeFilter(self._hidden)
        self._publish()

    def handled(self, error: Exception | None) -> None:
        """Record that the handler has ended, and how."""
        if self._metrics is None:
            return
        now = _now()
        self._metrics.publish_invocation_metric(now, self._asked)
        self._metrics.publish_duration_metric(now, self._asked, (time.monotonic() - self._started) * 1000)
        if error is not None:
            self._metrics.publish_exception_metric(now, self._asked, error)

    def _publish(self) -> None:
        if self._metrics is None:
            return
        try:
            self._metrics.flush()
        except Exception as error:  # noqa: BLE001 - metrics never fail a request, whatever botocore raises
            _root_logger().warning("The metrics were not delivered: %s", type(error).__name__)


def observe(  # noqa: PLR0913 - what both kinds of extension have of a request, by name
    asked: Action | HookInvocationPoint,
    data: Members,
    *,
    type_name: str,
    region: str | None,
    stream: str,
    redact: Redaction,
    token: str,
    log_format: logging.Formatter | None,
    make_metrics: Callable[[SessionProxy], MetricsPublisher],
) -> Observation:
    """The observation that a request's `requestData` asks for.

    Args:
        asked: The action or invocation point.
        data: `requestData`, with `providerCredentials` and `providerLogGroupName` or without.
        type_name: The extension's type name; its handlers' package is named after it.
        region: The region to deliver to; None for the environment's.
        stream: The log stream's name.
        redact: Masks the request's secrets; learns the provider's credentials.
        token: The request's token, masked in the delivered log.
        log_format: The format of delivered records, or None for the logging module's default.
        make_metrics: Makes the publisher that suits the kind of extension.
    """
    try:
        credentials = data.credentials("providerCredentials")
    except EnvelopeError as problem:
        _root_logger().warning("The log and the metrics are not delivered: %s", problem)
        return Observation(asked)
    session = _get_boto_session(credentials, region)
    if credentials is None or session is None:
        return Observation(asked)
    redact.add(credentials.secrets())
    metrics = make_metrics(session)
    group = data.text("providerLogGroupName")
    if not group:
        return Observation(asked, metrics)
    from .log_delivery import ProviderFilter, ProviderLogHandler  # noqa: PLC0415 - only where there is a log group

    delivered = Redaction()
    delivered.add([token])
    log = ProviderLogHandler(
        group,
        stream,
        session,
        redact=lambda text: delivered(redact(text)),
        on_failure=lambda error: metrics.publish_log_delivery_exception_metric(_now(), error),
    )
    log.setFormatter(log_format)
    return Observation(asked, metrics, log, ProviderFilter(type_name.replace("::", "_").lower()))


def _now() -> Any:
    from datetime import datetime, timezone  # noqa: PLC0415 - only where metrics are published

    return datetime.now(timezone.utc)


def _root_logger() -> logging.Logger:
    import logging  # noqa: PLC0415 - takes 5 ms; only where something is delivered or logged

    return logging.getLogger()
