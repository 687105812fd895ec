"""Rollback triggers, and how long a stack is watched after its deployment.

Source: the service's model (RollbackConfiguration). There are no alarms here that could go off: triggers are checked,
kept and shown. The monitoring time is waited for, in which a user may look at the stack and cancel the operation.

UpdatePolicy is checked for its place, kept and shown, and has no effect: the stand-ins for the types that have it have
no instances.
"""

from collections.abc import Mapping
from typing import Any

from formwork.stacks.errors import StackError

_ALARMS = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")


def check_rollback_configuration(given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The configuration of a request.

    Raises:
        StackError: a trigger is no alarm.
    """
    for each in (given or {}).get("RollbackTriggers", ()):
        if each["Type"] not in _ALARMS:
            raise StackError("Rollback Trigger Type not supported")
        if not each["Arn"].split(":", 5)[-1].startswith("alarm:"):
            raise StackError("RelativeId of a Rollback Trigger's ARN is incorrect")
    return given


def updated_configuration(known: Mapping[str, Any] | None, given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A stack's configuration after an update: triggers that the request does not name stay, an empty list removes."""
    if not given:
        return known
    kept = {name: value for name, value in (known or {}).items() if name == "RollbackTriggers"}
    return {**kept, **given}


def monitoring_seconds(configuration: Mapping[str, Any] | None) -> float:
    """How long a stack is watched once everything in it is deployed."""
    return 60.0 * int((configuration or {}).get("MonitoringTimeInMinutes") or 0)
