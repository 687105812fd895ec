"""The verbs of `cfn stack`."""

import argparse
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.output import Output
from formwork.cli.registry_target import RegistryTarget
from formwork.cli.registry_verbs.showing import show_table
from formwork.diagnostics import BadInputError, Severity, UsageError
from formwork.documents import load_document
from formwork.template import read_template

_POLL_SECONDS = 0.5
_GOOD = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "DELETE_COMPLETE", "IMPORT_COMPLETE"})
_NOT_THERE = "does not exist"


def deploy(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack deploy`."""
    client = target.client("cloudformation")
    request = _request(arguments)
    stack = _find(client, arguments.stack)
    if stack is not None and stack["StackStatus"] == "ROLLBACK_COMPLETE":
        output.say(f"{arguments.stack} was rolled back when it was made: deleting what is left of it")
        _delete(client, stack["StackId"], [], output)
        stack = None
    seen = set() if stack is None else {each["EventId"] for each in _events(client, stack["StackId"])}
    token = str(uuid.uuid4())
    try:
        with aws_errors(f"deploying {arguments.stack}"):
            begun = client.create_stack if stack is None else client.update_stack
            identifier = begun(ClientRequestToken=token, **request)["StackId"]
    except BadInputError as error:
        if "No updates are to be performed." in str(error):
            output.result(f"{arguments.stack} is what the template says already")
            return 0
        raise
    final = _follow(client, identifier, seen, output)
    _show_outputs(final, output)
    return 0 if final["StackStatus"] in _GOOD else 1


def diff(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack diff`: exit code 1 where something would change, as diff has it."""
    client = target.client("cloudformation")
    request = _request(arguments)
    known = _find(client, arguments.stack)
    kind = "CREATE" if known is None or known["StackStatus"] == "REVIEW_IN_PROGRESS" else "UPDATE"
    name = f"cfn-stack-diff-{uuid.uuid4().hex[:12]}"
    with aws_errors(f"comparing {arguments.stack}"):
        made = client.create_change_set(ChangeSetName=name, ChangeSetType=kind, **request)
        found = _await_change_set(client, made["Id"])
        client.delete_change_set(ChangeSetName=made["Id"])
        if known is None:
            client.delete_stack(StackName=made["StackId"])
    changes = [each["ResourceChange"] for each in found.get("Changes", ())]
    if not changes and "didn't contain changes" not in found.get("StatusReason", ""):
        raise BadInputError.of("stack.change-set", found.get("StatusReason", "the change set could not be made"))
    for change in changes:
        output.result(_line(change))
        for detail in _details(change):
            output.result(f"    {detail}")
    if not changes:
        output.result("no changes")
    return 1 if changes else 0


def show_events(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack events`."""
    for event in _events(target.client("cloudformation"), arguments.stack):
        output.result(_event_line(event))
    return 0


def find_drift(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack drift`."""
    client = target.client("cloudformation")
    with aws_errors(f"detecting the drift of {arguments.stack}"):
        identifier = client.detect_stack_drift(StackName=arguments.stack)["StackDriftDetectionId"]
        while True:
            found = client.describe_stack_drift_detection_status(StackDriftDetectionId=identifier)
            if found["DetectionStatus"] != "DETECTION_IN_PROGRESS":
                break
            time.sleep(_POLL_SECONDS)
        drifts = client.describe_stack_resource_drifts(StackName=arguments.stack)["StackResourceDrifts"]
    if reason := found.get("DetectionStatusReason"):
        output.say(f"warning: {reason}")
    for each in drifts:
        output.result(f"{each['LogicalResourceId']} ({each['ResourceType']}): {each['StackResourceDriftStatus']}")
        for one in each.get("PropertyDifferences", ()):
            values = f"expected {one['ExpectedValue']}, actual {one['ActualValue']}"
            output.result(f"    {one['PropertyPath']}: {one['DifferenceType']}, {values}")
    return 0 if found.get("StackDriftStatus") == "IN_SYNC" else 1


def delete(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack delete`."""
    client = target.client("cloudformation")
    stack = _find(client, arguments.stack)
    if stack is None:
        output.result(f"there is no stack {arguments.stack}")
        return 0
    return 0 if _delete(client, stack["StackId"], arguments.retain, output) in _GOOD else 1


def list_stacks(target: RegistryTarget, arguments: argparse.Namespace, output: Output) -> int:
    """`cfn stack list`."""
    del arguments
    client = target.client("cloudformation")
    with aws_errors("listing stacks"):
        pages = client.get_paginator("describe_stacks").paginate()
        found = [each for page in pages for each in page["Stacks"]]
    rows = [(each["StackName"], each["StackStatus"], each["CreationTime"]) for each in found]
    show_table(("STACK", "STATUS", "CREATED"), rows, output, empty="there are no stacks")
    return 0


def _request(arguments: argparse.Namespace) -> dict[str, Any]:
    """The members of a request for a stack; the template is read here first, so that what is wrong with it has a place.

    Raises:
        BadInputError: the template has errors.
    """
    document = load_document(Path(arguments.template), short_tags=True)
    errors = [each for each in read_template(document).diagnostics if each.severity is Severity.ERROR]
    if errors:
        raise BadInputError(errors)
    parameters = _pairs(arguments.parameter, "--parameter")
    request: dict[str, Any] = {
        "StackName": arguments.stack,
        "TemplateBody": document.text,
        "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        "Capabilities": arguments.capability,
    }
    if arguments.tag:
        request["Tags"] = [{"Key": key, "Value": value} for key, value in _pairs(arguments.tag, "--tag").items()]
    return request


def _pairs(given: list[str], option: str) -> dict[str, str]:
    pairs = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key:
            raise UsageError(f'{option} is "{each}"', hint="NAME=VALUE")
        pairs[key] = value
    return pairs


def _find(client: Any, name: str) -> dict[str, Any] | None:
    try:
        with aws_errors(f"looking for {name}"):
            found: dict[str, Any] = client.describe_stacks(StackName=name)["Stacks"][0]
    except BadInputError as error:
        if _NOT_THERE in str(error):
            return None
        raise
    return found


def _events(client: Any, name: str) -> list[dict[str, Any]]:
    """The events of a stack, the oldest first."""
    with aws_errors(f"reading the events of {name}"):
        pages = client.get_paginator("describe_stack_events").paginate(StackName=name)
        return [each for page in pages for each in page["StackEvents"]][::-1]


def _follow(client: Any, identifier: str, seen: set[str], output: Output) -> dict[str, Any]:
    """Show what happens until the stack is at rest; the stack as it is then."""
    while True:
        with aws_errors("looking at the stack"):
            stack: dict[str, Any] = client.describe_stacks(StackName=identifier)["Stacks"][0]
        for event in _events(client, identifier):
            if event["EventId"] not in seen:
                seen.add(event["EventId"])
                output.say(_event_line(event))
        if not stack["StackStatus"].endswith("_IN_PROGRESS"):
            output.result(f"{stack['StackName']}: {stack['StackStatus']}")
            return stack
        time.sleep(_POLL_SECONDS)


def _delete(client: Any, identifier: str, retain: list[str], output: Output) -> str:
    seen = {each["EventId"] for each in _events(client, identifier)}
    more = {"RetainResources": retain} if retain else {}
    with aws_errors("deleting the stack"):
        client.delete_stack(StackName=identifier, **more)
    return str(_follow(client, identifier, seen, output)["StackStatus"])


def _await_change_set(client: Any, identifier: str) -> dict[str, Any]:
    while True:
        found: dict[str, Any] = client.describe_change_set(ChangeSetName=identifier, IncludePropertyValues=True)
        if found["Status"] not in {"CREATE_PENDING", "CREATE_IN_PROGRESS"}:
            return found
        time.sleep(_POLL_SECONDS)


def _event_line(event: Mapping[str, Any]) -> str:
    moment = event["Timestamp"].strftime("%H:%M:%S")
    line = f"{moment}  {event['LogicalResourceId']}  {event['ResourceStatus']}  {event['ResourceType']}"
    if hook := event.get("HookType"):
        line += f"  [{hook}: {event.get('HookStatus')}]"
    reason = event.get("HookStatusReason") or event.get("ResourceStatusReason")
    return f"{line}  {reason}" if reason else line


def _line(change: Mapping[str, Any]) -> str:
    name = f"{change['Action']} {change['LogicalResourceId']} ({change['ResourceType']})"
    replacement = change.get("Replacement")
    return name if replacement in {None, "False"} else f"{name}, replacement: {replacement}"


def _details(change: Mapping[str, Any]) -> Iterator[str]:
    shown: set[str] = set()
    for detail in change.get("Details", ()):
        target = detail["Target"]
        place = target.get("Path") or target["Attribute"]
        if place in shown:
            continue
        shown.add(place)
        before, after = target.get("BeforeValue"), target.get("AfterValue")
        yield f"{place}: {_shown(before)} → {_shown(after)}" if before or after else str(place)


def _shown(value: str | None) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _show_outputs(stack: Mapping[str, Any], output: Output) -> None:
    for each in stack.get("Outputs", ()):
        output.result(f"{each['OutputKey']} = {each.get('OutputValue', '')}")
