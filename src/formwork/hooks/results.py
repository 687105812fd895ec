"""What came of a hook's invocation: the record that is kept, and the notice that is sent.

Source: the service's model (ListHookResults, GetHookResult); user guide (seed 002), "Subscribing to hook invocation
events in Amazon EventBridge"; the members of the notice: EventBridge's schema
aws.cloudformation@CloudFormationHookInvocationProgress.
"""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.hooks.active import POINTS, ActiveHook
from formwork.hooks.asking import HookAnswer
from formwork.hooks.target import HookTarget, TargetKind

KEPT_SECONDS = 90 * 24 * 3600.0
_NOTICES = uuid.UUID("3b7c1c1a-7f86-4d3a-9c43-c6f1d0f0a7b2")  # the namespace of notices' ids


class HookResult(Struct, frozen=True, kw_only=True):
    """An invocation of a hook; `about` are the texts of its schema."""

    id: str
    scope: Scope
    target: HookTarget
    type_name: str
    type_arn: str
    version: str
    configuration_version: str
    mode: str
    status: str
    reason: str | None
    invoked: float
    annotations: tuple[Mapping[str, Any], ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)


def hook_result(scope: Scope, target: HookTarget, hook: ActiveHook, answer: HookAnswer) -> HookResult:
    """Return the result of an invocation that has begun or ended."""
    return HookResult(
        id=answer.id,
        scope=scope,
        target=target,
        type_name=hook.type_name,
        type_arn=hook.type_arn,
        version=hook.version,
        configuration_version=hook.configuration_version,
        mode=answer.mode,
        status=answer.status,
        reason=answer.reason,
        invoked=answer.began,
        annotations=tuple(answer.annotations),
        about=hook.about,
    )


def hook_notice(result: HookResult, now: float) -> dict[str, Any]:
    """Return the event that EventBridge delivers about an invocation."""
    scope, target = result.scope, result.target
    return {
        "version": "0",
        "id": str(uuid.uuid5(_NOTICES, f"{result.id}/{result.status}")),
        "detail-type": "CloudFormation Hook Invocation Progress",
        "source": "aws.cloudformation",
        "account": scope.account,
        "time": f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}",
        "region": scope.region,
        "resources": [] if target.stack_arn is None else [target.stack_arn],
        "detail": {
            "hook-detail": {
                "hook-type-name": result.type_name,
                "hook-type-arn": result.type_arn,
                "hook-version": result.version,
                "failure-mode": result.mode,
                "description": result.about.get("description", ""),
                "source-url": result.about.get("sourceUrl", ""),
                "documentation-url": result.about.get("documentationUrl", ""),
            },
            "target-detail": {
                "target-name": target.name,
                "target-type": str(TargetKind.RESOURCE if target.kind.holds_resources else target.kind),
                "target-id": target.identifier,
                "target-action": target.shown_action,
                "target-invocation-point": POINTS[target.action],
            },
            "result": {"data": result.id},
            "status": result.status,
            "status-reason": result.reason or "",
        },
    }
