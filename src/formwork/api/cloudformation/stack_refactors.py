"""The operations on stack refactors between botocore's shapes and the refactors' own values."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import Fetch, StackRequests, expect_stack_name, take_page
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.stack_refactors import NewStackRefactor, StackRefactor, StackRefactors
from formwork.stack_refactors.records import CreationStatus, Move, RefactoredStack, ResourcePlace
from formwork.stacks.errors import StackError

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_UNCHANGED = "No configuration changes detected."
_REWRITTEN = "Resource configuration changes will be validated during refactor execution."
_PAGE = 100


def stack_refactor_operations(refactors: StackRefactors, fetch: Fetch) -> dict[tuple[str, str], Handler]:
    """Return the operations for the table of `api/dispatch.py`; `fetch` reads the URL of a template."""
    operations = _Operations(refactors, StackRequests(fetch))
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateStackRefactor": operations.create,
        "DescribeStackRefactor": operations.describe,
        "ExecuteStackRefactor": operations.execute,
        "ListStackRefactors": operations.list,
        "ListStackRefactorActions": operations.list_actions,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


class _Operations:
    def __init__(self, refactors: StackRefactors, requests: StackRequests) -> None:
        self._refactors = refactors
        self._requests = requests

    def create(self, scope: Scope, request: Input) -> Output:
        definitions = []
        for each in request["StackDefinitions"]:
            name = each.get("StackName")
            if name is None:
                raise StackError("Each member of StackDefinitions must have a StackName")
            if not name.startswith("arn:"):
                expect_stack_name(name)
            definitions.append((name, self._requests.template(scope, each)))
        asked = NewStackRefactor(
            definitions=tuple(definitions),
            mappings=tuple(
                (_location(each["Source"]), _location(each["Destination"]))
                for each in request.get("ResourceMappings", ())
            ),
            creates=bool(request.get("EnableStackCreation")),
            description=request.get("Description"),
        )
        return {"StackRefactorId": self._refactors.create(scope, asked).id}

    def describe(self, scope: Scope, request: Input) -> Output:
        found = self._refactors.describe(scope, request["StackRefactorId"])
        return {**_summary(found), "StackIds": [_stack_id(found, each) for each in found.stacks]}

    def execute(self, scope: Scope, request: Input) -> Output:
        self._refactors.execute(scope, request["StackRefactorId"])
        return {}

    def list(self, scope: Scope, request: Input) -> Output:
        found = self._refactors.list_refactors(scope, request.get("ExecutionStatusFilter", ()))
        page, token = take_page(found, request, size=request.get("MaxResults") or _PAGE)
        return {"StackRefactorSummaries": [_summary(each) for each in page], "NextToken": token}

    def list_actions(self, scope: Scope, request: Input) -> Output:
        found = self._refactors.describe(scope, request["StackRefactorId"])
        actions = list(_actions(found))
        page, token = take_page(actions, request, size=request.get("MaxResults") or _PAGE)
        return {"StackRefactorActions": page, "NextToken": token}


def _location(location: Input) -> tuple[str, str]:
    return location["StackName"], location["LogicalResourceId"]


def _summary(refactor: StackRefactor) -> dict[str, Any]:
    return {
        "StackRefactorId": refactor.id,
        "Description": refactor.description,
        "Status": str(refactor.status),
        "StatusReason": refactor.reason,
        "ExecutionStatus": str(refactor.execution_status),
        "ExecutionStatusReason": refactor.execution_reason,
    }


def _stack_id(refactor: StackRefactor, stack: RefactoredStack) -> str:
    """Return a stack that was to be created by a refactor that failed has no id."""
    missing = stack.creates and refactor.status is not CreationStatus.COMPLETE
    return stack.name if missing else stack.arn(refactor.scope)


def _actions(refactor: StackRefactor) -> Iterator[dict[str, Any]]:
    for move in refactor.moves:
        yield _move(refactor, move)
    for stack in refactor.stacks if refactor.status is CreationStatus.COMPLETE else ():
        if stack.creates:
            yield {
                "Action": "CREATE",
                "Entity": "STACK",
                "Description": f"Stack {stack.arn(refactor.scope)} created.",
                "Detection": "MANUAL",
                "TagResources": [],
                "UntagResources": [],
            }


def _move(refactor: StackRefactor, move: Move) -> dict[str, Any]:
    tags, keys = _tags(refactor, move.destination), list(_tags(refactor, move.source))
    return {
        "Action": "MOVE",
        "Entity": "RESOURCE",
        "PhysicalResourceId": move.physical_id,
        "ResourceIdentifier": json.dumps(dict(move.identifier), separators=(",", ":")),
        "Description": _REWRITTEN if move.rewritten else _UNCHANGED,
        "Detection": "MANUAL" if move.given else "AUTO",
        "TagResources": [{"Key": key, "Value": value} for key, value in tags.items()] if move.tagged else [],
        "UntagResources": keys if move.tagged else [],
        "ResourceMapping": {
            "Source": _shown_place(refactor, move.source),
            "Destination": _shown_place(refactor, move.destination),
        },
    }


def _tags(refactor: StackRefactor, place: ResourcePlace) -> dict[str, str]:
    """Return the tags that a resource has from its stack."""
    stack = refactor.stack(place.stack)
    own = {} if stack.deployment is None else stack.deployment.tags
    return {
        "aws:cloudformation:stack-name": stack.name,
        "aws:cloudformation:logical-id": place.logical_id,
        "aws:cloudformation:stack-id": stack.arn(refactor.scope),
        **own,
    }


def _shown_place(refactor: StackRefactor, place: ResourcePlace) -> dict[str, str]:
    return {
        "StackName": refactor.stack(place.stack).arn(refactor.scope),
        "LogicalResourceId": place.logical_id,
    }
