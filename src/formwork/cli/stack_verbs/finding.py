"""Stacks and their events, asked for."""

from collections.abc import Collection
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.diagnostics import BadInputError

_NOT_THERE = "does not exist"


def find_stack(client: Any, name: str) -> dict[str, Any] | None:
    """Return the stack of that name or ARN, None where there is none."""
    try:
        with aws_errors(f"looking for {name}"):
            found: dict[str, Any] = client.describe_stacks(StackName=name)["Stacks"][0]
    except BadInputError as error:
        if _NOT_THERE in str(error):
            return None
        raise
    return found


def new_events(client: Any, name: str, seen: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the events of a stack since those that were `seen`, the oldest first.

    Raises:
        BadInputError: there is no such stack.
    """
    found: list[dict[str, Any]] = []
    with aws_errors(f"reading the events of {name}"):
        for page in client.get_paginator("describe_stack_events").paginate(StackName=name):
            for event in page["StackEvents"]:
                if event["EventId"] in seen:
                    return found[::-1]
                found.append(event)
    return found[::-1]
