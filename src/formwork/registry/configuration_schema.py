"""The schema of a type's configuration, as DescribeType shows it and SetTypeConfiguration holds to it.

A resource type's is its typeConfiguration. A hook's is a part of CloudFormation's own configuration of a hook;
the members and bounds of that part are the service's, as its recorded answers show them.
"""

import json
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind

_DRAFT = "http://json-schema.org/draft-07/schema#"


def configuration_schema(scope: Scope, kind: ExtensionKind, type_name: str, schema: Mapping[str, Any]) -> str | None:
    """Return the text of the schema; None for a type without a configuration, as modules are."""
    found = schema.get("typeConfiguration")
    if kind is ExtensionKind.HOOK:
        return json.dumps(_hook(scope, type_name, found if isinstance(found, dict) else {}, schema))
    if kind is ExtensionKind.MODULE or not isinstance(found, dict):
        return None
    shared = {name: schema[name] for name in ("definitions", "remote") if schema.get(name)}
    return json.dumps({**found, "type": "object", **shared, "typeName": type_name})


def _hook(scope: Scope, type_name: str, configuration: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    name = "cloudformation.hook.configuration.schema.v1.json"
    settings = {
        **_settings(),
        "Properties": {
            "typeName": type_name,
            "description": "Properties that the hook itself reads",
            "type": "object",
            "additionalProperties": False,
            "definitions": schema.get("definitions", {}),
            **configuration,
        },
    }
    hook = _closed(settings, required=["TargetStacks", "FailureMode"])
    outer = _closed({"HookConfiguration": hook}, required=["HookConfiguration"])
    del outer["type"]  # AWS leaves it out here
    example = {"TargetStacks": "ALL", "Properties": {}, "FailureMode": "FAIL"}
    return {
        "$schema": _DRAFT,
        "$id": f"https://schema.cloudformation.{scope.region}.amazonaws.com/{name}",
        "title": "CloudFormation Hook Type Configuration Schema",
        "description": "What an account sets for a hook in a Region",
        **_closed({"CloudFormationConfiguration": outer}, required=["CloudFormationConfiguration"]),
        "definitions": _definitions(),
        "examples": [{"CloudFormationConfiguration": {"HookConfiguration": example}}],
    }


def _definitions() -> dict[str, Any]:
    return {
        "InvocationPoint": _choice("When, in provisioning, the hook is called", "PRE_PROVISION"),
        "Action": _choice("What is done to the target", "CREATE", "UPDATE", "DELETE"),
        "TargetName": _text("The type name of a target, * and ? standing for others", r"^(?!.*\*\?).*$", 256, least=1),
        "StackName": _text("A stack's name", "^[a-zA-Z][-a-zA-Z0-9]*$", 128),
        "StackRole": _text("The ARN of the role of a stack operation", "arn:.+:iam::[0-9]{12}:role/.+", 256),
        "HookTarget": {
            "description": "One target, when and at what the hook is called for it",
            **_closed(
                {each: {"$ref": f"#/definitions/{each}"} for each in ("InvocationPoint", "Action", "TargetName")},
                required=["TargetName", "Action", "InvocationPoint"],
            ),
        },
    }


def _settings() -> dict[str, Any]:
    several = {"Actions": "Action", "TargetNames": "TargetName", "InvocationPoints": "InvocationPoint"}
    return {
        "TargetStacks": _choice("Whose stacks the hook is called for", "ALL", "NONE", default="NONE"),
        "FailureMode": _choice("Whether a refusal stops the operation or only warns", "FAIL", "WARN", default="WARN"),
        "TargetFilters": {
            "description": "Which of the hook's targets call it",
            "type": "object",
            "oneOf": [
                {
                    **_closed({name: _items(each, ordered=False, closed=True) for name, each in several.items()}),
                    "minProperties": 1,
                },
                _closed({"Targets": _items("HookTarget", closed=True)}, required=["Targets"]),
            ],
        },
        "StackFilters": {
            "description": "Which stacks call the hook",
            **_closed(
                {
                    "FilteringCriteria": _choice(
                        "Whether every filter must match, or one", "ALL", "ANY", default="ALL"
                    ),
                    "StackNames": _filter("Filter by the stack's name", "StackName"),
                    "StackRoles": _filter("Filter by the role of the operation", "StackRole"),
                },
                required=["FilteringCriteria"],
            ),
        },
    }


def _filter(description: str, item: str) -> dict[str, Any]:
    lists = {name: _items(item, ordered=False) for name in ("Include", "Exclude")}
    return {"description": description, **_closed(lists), "minProperties": 1}


def _items(item: str, *, ordered: bool = True, closed: bool = False) -> dict[str, Any]:
    node: dict[str, Any] = {
        "description": f"Several of {item}",
        "type": "array",
        "minItems": 1,
        "maxItems": 50,
        "uniqueItems": True,
        "items": {"$ref": f"#/definitions/{item}"},
    }
    if closed:
        node["additionalItems"] = False
    return node if ordered else node | {"insertionOrder": False}


def _closed(members: Mapping[str, Any], *, required: list[str] | None = None) -> dict[str, Any]:
    node: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": dict(members)}
    return node if required is None else node | {"required": required}


def _choice(description: str, *values: str, default: str | None = None) -> dict[str, Any]:
    node: dict[str, Any] = {"description": description, "type": "string", "enum": list(values)}
    return node if default is None else node | {"default": default}


def _text(description: str, pattern: str, most: int, *, least: int | None = None) -> dict[str, Any]:
    node: dict[str, Any] = {"description": description, "type": "string", "pattern": pattern, "maxLength": most}
    return node if least is None else node | {"minLength": least}
