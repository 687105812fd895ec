"""The end of a test's account: its stacks are deleted, and what can't be is named."""

import contextlib
from collections.abc import Iterator

from formwork.testing.account import CloudFormation
from formwork.testing.failures import AcceptanceFailure, StepFinding
from formwork.testing.operations import await_stack
from formwork.testing.stack import Stack


def sweep(account: CloudFormation, *, failed: bool) -> None:
    """Delete the stacks of an account, the newest first.

    Raises:
        AcceptanceFailure: the test has not `failed`, and a stack can't be deleted or an expectation is open.
    """
    __tracebackhide__ = True
    if not failed:
        _expect_nothing_open(account)
    for stack in _remaining(account):
        if failed:
            with contextlib.suppress(Exception):  # its failure is reported already
                account.cloudformation.delete_stack(StackName=stack.id)
                await_stack(account.cloudformation, stack.id)
        else:
            stack.delete()


def _expect_nothing_open(account: CloudFormation) -> None:
    __tracebackhide__ = True
    open_ones = [account.expected.describe(), *(stack.unmet for stack in account.stacks.values())]
    account.fail(
        [StepFinding(f"the test ended without the operation that was to bring {each}") for each in open_ones if each]
    )


def _remaining(account: CloudFormation) -> Iterator[Stack]:
    """Yield the stacks that are not deleted, those first that no other one needs."""
    described = account.cloudformation.get_paginator("describe_stacks").paginate()
    stacks = [each for page in described for each in page["Stacks"] if "RootId" not in each]
    for each in sorted(stacks, key=lambda found: found["CreationTime"], reverse=True):
        stack = account.stacks.get(each["StackName"])
        if stack is None or stack.id not in (each["StackId"], each["StackName"]):
            stack = Stack(account, each["StackName"], account.checks)
        stack.id = each["StackId"]
        yield stack


def describe_left(account: CloudFormation) -> str:
    """Return what a test has left: its stacks and their resources, one per line."""
    lines = []
    try:
        for stack in _remaining(account):
            lines.append(f"stack {stack.name} ({stack.status})")
            lines += [f"  {each.logical_id}  {each.type}  {each.physical_id}" for each in stack.resources.values()]
    except AcceptanceFailure as error:  # pragma: no cover
        lines.append(str(error))
    return "\n".join(lines)
