"""The verbs that show one stack: all of it, its outputs, its resources."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.showing import show_table
from formwork.cli.stack_verbs.showing import plain_value
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget

_MEMBERS = (
    ("StackName", "stack"),
    ("StackId", "id"),
    ("StackStatus", "status"),
    ("StackStatusReason", "reason"),
    ("Description", "description"),
    ("CreationTime", "created"),
    ("LastUpdatedTime", "updated"),
    ("DeletionTime", "deleted"),
    ("RoleARN", "role"),
    ("ParentId", "parent"),
)
_RESOURCE = (
    ("LogicalResourceId", "logicalId"),
    ("PhysicalResourceId", "physicalId"),
    ("ResourceType", "type"),
    ("ResourceStatus", "status"),
    ("ResourceStatusReason", "reason"),
)


def describe_stack(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack describe`: status, parameters, tags, outputs and resources."""
    client = target.client("cloudformation")
    stack = _stack(client, arguments.stack)
    resources = _resources(client, stack["StackId"])
    if arguments.format == "json":
        _show_json({**stack, "Resources": resources}, output)
        return 0
    for member, label in _MEMBERS:
        if (value := stack.get(member)) is not None:
            output.result(f"{label + ':':13}{plain_value(value)}")
    drift = stack.get("DriftInformation", {}).get("StackDriftStatus", "NOT_CHECKED")
    output.result(f"{'drift:':13}{drift}")
    for title, lines in _parts(stack):
        output.result(f"{title}:")
        for line in lines:
            output.result(f"    {line}")
    output.result("resources:")
    for each in resources:
        known = " ".join(str(each[member]) for member, _ in _RESOURCE[:3] if each.get(member))
        output.result(f"    {known}: {each['ResourceStatus']}")
    return 0


def show_outputs(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack outputs`: one line per output, or one JSON object."""
    stack = _stack(target.client("cloudformation"), arguments.stack)
    outputs = {each["OutputKey"]: each.get("OutputValue", "") for each in stack.get("Outputs", ())}
    if arguments.format == "json":
        _show_json(outputs, output)
        return 0
    for name, value in outputs.items():
        output.result(f"{name} = {value}")
    if not outputs:
        output.say(f"{stack['StackName']} has no outputs")
    return 0


def show_resources(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack resources`: what the stack holds, by logical id."""
    client = target.client("cloudformation")
    resources = _resources(client, _stack(client, arguments.stack)["StackId"])
    if arguments.format == "json":
        _show_json([{name: each.get(member) for member, name in _RESOURCE} for each in resources], output)
        return 0
    rows = [tuple(each.get(member, "") for member, _ in _RESOURCE[:4]) for each in resources]
    show_table(("LOGICAL ID", "PHYSICAL ID", "TYPE", "STATUS"), rows, output, empty="the stack has no resources")
    return 0


def _stack(client: Any, name: str) -> dict[str, Any]:
    with aws_errors(f"describing {name}"):
        found: dict[str, Any] = client.describe_stacks(StackName=name)["Stacks"][0]
    return found


def _resources(client: Any, stack_id: str) -> list[dict[str, Any]]:
    with aws_errors("listing the stack's resources"):
        pages = client.get_paginator("list_stack_resources").paginate(StackName=stack_id)
        return [each for page in pages for each in page["StackResourceSummaries"]]


def _parts(stack: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of a stack that are lists of named values, where it has any."""
    for title, member, key, value in (
        ("parameters", "Parameters", "ParameterKey", "ParameterValue"),
        ("tags", "Tags", "Key", "Value"),
        ("outputs", "Outputs", "OutputKey", "OutputValue"),
    ):
        if entries := stack.get(member):
            yield title, [f"{each[key]} = {each.get(value, '')}" for each in entries]


def _show_json(value: Any, output: CommandOutput) -> None:
    output.result(json.dumps(value, indent=2, ensure_ascii=False, default=plain_value))
