"""Shows the changes of deploying a template, by a change set that is not executed."""

import argparse
import json
import time
import uuid
from collections.abc import Mapping
from typing import Any

from formwork.cli.stack_verbs.finding import find_stack
from formwork.cli.stack_verbs.following import POLL_SECONDS
from formwork.cli.stack_verbs.refused_properties import refused_properties
from formwork.cli.stack_verbs.requests import request_errors, stack_request, was_rolled_back
from formwork.cli.stack_verbs.showing import change_lines, change_value, changes_of
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError

_MOST_OF_NAME = 100  # of the 128 characters of a stack's name
_EMPTY = ("didn't contain changes", "No updates are to be performed")


def diff(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Run `cfn stack diff`, nested stacks included; return 1 if anything would change, as diff does."""
    client = target.client("cloudformation")
    known = find_stack(client, arguments.stack)
    request = stack_request(target, arguments, known)
    if known is not None and was_rolled_back(known):
        output.say(
            f"{arguments.stack} was rolled back when it was created: compared with nothing, as after its deletion"
        )
        request["StackName"] = f"{known['StackName'][:_MOST_OF_NAME]}-{uuid.uuid4().hex[:8]}"
        known = None
    kind = "CREATE" if known is None or known["StackStatus"] == "REVIEW_IN_PROGRESS" else "UPDATE"
    with request_errors(f"comparing {arguments.stack}"):
        made = make_change_set(client, {**request, "IncludeNestedStacks": True}, kind)
        try:
            found = await_change_set(client, made["Id"], failing=True)
            if found["Status"] == "FAILED" and not is_empty(found):
                raise _refused(client, found)
            _add_nested(client, found)
        finally:
            client.delete_change_set(ChangeSetName=made["Id"])
            if known is None:
                client.delete_stack(StackName=made["StackId"])
    show_changes({**found, "StackName": arguments.stack}, arguments.format, output)
    return 1 if found.get("Changes") and not arguments.exit_zero else 0


def _add_nested(client: Any, found: Mapping[str, Any]) -> None:
    """Give each change of a nested stack the change set of that stack, as `Nested`."""
    for change in (each["ResourceChange"] for each in found.get("Changes", ())):
        if (identifier := change.get("ChangeSetId")) is not None:
            change["Nested"] = await_change_set(client, identifier, failing=True)
            _add_nested(client, change["Nested"])


def make_change_set(client: Any, request: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Begin to make a change set with a name of its own."""
    name = f"cfn-stack-{uuid.uuid4().hex[:12]}"
    made: dict[str, Any] = client.create_change_set(ChangeSetName=name, ChangeSetType=kind, **request)
    return made


def await_change_set(client: Any, identifier: str, *, failing: bool = False) -> dict[str, Any]:
    """The change set once it is made, with all its changes; one that could not be made only where it may be `failing`.

    Raises:
        BadInputError: it could not be made, for another reason than that there is nothing to do.
    """
    while True:
        found: dict[str, Any] = client.describe_change_set(ChangeSetName=identifier, IncludePropertyValues=True)
        if found["Status"] not in {"CREATE_PENDING", "CREATE_IN_PROGRESS"}:
            break
        time.sleep(POLL_SECONDS)
    token = found.get("NextToken")
    while token:
        page = client.describe_change_set(ChangeSetName=identifier, IncludePropertyValues=True, NextToken=token)
        found["Changes"] += page.get("Changes", [])
        token = page.get("NextToken")
    if found["Status"] == "FAILED" and not failing and not is_empty(found):
        raise _refused(client, found)
    return found


def _refused(client: Any, found: Mapping[str, Any]) -> BadInputError:
    reason = found.get("StatusReason", "the change set could not be made")
    notes = refused_properties(client, reason, ChangeSetName=found["ChangeSetId"])
    return BadInputError.of("stack.change-set", reason, notes=notes)


def is_empty(found: Mapping[str, Any]) -> bool:
    """Return whether the change set failed only because there is nothing to do."""
    return found["Status"] == "FAILED" and any(each in found.get("StatusReason", "") for each in _EMPTY)


def show_changes(found: Mapping[str, Any], how: str, output: CommandOutput) -> None:
    """The changes of a change set, to stdout."""
    changes = changes_of(found)
    if how == "json":
        value = {
            "stack": found["StackName"],
            "changeSet": found["ChangeSetName"],
            "changes": [change_value(each) for each in changes],
        }
        output.result(json.dumps(value, indent=2, ensure_ascii=False))
        return
    for change in changes:
        for line in change_lines(change, colour=output.colour_out):
            output.result(line)
    if not changes:
        output.result("only outputs, tags or metadata change" if found["Status"] != "FAILED" else "no changes")
