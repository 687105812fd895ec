"""Stacks that a registration with AWS needs: created, or brought up to date, and their outputs read."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from formwork.aws.errors import aws_errors
from formwork.diagnostics import EnvironmentProblemError

_POLL_SECONDS = 5.0
_LONGEST_SECONDS = 1000.0
_NO_UPDATES = "No updates are to be performed"


class Clock(Struct, frozen=True):
    """The functions that waiting uses; tests replace them."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def settle_stack(
    client: Any, name: str, template: str, *, say: Callable[[str], None], clock: Clock
) -> Mapping[str, str]:
    """Create the stack or update the existing one; return its outputs.

    Raises:
        EnvironmentProblemError: it fails, or CloudFormation can't be reached.
        BadInputError: CloudFormation refuses the template.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with boto3

    arguments = {"StackName": name, "TemplateBody": template, "Capabilities": ["CAPABILITY_IAM"]}
    with aws_errors(f"deploying the stack {name}"):
        try:
            stack = client.create_stack(**arguments, EnableTerminationProtection=True)["StackId"]
            say(f"creating the stack {name}")
        except client.exceptions.AlreadyExistsException:
            try:
                stack = client.update_stack(**arguments)["StackId"]
                say(f"updating the stack {name}")
            except botocore.exceptions.ClientError as error:
                if _NO_UPDATES not in str(error):
                    raise
                stack = name
        return _outputs(_await(client, stack, clock))


def _await(client: Any, stack: str, clock: Clock) -> Mapping[str, Any]:
    """Wait until the stack is in a terminal state; return its description."""
    end = clock.now() + _LONGEST_SECONDS
    while True:
        found: Mapping[str, Any] = client.describe_stacks(StackName=stack)["Stacks"][0]
        status = str(found["StackStatus"])
        if status in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
            return found
        if not status.endswith("_IN_PROGRESS"):
            raise EnvironmentProblemError(
                f"the stack {found['StackName']} is {status}: {_reason(client, stack) or 'its events give no reason'}",
                hint=f"`aws cloudformation describe-stack-events --stack-name {found['StackName']}` shows its events",
            )
        if clock.now() >= end:
            raise EnvironmentProblemError(
                f"stack {found['StackName']} is still {status} after {_LONGEST_SECONDS:.0f} s"
            )
        clock.sleep(_POLL_SECONDS)


def _reason(client: Any, stack: str) -> str:
    """Return the reason of the first failed event: the failures after it follow from it."""
    events = client.describe_stack_events(StackName=stack)["StackEvents"]
    failed = [
        f"{each['LogicalResourceId']}: {each['ResourceStatusReason']}"
        for each in events
        if str(each.get("ResourceStatus")).endswith("_FAILED") and each.get("ResourceStatusReason")
    ]
    return failed[-1] if failed else ""


def _outputs(stack: Mapping[str, Any]) -> Mapping[str, str]:
    return {str(each["OutputKey"]): str(each["OutputValue"]) for each in stack.get("Outputs", ())}
