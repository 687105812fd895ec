"""The stack operations between botocore's shapes and the engine's own values."""

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from formwork.api.caller import Caller
from formwork.api.dispatch import Handler
from formwork.api.wire.errors import ApiError
from formwork.engine.changes.masking import MASK
from formwork.engine.engine import Engine
from formwork.engine.errors import StackError
from formwork.engine.parameters import GivenParameter
from formwork.engine.quotas import MAX_BODY_BYTES, MAX_OBJECT_BYTES
from formwork.engine.stack_request import StackRequest
from formwork.engine.store.drifts import FoundDrift
from formwork.engine.store.records import (
    Deployment,
    EventRecord,
    OperationOptions,
    ResourceRecord,
    StackRecord,
    StackSettings,
)
from formwork.registry.scope import Scope
from formwork.template.evaluation import as_text

Input: TypeAlias = Mapping[str, Any]
Output: TypeAlias = Mapping[str, Any]
Fetch: TypeAlias = Callable[[Scope, str], bytes]

_PAGE = 100
_MAX_POLICY = 16_384  # bytes, as the model has it for bodies


def stack_operations(engine: Engine, requests: "StackRequests") -> dict[tuple[str, str], Handler]:
    """What answers the stack operations, for the table of `api/dispatch.py`."""
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
    """An operation as the table wants it: the engine's refusals are the API's errors."""

    def answer(caller: Caller, request: Input) -> Output:
        try:
            return operation(Scope(caller.account, caller.region), request)
        except StackError as error:
            raise ApiError(error.code, error.message, status=error.status) from error

    return answer


class _Operations:
    def __init__(self, engine: Engine, requests: "StackRequests") -> None:
        self._engine = engine
        self._requests = requests

    def create_stack(self, scope: Scope, request: Input) -> Output:
        if "DisableRollback" in request and "OnFailure" in request:
            raise StackError("Either DisableRollback or OnFailure can be specified, not both.")
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
            return {"Stacks": [_stack(self._engine.describe_stack(scope, name))]}
        page, token = take_page(self._engine.list_stacks(scope), request)
        return {"Stacks": [_stack(each) for each in page], "NextToken": token}

    def list_stacks(self, scope: Scope, request: Input) -> Output:
        wanted = set(request.get("StackStatusFilter", ()))
        stacks = self._engine.list_stacks(scope, deleted=True)
        page, token = take_page([each for each in stacks if not wanted or str(each.status) in wanted], request)
        return {"StackSummaries": [_summary(each) for each in page], "NextToken": token}

    def describe_stack_resource(self, scope: Scope, request: Input) -> Output:
        name, logical_id = request["StackName"], request["LogicalResourceId"]
        stack = self._expect(scope, name, f"Stack '{name}' does not exist")
        resource = self._engine.list_resources(scope, stack.arn).get(logical_id)
        if resource is None:
            raise StackError(f"Resource {logical_id} does not exist for stack {stack.name}")
        drift = self._engine.list_drifts(scope, stack.arn).get(logical_id)
        detail = _resource(stack, resource, drift, time="LastUpdatedTimestamp")
        if metadata := resource.declaration.get("Metadata"):
            detail["Metadata"] = json.dumps(metadata)
        return {"StackResourceDetail": detail}

    def describe_stack_resources(self, scope: Scope, request: Input) -> Output:
        name, physical_id = request.get("StackName"), request.get("PhysicalResourceId")
        if bool(name) is bool(physical_id):
            raise StackError("Exactly one of StackName and PhysicalResourceId must be specified")
        if physical_id:
            return {"StackResources": self._by_physical_id(scope, physical_id)}
        stack = self._engine.describe_stack(scope, str(name))
        found = self._engine.list_resources(scope, stack.arn)
        only = request.get("LogicalResourceId")
        if only is not None and only not in found:
            raise StackError(f"Resource {only} does not exist for stack {stack.name}")
        drifts = self._engine.list_drifts(scope, stack.arn)
        return {
            "StackResources": [
                _resource(stack, each, drifts.get(key), time="Timestamp", stack_too=True)
                for key, each in found.items()
                if only in {None, key}
            ]
        }

    def _by_physical_id(self, scope: Scope, physical_id: str) -> list[dict[str, Any]]:
        for stack in self._engine.list_stacks(scope):
            found = self._engine.list_resources(scope, stack.arn)
            if any(each.physical_id == physical_id for each in found.values()):
                drifts = self._engine.list_drifts(scope, stack.arn)
                return [
                    _resource(stack, each, drifts.get(key), time="Timestamp", stack_too=True)
                    for key, each in found.items()
                ]
        raise StackError(f"Stack for {physical_id} does not exist")

    def list_stack_resources(self, scope: Scope, request: Input) -> Output:
        stack = self._engine.describe_stack(scope, request["StackName"])
        page, token = take_page(list(self._engine.list_resources(scope, stack.arn).values()), request)
        drifts = self._engine.list_drifts(scope, stack.arn)
        shown = [_resource(stack, each, drifts.get(each.logical_id), time="LastUpdatedTimestamp") for each in page]
        return {"StackResourceSummaries": shown, "NextToken": token}

    def describe_stack_events(self, scope: Scope, request: Input) -> Output:
        stack = self._expect(scope, request["StackName"], f"Stack [{request['StackName']}] does not exist")
        found = self._engine.list_events(scope, stack.arn, before=read_token(request))
        more = str(found[-1][0]) if len(found) == _PAGE else None
        return {"StackEvents": [_event(stack, each) for _, each in found], "NextToken": more}

    def get_template(self, scope: Scope, request: Input) -> Output:
        name = request.get("StackName")
        if not name:
            raise StackError("StackName is required if ChangeSetName is not specified.")
        return show_template(self._engine.current_deployment(scope, name), request)

    def list_exports(self, scope: Scope, request: Input) -> Output:
        exports = [
            {"ExportingStackId": stack.arn, "Name": name, "Value": value}
            for stack in self._engine.list_stacks(scope)
            for value, name, _ in stack.outputs.values()
            if name is not None
        ]
        page, token = take_page(sorted(exports, key=lambda each: str(each["Name"])), request)
        return {"Exports": page, "NextToken": token}

    def list_imports(self, scope: Scope, request: Input) -> Output:
        page, token = take_page(self._engine.list_imports(scope, request["ExportName"]), request)
        return {"Imports": page, "NextToken": token}

    def _expect(self, scope: Scope, name: str, message: str) -> StackRecord:
        try:
            return self._engine.describe_stack(scope, name)
        except StackError as error:
            raise StackError(message) from error


class StackRequests:
    """Reads requests for stacks; `fetch` reads a template's URL."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    def read(self, scope: Scope, request: Input, *, template_needed: bool) -> StackRequest:
        """What a request asks for; without `template_needed` the stack's own template stays.

        Raises:
            StackError: there is no template, or two.
        """
        on_failure = request.get("OnFailure") or "ROLLBACK"
        keep = bool(request.get("DisableRollback")) or on_failure == "DO_NOTHING"
        return StackRequest(
            name=request["StackName"],
            template=self.template(scope, request) if template_needed else None,
            parameters=tuple(read_parameter(each) for each in request.get("Parameters", ())),
            tags={each["Key"]: each["Value"] for each in request["Tags"]} if "Tags" in request else None,
            capabilities=tuple(request.get("Capabilities", ())),
            resource_types=tuple(request.get("ResourceTypes", ())),
            token=request.get("ClientRequestToken"),
            settings=StackSettings(
                on_failure=on_failure,
                disable_rollback=keep,
                timeout_minutes=request.get("TimeoutInMinutes"),
                termination_protection=bool(request.get("EnableTerminationProtection")),
                notification_arns=list(request.get("NotificationARNs", ())),
                role_arn=request.get("RoleARN"),
                retain_except_on_create=bool(request.get("RetainExceptOnCreate")),
                rollback_configuration=request.get("RollbackConfiguration"),
            ),
            policy=self.policy(scope, request, "StackPolicy"),
            policy_during=self.policy(scope, request, "StackPolicyDuringUpdate"),
            keeps_arns="NotificationARNs" not in request,
            options=OperationOptions(
                keep_on_failure=keep, retain_except_on_create=bool(request.get("RetainExceptOnCreate"))
            ),
        )

    def policy(self, scope: Scope, request: Input, name: str) -> str | None:
        """The text of the stack policy that the members `name`Body and `name`URL give, or None.

        Raises:
            StackError: there are two, or the URL leads nowhere.
        """
        body, url = request.get(f"{name}Body"), request.get(f"{name}URL")
        if body is not None and url is not None:
            raise StackError(f"You cannot specify both {name}URL and {name}Body")
        if url is None:
            return None if body is None else str(body)
        try:
            content = self._fetch(scope, str(url))
        except StackError as error:
            raise StackError(f"{name}URL must be a supported URL.") from error
        if len(content) > _MAX_POLICY:
            raise StackError(f"Error validating stack policy: {name}URL exceeds {_MAX_POLICY} bytes")
        return content.decode(errors="replace")

    def template(self, scope: Scope, request: Input) -> str:
        """The text of the template that a request gives, or names.

        Raises:
            StackError: there is none, or two.
        """
        body, url = request.get("TemplateBody"), request.get("TemplateURL")
        if (body is None) == (url is None):
            raise StackError("Either Template URL or Template Body must be specified.")
        if body is not None:
            return _bounded(str(body))
        try:
            content = self._fetch(scope, str(url))
            if len(content) > MAX_OBJECT_BYTES:
                raise StackError(f"Template may not exceed {MAX_OBJECT_BYTES} bytes in size.")
            return content.decode()
        except UnicodeDecodeError as error:
            raise StackError("Template format error: unsupported structure.") from error


def _bounded(body: str) -> str:
    if len(body.encode()) > MAX_BODY_BYTES:
        raise StackError(
            f"1 validation error detected: Value '{body}' at 'templateBody' failed to satisfy constraint: "
            f"Member must have length less than or equal to {MAX_BODY_BYTES}"
        )
    return body


def show_template(deployment: Deployment, request: Input) -> Output:
    """A deployment's template as GetTemplate shows it: as it was given, or as it was processed."""
    processed = request.get("TemplateStage") == "Processed"
    body = json.dumps(deployment.template) if processed else deployment.original
    return {"TemplateBody": body, "StagesAvailable": ["Original", "Processed"]}


def read_parameter(given: Input) -> GivenParameter:
    """A parameter of a request."""
    return GivenParameter(given["ParameterKey"], given.get("ParameterValue"), bool(given.get("UsePreviousValue")))


def read_token(request: Input) -> int | None:
    """The number in a request's NextToken, None where it has none.

    Raises:
        StackError: it is none of ours.
    """
    token = request.get("NextToken")
    if not token:
        return None
    if not (token.isascii() and token.isdecimal()):
        raise StackError(f"Invalid NextToken: {token}")
    return int(token)


def take_page(found: list[Any], request: Input) -> tuple[list[Any], str | None]:
    """The page of a list that a request wants, and the token of the next one."""
    start = read_token(request) or 0
    end = start + _PAGE
    return found[start:end], str(end) if end < len(found) else None


def show_time(seconds: float | None) -> datetime | None:
    """Seconds since the epoch as the wire wants them."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _stack(stack: StackRecord) -> dict[str, Any]:
    settings, deployed = stack.settings, stack.deployed
    shown: dict[str, Any] = {
        "StackId": stack.arn,
        "StackName": stack.name,
        "ChangeSetId": settings.change_set_id,
        "Description": None if deployed is None else deployed.template.get("Description"),
        "Parameters": [] if deployed is None else show_parameters(deployed.template, deployed.given, deployed.stored),
        "CreationTime": show_time(stack.created),
        "LastUpdatedTime": show_time(stack.updated),
        "DeletionTime": show_time(stack.deleted),
        "RollbackConfiguration": settings.rollback_configuration or {},
        "StackStatus": str(stack.status),
        "StackStatusReason": stack.reason,
        "DisableRollback": settings.disable_rollback,
        "NotificationARNs": list(settings.notification_arns),
        "TimeoutInMinutes": settings.timeout_minutes,
        "Capabilities": [] if deployed is None else list(deployed.capabilities),
        "Outputs": [_output(name, *each) for name, each in stack.outputs.items()],
        "RoleARN": settings.role_arn,
        "Tags": [] if deployed is None else [{"Key": key, "Value": value} for key, value in deployed.tags.items()],
        "EnableTerminationProtection": settings.termination_protection,
        "ParentId": settings.parent_id,
        "RootId": settings.root_id,
        "DriftInformation": {
            "StackDriftStatus": stack.drift_status,
            "LastCheckTimestamp": show_time(stack.drift_checked),
        },
    }
    for name in ("Parameters", "Outputs", "Capabilities"):
        if not shown[name]:
            del shown[name]
    if stack.deleted is not None:
        del shown["ChangeSetId"], shown["EnableTerminationProtection"]
    return shown


def show_parameters(template: Input, given: Mapping[str, str], stored: Mapping[str, str]) -> list[dict[str, str]]:
    """Parameters as the API shows them, those with NoEcho masked."""
    declared = template.get("Parameters", {})
    shown = []
    for name, value in given.items():
        secret = as_text(declared.get(name, {}).get("NoEcho", False)) == "true"
        entry = {"ParameterKey": name, "ParameterValue": MASK if secret else value}
        if name in stored:
            entry["ResolvedValue"] = MASK if secret else stored[name]
        shown.append(entry)
    return shown


def _output(name: str, value: str | None, export: str | None, description: str | None) -> dict[str, Any]:
    return {"OutputKey": name, "OutputValue": value, "Description": description, "ExportName": export}


def _summary(stack: StackRecord) -> dict[str, Any]:
    return {
        "StackId": stack.arn,
        "StackName": stack.name,
        "TemplateDescription": None if stack.deployed is None else stack.deployed.template.get("Description"),
        "CreationTime": show_time(stack.created),
        "LastUpdatedTime": show_time(stack.updated),
        "DeletionTime": show_time(stack.deleted),
        "StackStatus": str(stack.status),
        "StackStatusReason": stack.reason,
        "ParentId": stack.settings.parent_id,
        "RootId": stack.settings.root_id,
        "DriftInformation": {
            "StackDriftStatus": stack.drift_status,
            "LastCheckTimestamp": show_time(stack.drift_checked),
        },
    }


def _resource(
    stack: StackRecord, resource: ResourceRecord, drift: FoundDrift | None, *, time: str, stack_too: bool = False
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "LogicalResourceId": resource.logical_id,
        "PhysicalResourceId": resource.physical_id,
        "ResourceType": resource.type,
        time: show_time(resource.updated),
        "ResourceStatus": str(resource.status),
        "ResourceStatusReason": resource.reason,
        "DriftInformation": {
            "StackResourceDriftStatus": "NOT_CHECKED" if drift is None else drift.status,
            "LastCheckTimestamp": None if drift is None else show_time(drift.checked),
        },
    }
    if resource.module is not None:
        shown["ModuleInfo"] = {"TypeHierarchy": resource.module[0], "LogicalIdHierarchy": resource.module[1]}
    if stack_too or time == "LastUpdatedTimestamp":
        shown |= {"StackId": stack.arn, "StackName": stack.name}
    return shown


def _event(stack: StackRecord, event: EventRecord) -> dict[str, Any]:
    details = event.details
    moment = datetime.fromtimestamp(event.time, UTC)
    return {
        "StackId": stack.arn,
        "EventId": show_event_id(stack, event, moment),
        "StackName": stack.name,
        "OperationId": event.operation_id,
        "LogicalResourceId": event.logical_id,
        "PhysicalResourceId": event.physical_id or "",
        "ResourceType": event.type,
        "Timestamp": moment,
        "ResourceStatus": event.status,
        "ResourceStatusReason": event.reason,
        "ResourceProperties": details.properties,
        "ClientRequestToken": details.token,
        "DetailedStatus": None if details.made_by is None else details.made_by.upper(),
        "HookType": details.hook_type,
        "HookStatus": details.hook_status,
        "HookStatusReason": details.hook_reason,
        "HookInvocationPoint": details.hook_point,
        "HookInvocationId": details.hook_id,
        "HookFailureMode": details.hook_mode,
    }


def show_event_id(stack: StackRecord, event: EventRecord, moment: datetime) -> str:
    """A UUID for the stack's own events, with the logical id for what an update removes, else words and the time."""
    unique = uuid.uuid5(uuid.NAMESPACE_OID, event.id)
    if event.logical_id == stack.name:
        return str(unique)
    if event.details.properties is None and event.status.startswith("DELETE"):
        return f"{event.logical_id}-{unique}"
    return f"{event.logical_id}-{event.status}-{moment.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}"
