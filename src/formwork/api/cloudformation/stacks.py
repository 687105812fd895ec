"""The stack operations between botocore's shapes and the engine's own values."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from formwork.api.caller import Caller
from formwork.api.cloudformation.stack_requests import StackRequests, expect_stack_name, read_token, take_page
from formwork.api.cloudformation.stack_shapes import (
    show_event,
    show_resource,
    show_stack,
    show_summary,
    show_template,
)
from formwork.api.dispatch import Handler
from formwork.api.wire.errors import ApiError
from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import (
    StackRecord,
)

Input: TypeAlias = Mapping[str, Any]
Output: TypeAlias = Mapping[str, Any]

_PAGE = 100  # of events


def stack_operations(engine: Engine, requests: StackRequests) -> dict[tuple[str, str], Handler]:
    """Return what answers the stack operations, for the table of `api/dispatch.py`."""
    operations = _Operations(engine, requests)
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateStack": operations.create_stack,
        "UpdateStack": operations.update_stack,
        "DescribeStacks": operations.describe_stacks,
        "ListStacks": operations.list_stacks,
        "DescribeStackResource": operations.describe_stack_resource,
        "DescribeStackResources": operations.describe_stack_resources,
        "ListStackResources": operations.list_stack_resources,
        "DescribeStackEvents": operations.describe_stack_events,
        "GetTemplate": operations.get_template,
        "ListExports": operations.list_exports,
        "ListImports": operations.list_imports,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def answer_stacks(operation: Callable[[Scope, Input], Output]) -> Handler:
    """Return an operation as the table wants it: the engine's refusals are the API's errors."""

    def answer(caller: Caller, request: Input) -> Output:
        try:
            return operation(Scope(caller.account, caller.region), request)
        except StackError as error:
            raise ApiError(error.code, error.message, status=error.status) from error

    return answer


class _Operations:
    def __init__(self, engine: Engine, requests: StackRequests) -> None:
        self._engine = engine
        self._requests = requests

    def create_stack(self, scope: Scope, request: Input) -> Output:
        expect_stack_name(request["StackName"])
        arn, operation = self._engine.create_stack(scope, self._requests.read(scope, request, template_needed=True))
        return {"StackId": arn, "OperationId": operation}

    def update_stack(self, scope: Scope, request: Input) -> Output:
        previous = bool(request.get("UsePreviousTemplate"))
        arn, operation = self._engine.update_stack(
            scope, self._requests.read(scope, request, template_needed=not previous)
        )
        return {"StackId": arn, "OperationId": operation}

    def describe_stacks(self, scope: Scope, request: Input) -> Output:
        if name := request.get("StackName"):
            return {"Stacks": self._shown([self._engine.lookups.describe_stack(scope, name)])}
        page, token = take_page(self._engine.lookups.list_stacks(scope), request)
        return {"Stacks": self._shown(page), "NextToken": token}

    def _shown(self, stacks: list[StackRecord]) -> list[dict[str, Any]]:
        lookups = self._engine.lookups
        kinds = lookups.operation_kinds(each.operation_id for each in stacks)
        return [show_stack(lookups.with_shown_deployment(each), kinds.get(each.operation_id or "")) for each in stacks]

    def list_stacks(self, scope: Scope, request: Input) -> Output:
        wanted = set(request.get("StackStatusFilter", ()))
        stacks = self._engine.lookups.list_stacks(scope, deleted=True)
        page, token = take_page([each for each in stacks if not wanted or str(each.status) in wanted], request)
        shown = [show_summary(self._engine.lookups.with_shown_deployment(each)) for each in page]
        return {"StackSummaries": shown, "NextToken": token}

    def describe_stack_resource(self, scope: Scope, request: Input) -> Output:
        name, logical_id = request["StackName"], request["LogicalResourceId"]
        stack = self._expect(scope, name, f"Stack '{name}' does not exist")
        resource = self._engine.lookups.list_resources(scope, stack.arn).get(logical_id)
        if resource is None:
            raise StackError(f"Resource {logical_id} does not exist for stack {name}")
        drift = self._engine.lookups.list_drifts(scope, stack.arn).get(logical_id)
        detail = show_resource(stack, resource, drift, time="LastUpdatedTimestamp")
        detail["Metadata"] = json.dumps(self._engine.lookups.resource_metadata(stack, logical_id))
        return {"StackResourceDetail": detail}

    def describe_stack_resources(self, scope: Scope, request: Input) -> Output:
        name, physical_id = request.get("StackName"), request.get("PhysicalResourceId")
        if bool(name) is bool(physical_id):
            raise StackError("Exactly one of StackName and PhysicalResourceId must be specified")
        if physical_id:
            return {"StackResources": self._by_physical_id(scope, physical_id)}
        stack = self._engine.lookups.describe_stack(scope, str(name))
        found = self._engine.lookups.list_resources(scope, stack.arn)
        only = request.get("LogicalResourceId")
        if only is not None and only not in found:
            raise StackError(f"Resource {only} does not exist for stack {name}")
        drifts = self._engine.lookups.list_drifts(scope, stack.arn)
        return {
            "StackResources": [
                show_resource(stack, found[key], drifts.get(key), time="Timestamp", stack_too=True)
                for key in sorted(found)
                if only in {None, key}
            ]
        }

    def _by_physical_id(self, scope: Scope, physical_id: str) -> list[dict[str, Any]]:
        for stack in self._engine.lookups.list_stacks(scope):
            found = self._engine.lookups.list_resources(scope, stack.arn)
            if any(each.physical_id == physical_id for each in found.values()):
                drifts = self._engine.lookups.list_drifts(scope, stack.arn)
                return [
                    show_resource(stack, each, drifts.get(key), time="Timestamp", stack_too=True)
                    for key, each in found.items()
                ]
        raise StackError(f"Stack for {physical_id} does not exist")

    def list_stack_resources(self, scope: Scope, request: Input) -> Output:
        stack = self._engine.lookups.describe_stack(scope, request["StackName"])
        found = self._engine.lookups.list_resources(scope, stack.arn)
        page, token = take_page([found[key] for key in sorted(found)], request)
        drifts = self._engine.lookups.list_drifts(scope, stack.arn)
        shown = [show_resource(stack, each, drifts.get(each.logical_id), time="LastUpdatedTimestamp") for each in page]
        return {"StackResourceSummaries": shown, "NextToken": token}

    def describe_stack_events(self, scope: Scope, request: Input) -> Output:
        stack = self._expect(scope, request["StackName"], f"Stack [{request['StackName']}] does not exist")
        found = self._engine.lookups.list_events(scope, stack.arn, before=read_token(request))
        more = str(found[-1][0]) if len(found) == _PAGE else None
        return {"StackEvents": [show_event(stack, each) for _, each in found], "NextToken": more}

    def get_template(self, scope: Scope, request: Input) -> Output:
        name = request.get("StackName")
        if not name:
            raise StackError("StackName is required if ChangeSetName is not specified.")
        return show_template(self._engine.lookups.current_deployment(scope, name), request)

    def list_exports(self, scope: Scope, request: Input) -> Output:
        exports = [
            {"ExportingStackId": stack.arn, "Name": name, "Value": value}
            for stack in self._engine.lookups.list_stacks(scope)
            for value, name, _ in stack.outputs.values()
            if name is not None
        ]
        page, token = take_page(sorted(exports, key=lambda each: str(each["Name"])), request)
        return {"Exports": page, "NextToken": token}

    def list_imports(self, scope: Scope, request: Input) -> Output:
        page, token = take_page(self._engine.lookups.list_imports(scope, request["ExportName"]), request)
        return {"Imports": page, "NextToken": token}

    def _expect(self, scope: Scope, name: str, message: str) -> StackRecord:
        try:
            return self._engine.lookups.describe_stack(scope, name)
        except StackError as error:
            raise StackError(message) from error
