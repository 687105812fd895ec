"""The operations on stack sets between botocore's shapes and the engine's own values."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from formwork.api.cloudformation.drift import show_differences
from formwork.api.cloudformation.stack_requests import Fetch, StackRequests, read_parameter, take_page
from formwork.api.cloudformation.stack_set_shapes import (
    show_instance,
    show_operation,
    show_result,
    show_set_summary,
    show_stack_set,
)
from formwork.api.cloudformation.stack_shapes import show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler, OperationTable
from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.engine.drift.detection import DriftDetection
from formwork.stack_sets.definitions import DefinitionRequest
from formwork.stack_sets.errors import invalid_operation
from formwork.stack_sets.instances import InstancesRequest, every
from formwork.stack_sets.preferences import read_preferences
from formwork.stack_sets.records import Instance, Result, SetOperationAction
from formwork.stack_sets.service import StackSetService
from formwork.stack_sets.stack_sets import StackSetChange, refuse_services, refuse_units
from formwork.stacks.errors import StackError

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_PAGE = 100
_ACCOUNT = re.compile(r"\d{12}", re.ASCII)
_NAME = re.compile(r"[a-zA-Z][-a-zA-Z0-9]{0,127}", re.ASCII)


def stack_set_operations(service: StackSetService, drift: DriftDetection, fetch: Fetch) -> OperationTable:
    """Return the operations for the table of `api/dispatch.py`; `fetch` reads the URL of a template or of a list."""
    operations = _Operations(service, drift, fetch)
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateStackSet": operations.create_set,
        "UpdateStackSet": operations.update_set,
        "DeleteStackSet": operations.delete_set,
        "DescribeStackSet": operations.describe_set,
        "ListStackSets": operations.list_sets,
        "CreateStackInstances": operations.create_instances,
        "UpdateStackInstances": operations.update_instances,
        "DeleteStackInstances": operations.delete_instances,
        "DescribeStackInstance": operations.describe_instance,
        "ListStackInstances": operations.list_instances,
        "DescribeStackSetOperation": operations.describe_operation,
        "ListStackSetOperations": operations.list_operations,
        "ListStackSetOperationResults": operations.list_results,
        "StopStackSetOperation": operations.stop_operation,
        "ImportStacksToStackSet": operations.import_stacks,
        "DetectStackSetDrift": operations.detect_drift,
        "ListStackInstanceResourceDrifts": operations.list_drifts,
        "ListStackSetAutoDeploymentTargets": operations.list_targets,
    }
    return {("cloudformation", name): _answer(operation) for name, operation in named.items()}


def _answer(operation: Callable[[Scope, Input], Output]) -> Handler:
    """Return the handler of an operation; it refuses requests that need AWS Organizations."""

    def answer(scope: Scope, request: Input) -> Output:
        refuse_services(request.get("PermissionModel"), request.get("CallAs"))
        _refuse_auto_deployment(request.get("AutoDeployment"))
        return operation(scope, request)

    return answer_stacks(answer)


def _refuse_auto_deployment(settings: Mapping[str, Any] | None) -> None:
    if any((settings or {}).values()):
        raise StackError("AutoDeployment can be specified only if the permission model is SERVICE_MANAGED")


class _Operations:
    def __init__(self, service: StackSetService, drift: DriftDetection, fetch: Fetch) -> None:
        self._sets = service.sets
        self._instances = service.instances
        self._drift = drift
        self._fetch = fetch
        self._requests = StackRequests(fetch)

    # -- stack sets

    def create_set(self, scope: Scope, request: Input) -> Output:
        name, source = request["StackSetName"], request.get("StackId")
        if _NAME.fullmatch(name) is None:
            raise StackError(
                f"1 validation error detected: Value '{name}' at 'stackSetName' failed to satisfy constraint: "
                "Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]{0,127}"
            )
        template = None if source is not None else self._requests.template(scope, request)
        made = self._sets.create(
            scope, name, _definition(request, template), token=request.get("ClientRequestToken"), source=source
        )
        return {"StackSetId": made.full_id}

    def update_set(self, scope: Scope, request: Input) -> Output:
        previous = bool(request.get("UsePreviousTemplate"))
        template = None if previous else self._requests.template(scope, request)
        accounts, regions = self._accounts(scope, request), list(request.get("Regions", ()))
        if bool(accounts) != bool(regions):
            raise StackError("Accounts and Regions must be specified together")
        operation = self._sets.update(
            scope,
            StackSetChange(
                name=request["StackSetName"],
                definition=_definition(request, template),
                operation_id=request.get("OperationId"),
                preferences=read_preferences(request.get("OperationPreferences")),
                targets=every(accounts, regions) if accounts else None,
            ),
        )
        return {"OperationId": operation}

    def delete_set(self, scope: Scope, request: Input) -> Output:
        self._sets.delete(scope, request["StackSetName"])
        return {}

    def describe_set(self, scope: Scope, request: Input) -> Output:
        return {"StackSet": show_stack_set(*self._sets.describe(scope, request["StackSetName"]))}

    def list_sets(self, scope: Scope, request: Input) -> Output:
        wanted = request.get("Status")
        found = [show_set_summary(each) for each in self._sets.list(scope)]
        return _page([each for each in found if wanted in {None, each["Status"]}], request)

    # -- instances

    def create_instances(self, scope: Scope, request: Input) -> Output:
        return {"OperationId": self._instances.create(scope, self._asked(scope, request))}

    def update_instances(self, scope: Scope, request: Input) -> Output:
        return {"OperationId": self._instances.update(scope, self._asked(scope, request))}

    def delete_instances(self, scope: Scope, request: Input) -> Output:
        asked = self._asked(scope, request)
        return {"OperationId": self._instances.delete(scope, asked, retain=bool(request["RetainStacks"]))}

    def describe_instance(self, scope: Scope, request: Input) -> Output:
        place = request["StackInstanceAccount"], request["StackInstanceRegion"]
        stack_set, instance = self._instances.describe(scope, request["StackSetName"], *place)
        return {"StackInstance": show_instance(stack_set, instance)}

    def list_instances(self, scope: Scope, request: Input) -> Output:
        stack_set, instances = self._sets.describe(scope, request["StackSetName"])
        account, region = request.get("StackInstanceAccount"), request.get("StackInstanceRegion")
        filters = {each["Name"]: each["Values"] for each in _filters(request)}
        found = [
            show_instance(stack_set, each, summary=True)
            for each in instances
            if account in {None, each.account} and region in {None, each.region} and _passes(each, filters)
        ]
        return _page(found, request)

    def import_stacks(self, scope: Scope, request: Input) -> Output:
        refuse_units(request)
        stack_ids = list(request.get("StackIds", ()))
        if url := request.get("StackIdsUrl"):
            stack_ids += self._listed(scope, url)
        if not stack_ids:
            raise StackError("Either StackIds or StackIdsUrl must be specified")
        asked = InstancesRequest(
            name=request["StackSetName"],
            preferences=read_preferences(request.get("OperationPreferences")),
            operation_id=request.get("OperationId"),
        )
        return {"OperationId": self._instances.take_over(scope, asked, stack_ids)}

    # -- operations

    def describe_operation(self, scope: Scope, request: Input) -> Output:
        found = self._instances.describe_operation(scope, request["StackSetName"], request["OperationId"])
        return {"StackSetOperation": show_operation(*found)}

    def list_operations(self, scope: Scope, request: Input) -> Output:
        found = self._instances.list_operations(scope, request["StackSetName"])
        return _page([show_operation(None, *each) for each in found], request)

    def list_results(self, scope: Scope, request: Input) -> Output:
        _, _, found = self._instances.describe_operation(scope, request["StackSetName"], request["OperationId"])
        wanted = {each["Values"] for each in _filters(request) if each["Name"] == "OPERATION_RESULT_STATUS"}
        shown: list[Result] = [each for each in found if not wanted or each.status in wanted]
        return _page([show_result(each) for each in shown], request)

    def stop_operation(self, scope: Scope, request: Input) -> Output:
        self._instances.stop(scope, request["StackSetName"], request["OperationId"])
        return {}

    # -- drift

    def detect_drift(self, scope: Scope, request: Input) -> Output:
        asked = InstancesRequest(
            name=request["StackSetName"],
            preferences=read_preferences(request.get("OperationPreferences")),
            operation_id=request.get("OperationId"),
        )
        return {"OperationId": self._instances.detect_drift(scope, asked)}

    def list_drifts(self, scope: Scope, request: Input) -> Output:
        name, operation_id = request["StackSetName"], request["OperationId"]
        _, operation, _ = self._instances.describe_operation(scope, name, operation_id)
        if operation.action is not SetOperationAction.DETECT_DRIFT:
            raise invalid_operation(f"Operation {operation_id} did not detect drift")
        account, region = request["StackInstanceAccount"], request["StackInstanceRegion"]
        _, instance = self._instances.describe(scope, name, account, region)
        if instance.stack_id is None:
            return {"Summaries": []}
        stack, resources, drifts = self._drift.list_drifts(Scope(account, region), instance.stack_id)
        wanted = set(request.get("StackInstanceResourceDriftStatuses", ()))
        shown = [
            {
                "StackId": stack.arn,
                "LogicalResourceId": each,
                "PhysicalResourceId": resources[each].physical_id,
                "ResourceType": resources[each].type,
                "PropertyDifferences": show_differences(found),
                "StackResourceDriftStatus": found.status,
                "Timestamp": show_time(found.checked),
            }
            for each, found in drifts.items()
            if found.checked is not None and (not wanted or found.status in wanted)
        ]
        return _page(shown, request)

    def list_targets(self, scope: Scope, request: Input) -> Output:
        self._sets.describe(scope, request["StackSetName"])
        return _page([], request)  # without AWS Organizations there is no automatic deployment

    # -- inside

    def _asked(self, scope: Scope, request: Input) -> InstancesRequest:
        accounts = self._accounts(scope, request)
        if not accounts:
            raise StackError("Either Accounts or DeploymentTargets must be specified")
        overrides = request.get("ParameterOverrides")
        return InstancesRequest(
            name=request["StackSetName"],
            places=every(accounts, dict.fromkeys(request["Regions"])),
            overrides=None if overrides is None else tuple(map(read_parameter, overrides)),
            preferences=read_preferences(request.get("OperationPreferences")),
            operation_id=request.get("OperationId"),
        )

    def _accounts(self, scope: Scope, request: Input) -> list[str]:
        """Return the account ids in `Accounts`, `DeploymentTargets.Accounts` and the list at `AccountsUrl`."""
        targets = request.get("DeploymentTargets") or {}
        refuse_units(targets)
        if request.get("Accounts") and targets:
            raise StackError("Accounts and DeploymentTargets can't both be specified")
        accounts = [*request.get("Accounts", ()), *targets.get("Accounts", ())]
        if url := targets.get("AccountsUrl"):
            accounts += self._listed(scope, url)
        wrong = [each for each in accounts if _ACCOUNT.fullmatch(each) is None]
        if wrong:
            raise StackError(f"An account id has twelve digits: {', '.join(wrong)}")
        return list(dict.fromkeys(accounts))

    def _listed(self, scope: Scope, url: str) -> list[str]:
        """Return the items of a text in S3, which commas or spaces separate."""
        try:
            text = self._fetch(scope, url).decode()
        except (FormworkError, UnicodeDecodeError) as error:
            raise StackError(f"{url} can't be read as a list") from error
        return [each for each in re.split(r"[\s,]+", text) if each]


def _definition(request: Input, template: str | None) -> DefinitionRequest:
    managed = (request.get("ManagedExecution") or {}).get("Active")
    return DefinitionRequest(
        template=template,
        description=request.get("Description"),
        parameters=tuple(map(read_parameter, request.get("Parameters", ()))),
        tags={each["Key"]: each["Value"] for each in request["Tags"]} if "Tags" in request else None,
        capabilities=tuple(request.get("Capabilities", ())),
        administration_role_arn=request.get("AdministrationRoleARN"),
        execution_role_name=request.get("ExecutionRoleName"),
        managed_execution=managed,
    )


def _passes(instance: Instance, filters: Mapping[str, str]) -> bool:
    values = {
        "DETAILED_STATUS": instance.detailed,
        "LAST_OPERATION_ID": instance.operation_id,
        "DRIFT_STATUS": instance.drift_status,
    }
    return all(values.get(name) == wanted for name, wanted in filters.items())


def _filters(request: Input) -> Sequence[Mapping[str, Any]]:
    """Return the filters of a request.

    Raises:
        StackError: one is not complete, which the service's model does not require.
    """
    filters: Sequence[Mapping[str, Any]] = request.get("Filters", ())
    if not all({"Name", "Values"} <= each.keys() for each in filters):
        raise StackError("Each member of Filters must have a Name and Values")
    return filters


def _page(found: Sequence[Mapping[str, Any]], request: Input) -> Output:
    page, token = take_page(found, request, size=int(request.get("MaxResults") or _PAGE))
    return {"Summaries": page, "NextToken": token}
