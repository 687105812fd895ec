"""The verbs that only look."""

import argparse
import json
import time
from collections.abc import Mapping
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.showing import show_table
from formwork.cli.stack_verbs.finding import new_events
from formwork.cli.stack_verbs.following import POLL_SECONDS, Follower
from formwork.cli.stack_verbs.showing import event_line, plain_value
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget


def show_events(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack events`; with --follow until the stack is in a terminal state."""

    def write(event: Mapping[str, Any]) -> None:
        if arguments.format == "json":
            output.result(json.dumps(event, ensure_ascii=False, default=plain_value))
        else:
            output.result(event_line(event, colour=output.colour_out))
        output.out.flush()

    if arguments.follow:
        Follower(target, output, write=write).follow(arguments.stack)
        return 0
    for event in new_events(target.client("cloudformation"), arguments.stack):
        write(event)
    return 0


def find_drift(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack drift`: exit code 1 where something parts from the template."""
    client = target.client("cloudformation")
    with aws_errors(f"detecting the drift of {arguments.stack}"):
        identifier = client.detect_stack_drift(StackName=arguments.stack)["StackDriftDetectionId"]
        while True:
            found = client.describe_stack_drift_detection_status(StackDriftDetectionId=identifier)
            if found["DetectionStatus"] != "DETECTION_IN_PROGRESS":
                break
            time.sleep(POLL_SECONDS)
        drifts = _all_drifts(client, arguments.stack)
    if reason := found.get("DetectionStatusReason"):
        output.say(f"warning: {reason}")
    if arguments.format == "json":
        value = {"status": found.get("StackDriftStatus"), "resources": [_drift_value(each) for each in drifts]}
        output.result(json.dumps(value, indent=2, ensure_ascii=False))
    else:
        for each in drifts:
            _show_drift(each, output)
    return 0 if found.get("StackDriftStatus") == "IN_SYNC" else 1


def list_stacks(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack list`: those that live, or all."""
    client = target.client("cloudformation")
    with aws_errors("listing stacks"):
        operation, member = ("list_stacks", "StackSummaries") if arguments.all else ("describe_stacks", "Stacks")
        found = [each for page in client.get_paginator(operation).paginate() for each in page[member]]
    if arguments.format == "json":
        output.result(json.dumps(found, indent=2, ensure_ascii=False, default=plain_value))
        return 0
    rows = [(each["StackName"], each["StackStatus"], each["CreationTime"]) for each in found]
    show_table(("STACK", "STATUS", "CREATED"), rows, output, empty="no stacks found")
    return 0


def _all_drifts(client: Any, stack: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    token: str | None = None
    while True:
        more = {"NextToken": token} if token else {}
        page = client.describe_stack_resource_drifts(StackName=stack, **more)
        found += page["StackResourceDrifts"]
        token = page.get("NextToken")
        if not token:
            return found


def _show_drift(drift: Mapping[str, Any], output: CommandOutput) -> None:
    output.result(f"{drift['LogicalResourceId']} ({drift['ResourceType']}): {drift['StackResourceDriftStatus']}")
    for each in drift.get("PropertyDifferences", ()):
        values = f"expected {each['ExpectedValue']}, actual {each['ActualValue']}"
        output.result(f"    {each['PropertyPath']}: {each['DifferenceType']}, {values}")


def _drift_value(drift: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "logicalId": drift["LogicalResourceId"],
        "physicalId": drift.get("PhysicalResourceId"),
        "type": drift["ResourceType"],
        "status": drift["StackResourceDriftStatus"],
        "differences": [
            {
                "path": each["PropertyPath"],
                "difference": each["DifferenceType"],
                "expected": each["ExpectedValue"],
                "actual": each["ActualValue"],
            }
            for each in drift.get("PropertyDifferences", ())
        ],
    }
