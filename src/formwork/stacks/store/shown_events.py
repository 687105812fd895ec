"""Events of stacks in the forms for clients and for subscribers of topics."""

import uuid
from datetime import UTC, datetime

from formwork.stacks.store.records import EventRecord


def show_event_id(stack_name: str, event: EventRecord) -> str:
    """Return an event's id for clients: a UUID for the stack's own, else logical id, status and time."""
    unique = uuid.uuid5(uuid.NAMESPACE_OID, event.id)
    if event.logical_id == stack_name:
        return str(unique)
    if event.details.properties is None and event.status.startswith("DELETE"):
        return f"{event.logical_id}-{unique}"
    return f"{event.logical_id}-{event.status}-{show_moment(event.time)}"


def show_moment(time: float) -> str:
    """Return a time in seconds since 1970 as ISO 8601 with milliseconds, in UTC."""
    return datetime.fromtimestamp(round(time, 3), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def topic_message(event: EventRecord, arn: str, stack_name: str, account: str) -> str:
    """Return the message that a topic of `NotificationARNs` gets for an event: one `Name='value'` line per member."""
    details = event.details
    members = {
        "StackId": arn,
        "Timestamp": show_moment(event.time),
        "EventId": show_event_id(stack_name, event),
        "LogicalResourceId": event.logical_id,
        "Namespace": account,
        "PhysicalResourceId": event.physical_id or "",
        "ResourceProperties": details.properties or "null",
        "ResourceStatus": event.status,
        "ResourceStatusReason": event.reason or "",
        "ResourceType": event.type,
        "StackName": stack_name,
        "ClientRequestToken": details.token or "null",
    }
    return "".join(f"{name}='{value}'\n" for name, value in members.items())
