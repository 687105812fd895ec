"""The document that Guard rules are evaluated against, for each kind of target.

Source: the service's hooks guide, "Write Guard rules to evaluate resources for Guard Hooks". Its syntax has
`AWSAccountID`, `ResourceType` and `ResourceProperties` where its examples and rules have `AwsAccountId`, `Type` and
`Properties`: the account has both names, resources have those of the examples.
"""

from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.documents import parse_document
from formwork.hooks.active import POINTS, HookCall
from formwork.hooks.target import TargetKind


def guard_input(call: HookCall, scope: Scope, type_name: str, version: str) -> dict[str, Any]:
    """Return the input of the rules."""
    target = call.target
    document: dict[str, Any] = {
        "HookContext": {
            "AWSAccountID": scope.account,
            "AwsAccountId": scope.account,
            "StackId": target.stack_arn or "",
            "HookTypeName": type_name,
            "HookTypeVersion": version,
            "InvocationPoint": POINTS[target.action],
            "TargetName": target.identifier if target.kind is TargetKind.STACK else target.name,
            "TargetType": "RESOURCE" if target.kind.holds_resources else str(target.kind),
            "TargetLogicalId": target.identifier,
            "ChangeSetId": target.change_set or "",
        }
    }
    if target.kind.holds_resources:
        deletes = target.action == "DELETE"
        document["Resources"] = _resource(call, {} if deletes else call.model.get("resourceProperties") or {})
        before = call.model.get("previousResourceProperties")
        document["Previous"] = {} if before is None else _resource(call, before)
        return document
    payload = call.payload or {}
    document |= {name: value for name, value in _template(payload.get("template")).items() if name != "HookContext"}
    document["Previous"] = _template(payload.get("previousTemplate"))
    if target.kind is TargetKind.CHANGE_SET:
        document["Changes"] = payload.get("changedResources", [])
    return document


def _resource(call: HookCall, properties: Mapping[str, Any]) -> dict[str, Any]:
    return {call.target.identifier: {"Type": call.target.name, "Properties": properties}}


def _template(text: str | None) -> Mapping[str, Any]:
    if not text:
        return {}
    value = parse_document(text, name="template", short_tags=True).value
    return value if isinstance(value, Mapping) else {}
