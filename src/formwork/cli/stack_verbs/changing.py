"""The verbs that change stacks."""

import argparse
import json
import uuid
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.stack_verbs.comparing import await_change_set, is_empty, make_change_set, show_changes
from formwork.cli.stack_verbs.failures import explain_failure
from formwork.cli.stack_verbs.finding import find_stack
from formwork.cli.stack_verbs.following import Follower
from formwork.cli.stack_verbs.requests import request_errors, stack_request, was_rolled_back
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError

_GOOD = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "DELETE_COMPLETE", "IMPORT_COMPLETE"})
_NOTHING_TO_DO = "No updates are to be performed."


def deploy(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack deploy`."""
    client = target.client("cloudformation")
    stack = find_stack(client, arguments.stack)
    request = stack_request(target, arguments, stack)
    if arguments.no_execute:
        return _prepare(target, arguments, request, output)
    follower = Follower(target, output)
    if stack is not None and was_rolled_back(stack):
        output.say(f"{arguments.stack} was rolled back when it was created: deleting the rest of it")
        follower.skip(stack["StackId"])
        with aws_errors("deleting the stack"):
            client.delete_stack(StackName=stack["StackId"])
        follower.follow(stack["StackId"])
        stack = None
    reviewed = stack is not None and stack["StackStatus"] == "REVIEW_IN_PROGRESS"
    if stack is not None:
        follower.skip(stack["StackId"])
    keep = {"DisableRollback": True} if arguments.no_rollback else {}
    try:
        with request_errors(f"deploying {arguments.stack}"):
            if reviewed:  # a change set created it, so only a change set can continue
                made = make_change_set(client, request, "CREATE")
                await_change_set(client, made["Id"])
                client.execute_change_set(ChangeSetName=made["Id"], **keep)
                identifier = made["StackId"]
            else:
                begin = client.create_stack if stack is None else client.update_stack
                identifier = begin(ClientRequestToken=str(uuid.uuid4()), **request, **keep)["StackId"]
    except BadInputError as error:
        if _NOTHING_TO_DO not in str(error):
            raise
        assert stack is not None
        return _unchanged(stack, arguments, output)
    return _finish(target, follower, identifier, arguments, output)


def execute(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack execute`: a change set that `deploy --no-execute` has made."""
    client = target.client("cloudformation")
    follower = Follower(target, output)
    with aws_errors(f"executing {arguments.change_set}"):
        found = client.describe_change_set(ChangeSetName=arguments.change_set, StackName=arguments.stack)
        follower.skip(found["StackId"])
        client.execute_change_set(ChangeSetName=found["ChangeSetId"])
    return _finish(target, follower, found["StackId"], arguments, output)


def delete(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn stack delete`."""
    client = target.client("cloudformation")
    stack = find_stack(client, arguments.stack)
    if stack is None:
        output.result(f"stack {arguments.stack} not found")
        return 0
    if not _agreed(client, stack, arguments, output):
        output.say("no stack was deleted")
        return 1
    follower = Follower(target, output)
    follower.skip(stack["StackId"])
    more: dict[str, Any] = {"RetainResources": arguments.retain} if arguments.retain else {}
    if arguments.force:
        more["DeletionMode"] = "FORCE_DELETE_STACK"
    with aws_errors("deleting the stack"):
        client.delete_stack(StackName=stack["StackId"], **more)
    final = follower.follow(stack["StackId"])
    output.result(f"{final['StackName']}: {final['StackStatus']}")
    if final["StackStatus"] in _GOOD:
        return 0
    explain_failure(target, final, follower.told, output)
    return 1


def _agreed(client: Any, stack: dict[str, Any], arguments: argparse.Namespace, output: CommandOutput) -> bool:
    """Ask the user at the terminal to confirm; without a terminal return True."""
    if arguments.yes or not output.interactive:
        return True
    with aws_errors("describing the stack"):
        pages = client.get_paginator("list_stack_resources").paginate(StackName=stack["StackId"])
        count = sum(len(page["StackResourceSummaries"]) for page in pages)
    answer = output.ask(f"delete {stack['StackName']} and its {count} resources? [y/N]")
    return (answer or "").lower() in {"y", "yes"}


def _prepare(
    target: RegistryTarget, arguments: argparse.Namespace, request: dict[str, Any], output: CommandOutput
) -> int:
    """Create a change set to be reviewed, and executed by a later command."""
    client = target.client("cloudformation")
    stack = find_stack(client, arguments.stack)
    kind = "CREATE" if stack is None or stack["StackStatus"] == "REVIEW_IN_PROGRESS" else "UPDATE"
    with request_errors(f"preparing {arguments.stack}"):
        made = make_change_set(client, request, kind)
        found = await_change_set(client, made["Id"])
        if is_empty(found):
            client.delete_change_set(ChangeSetName=made["Id"])
    if is_empty(found):
        output.result(f"{arguments.stack} already matches the template")
        return 0
    show_changes(found, arguments.format, output)
    output.say(f"execute it: cfn stack execute {arguments.stack} {found['ChangeSetName']}{target.words}")
    return 0


def _unchanged(stack: dict[str, Any], arguments: argparse.Namespace, output: CommandOutput) -> int:
    if arguments.format == "json":
        output.result(json.dumps({**_outcome(stack), "changed": False}, indent=2, ensure_ascii=False))
    else:
        output.result(f"{arguments.stack} already matches the template")
    return 0


def _finish(
    target: RegistryTarget, follower: Follower, identifier: str, arguments: argparse.Namespace, output: CommandOutput
) -> int:
    """Follow the operation to its end, and say what came of it."""
    final = follower.follow(identifier)
    good = final["StackStatus"] in _GOOD
    if arguments.format == "json":
        output.result(json.dumps({**_outcome(final), "changed": good}, indent=2, ensure_ascii=False))
    else:
        output.result(f"{final['StackName']}: {final['StackStatus']}")
        for each in final.get("Outputs", ()):
            output.result(f"{each['OutputKey']} = {each.get('OutputValue', '')}")
    if not good:
        explain_failure(target, final, follower.told, output)
    return 0 if good else 1


def _outcome(stack: dict[str, Any]) -> dict[str, Any]:
    return {
        "stack": stack["StackName"],
        "stackId": stack["StackId"],
        "status": stack["StackStatus"],
        "outputs": {each["OutputKey"]: each.get("OutputValue") for each in stack.get("Outputs", ())},
    }
