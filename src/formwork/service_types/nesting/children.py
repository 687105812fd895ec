"""Requests for nested stacks, from their resources in the parent stack.

Source: CloudFormation user guide, "Split a template into reusable pieces using nested stacks"; its template reference,
"AWS::CloudFormation::Stack".
"""

import hashlib
import string
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.documents.scalar_text import as_text
from formwork.engine.planning.requests import StackRequest
from formwork.preparation.parameters import GivenParameter
from formwork.provisioning import HandlerCall
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import Deployment, OperationOptions, OperationRecord, StackRecord, StackSettings

_ALPHABET = string.ascii_uppercase + string.digits
_SUFFIX = 12
_MOST = 128  # of a stack's name


def child_name(parent: str, logical_id: str, token: str) -> str:
    """Return the name of a nested stack, which is the same for the same client request token."""
    number = int.from_bytes(hashlib.sha256(token.encode()).digest())
    suffix = ""
    for _ in range(_SUFFIX):
        number, digit = divmod(number, len(_ALPHABET))
        suffix += _ALPHABET[digit]
    room = _MOST - _SUFFIX - 2
    short = logical_id[: max(room - len(parent), room // 2)]
    return f"{parent[: room - len(short)]}-{short}-{suffix}"


class Parent(Struct, frozen=True):
    """A parent stack and the deployment in progress."""

    stack: StackRecord
    deployment: Deployment


class Above(Parent, frozen=True):
    """A parent stack, the deployment in progress, and its operation."""

    operation: OperationRecord


def child_request(
    name: str, template: str, call: HandlerCall, above: Parent, options: OperationOptions
) -> StackRequest:
    """Return the request for the child: its resource's properties, and what it inherits from its parent.

    Raises:
        StackError: a parameter is neither a text nor a number.
    """
    properties: Mapping[str, Any] = call.desired or {}
    parent, minutes = above.stack, properties.get("TimeoutInMinutes")
    own = {each["Key"]: each["Value"] for each in properties.get("Tags", ())}
    return StackRequest(
        name=name,
        template=template,
        parameters=tuple(_parameter(*each) for each in properties.get("Parameters", {}).items()),
        tags={**call.tags, **own},
        capabilities=tuple(above.deployment.capabilities),
        settings=StackSettings(
            timeout_minutes=None if minutes is None else int(minutes),
            notification_arns=list(properties.get("NotificationARNs", ())),
            role_arn=parent.settings.role_arn,
            parent_id=parent.arn,
            root_id=parent.settings.root_id or parent.arn,
        ),
        options=options,
    )


def _parameter(name: str, value: Any) -> GivenParameter:
    text = as_text(value)
    if text is None:
        raise StackError("Value of property Parameters must be an object with String (or simple type) properties")
    return GivenParameter(name, text)
