"""Rollback triggers, and the monitoring time of a stack after its deployment.

Source: the service's model (RollbackConfiguration). There are no alarms on this machine: triggers are
checked, stored and shown. The operation waits for the monitoring time, in which a user may cancel it.

UpdatePolicy is allowed where the service allows it, stored and shown, and has no effect: the stand-ins for its types
have no instances.
"""

from collections.abc import Mapping
from typing import Any

from formwork.stacks.errors import StackError

_ALARMS = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")


def check_rollback_configuration(given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the checked configuration of a request.

    Raises:
        StackError: a trigger is not the ARN of an alarm.
    """
    for each in (given or {}).get("RollbackTriggers", ()):
        if each["Type"] not in _ALARMS:
            raise StackError("Rollback Trigger Type not supported")
        if not each["Arn"].split(":", 5)[-1].startswith("alarm:"):
            raise StackError("RelativeId of a Rollback Trigger's ARN is incorrect")
    return given


def updated_configuration(known: Mapping[str, Any] | None, given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return a stack's configuration after an update; an empty list removes triggers, none keeps them."""
    if not given:
        return known
    kept = {name: value for name, value in (known or {}).items() if name == "RollbackTriggers"}
    return {**kept, **given}


def monitoring_seconds(configuration: Mapping[str, Any] | None) -> float:
    """Return the monitoring time in seconds, which starts when everything is deployed."""
    return 60.0 * int((configuration or {}).get("MonitoringTimeInMinutes") or 0)
