"""Notices of events of stacks, resources and drift detections, in the forms of EventBridge and of SNS topics.

Source: user guide, "CloudFormation events detail reference"; the form for the topics of `NotificationARNs` is that of
messages that subscribers have published. The answers of hooks have notices of their own.
"""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select

from formwork.aws.scope import Scope
from formwork.stacks.store.drifts import DetectionRecord
from formwork.stacks.store.notices import add_notice, announces
from formwork.stacks.store.records import EventRecord, StackRecord, StackSettings, stack_arn
from formwork.stacks.store.shown_events import topic_message
from formwork.stacks.store.tables import events, stacks

_IDS = uuid.UUID("a3c0d0c2-5a1e-4c43-9a4b-5a0f1c5b8f77")  # the namespace of these notices' ids
_TIME = select(events.c.time).where(events.c.id == bindparam("id"))
_OF_STACKS = select(stacks.c.account, stacks.c.region, stacks.c.name, stacks.c.settings_json)


def announce_event(connection: Connection, event: EventRecord) -> None:
    """Add the notice of a new event, where notices are enabled; events about hooks and validation have none."""
    details = event.details
    if not announces(connection) or details.hook_type is not None or details.validation is not None:
        return
    row = connection.execute(_OF_STACKS.where(stacks.c.id == event.stack_id)).one_or_none()
    if row is None:
        return
    scope = Scope(row.account, row.region)
    arn = stack_arn(scope, row.name, event.stack_id)
    token = {} if details.token is None else {"client-request-token": details.token}
    detail = {
        "stack-id": arn,
        "status-details": {"status": event.status, "status-reason": event.reason or ""},
        **token,
    }
    kind = "CloudFormation Stack Status Change"
    if event.physical_id != arn:
        kind = "CloudFormation Resource Status Change"
        detail |= {
            "logical-resource-id": event.logical_id,
            "physical-resource-id": event.physical_id or "",
            "resource-type": event.type,
        }
    add_notice(connection, _notice(scope, kind, event.id, event.time, arn, detail), event.time)
    topics = StackSettings.from_json(row.settings_json).notification_arns
    if topics:  # clients see this id, which contains the time
        event = replace(event, time=connection.execute(_TIME, {"id": event.id}).scalar_one())
    for topic in topics:
        notice = {
            "id": str(uuid.uuid5(_IDS, f"{event.id}/{topic}")),
            "topic": topic,
            "subject": "AWS CloudFormation Notification",
            "message": topic_message(event, arn, row.name, row.account),
        }
        add_notice(connection, notice, event.time)


def announce_detection(connection: Connection, detection: DetectionRecord, stack: StackRecord, now: float) -> None:
    """Add the notice that a drift detection has begun or ended, where notices are enabled."""
    if not announces(connection):
        return
    detail = {
        "stack-id": stack.arn,
        "stack-drift-detection-id": detection.id,
        "status-details": {
            "stack-drift-status": detection.drift_status,
            "detection-status": detection.status,
        },
        "drift-detection-details": {"drifted-stack-resource-count": detection.drifted},
    }
    kind = "CloudFormation Drift Detection Status Change"
    identifier = f"{detection.id}/{detection.status}"
    add_notice(connection, _notice(stack.scope, kind, identifier, now, stack.arn, detail), now)


def _notice(  # noqa: PLR0913, PLR0917 - the members of an event
    scope: Scope, kind: str, identifier: str, now: float, arn: str, detail: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "version": "0",
        "id": str(uuid.uuid5(_IDS, identifier)),
        "detail-type": kind,
        "source": "aws.cloudformation",
        "account": scope.account,
        "time": f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}",
        "region": scope.region,
        "resources": [arn],
        "detail": detail,
    }
