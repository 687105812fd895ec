"""The provider's CloudWatch metrics: how often its handlers run, how long they take and how they fail.

Namespace `AWS/CloudFormation/<Org>/<Service>/<Resource>`, for hooks with the account before the names. The data of one
invocation are sent in one call at its end; failing to send them never fails a request.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from .log_delivery import quick_client

if TYPE_CHECKING:
    from .boto3_proxy import SessionProxy
    from .interface import Action, HookInvocationPoint


class StandardUnit(str, Enum):
    """CloudWatch's names of the units used here."""

    Count = "Count"
    Milliseconds = "Milliseconds"


class MetricTypes(str, Enum):
    """The names of the metrics."""

    HandlerException = "HandlerException"
    HandlerInvocationCount = "HandlerInvocationCount"
    HandlerInvocationDuration = "HandlerInvocationDuration"


def format_dimensions(dimensions: Mapping[str, str]) -> list[dict[str, str]]:
    """Dimensions in the form PutMetricData takes them."""
    return [{"Name": name, "Value": value} for name, value in dimensions.items()]


class MetricsPublisher:
    """Collects the data of one invocation of a resource type and publishes them."""

    asked_dimension = "DimensionKeyActionType"
    type_dimension = "DimensionKeyResourceType"

    def __init__(self, session: SessionProxy, resource_type: str) -> None:
        self.namespace = "AWS/CloudFormation/" + resource_type.replace("::", "/")
        self._type_name = resource_type
        self._session = session
        self._data: list[dict[str, Any]] = []

    def publish_exception_metric(
        self, timestamp: datetime, asked: Action | HookInvocationPoint | str, error: BaseException
    ) -> None:
        """Count an exception of a handler, by its class."""
        exception = {"DimensionKeyExceptionType": str(type(error))}
        self._add(MetricTypes.HandlerException, asked, Timestamp=timestamp, dimensions=exception)

    def publish_invocation_metric(self, timestamp: datetime, asked: Action | HookInvocationPoint) -> None:
        """Count an invocation."""
        self._add(MetricTypes.HandlerInvocationCount, asked, Timestamp=timestamp)

    def publish_duration_metric(
        self, timestamp: datetime, asked: Action | HookInvocationPoint, milliseconds: float
    ) -> None:
        """Record how long a handler ran."""
        unit = StandardUnit.Milliseconds.name
        self._add(MetricTypes.HandlerInvocationDuration, asked, Timestamp=timestamp, Unit=unit, Value=milliseconds)

    def publish_log_delivery_exception_metric(self, timestamp: datetime, error: BaseException) -> None:
        """Count a failed delivery of the log."""
        self.publish_exception_metric(timestamp, "ProviderLogDelivery", error)

    def flush(self) -> None:
        """Send what has been collected; raises what botocore raises."""
        data, self._data = self._data, []
        if data:
            quick_client(self._session, "cloudwatch").put_metric_data(Namespace=self.namespace, MetricData=data)

    def _add(
        self, metric: MetricTypes, asked: Enum | str, *, dimensions: Mapping[str, str] | None = None, **datum: Any
    ) -> None:
        """Collect one datum; `datum` are members of PutMetricData's MetricDatum, by default a count of one."""
        asked_name = asked.name if isinstance(asked, Enum) else asked
        named = {self.asked_dimension: asked_name, self.type_dimension: self._type_name, **(dimensions or {})}
        described = {"MetricName": metric.name, "Dimensions": format_dimensions(named)}
        self._data.append({**described, "Unit": StandardUnit.Count.name, "Value": 1.0, **datum})


class HookMetricsPublisher(MetricsPublisher):
    """Collects the data of one invocation of a hook and publishes them."""

    asked_dimension = "DimensionKeyInvocationPointType"
    type_dimension = "DimensionKeyHookType"

    def __init__(self, session: SessionProxy, hook_type: str, account_id: str) -> None:
        super().__init__(session, hook_type)
        self.namespace = f"AWS/CloudFormation/{account_id}/{hook_type.replace('::', '/')}"
