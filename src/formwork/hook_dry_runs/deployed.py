"""The targets of a deployed stack and of a change set, read through CloudFormation's API.

Every service that speaks the API will do, this machine's or AWS's. Source: the service's models (DescribeChangeSet,
GetTemplate, ListStackResources; Cloud Control's GetResource).
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws.errors import aws_errors
from formwork.diagnostics import BadInputError
from formwork.documents import Document, parse_document
from formwork.engine.deployed.resource_values import find_attribute
from formwork.hook_dry_runs.planning import DryRunContext, plan_template
from formwork.hook_dry_runs.targets import DryRunTarget, Places
from formwork.hooks import HookTarget, TargetKind
from formwork.schema.coercion import coerce_properties
from formwork.template.evaluation import UNKNOWN, Value
from formwork.template.expansion import ModuleInfo

Client = Callable[[str], Any]  # by the name of the service, as boto3 has it
_ACTIONS = {"Add": "CREATE", "Modify": "UPDATE", "Remove": "DELETE", "Import": "CREATE", "SyncWithActual": "UPDATE"}


class _LiveResources(Struct):
    """`ResourceValues` of a stack: physical ids, and attributes as Cloud Control reads them."""

    client: Client
    resources: Mapping[str, Mapping[str, Any]]
    models: dict[str, Mapping[str, Any] | None]

    def reference(self, logical_id: str) -> Value:
        """Return the physical id, UNKNOWN without one."""
        return self.resources.get(logical_id, {}).get("PhysicalResourceId", UNKNOWN)

    def attribute(self, logical_id: str, name: str) -> Value:
        """Return the attribute, UNKNOWN where it cannot be read."""
        if logical_id not in self.models:
            self.models[logical_id] = self._read(self.resources.get(logical_id, {}))
        try:
            return find_attribute(self.models[logical_id] or {}, name)
        except KeyError:
            return UNKNOWN

    def _read(self, resource: Mapping[str, Any]) -> Mapping[str, Any] | None:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - comes with boto3, an extra

        try:
            found = self.client("cloudcontrol").get_resource(
                TypeName=resource["ResourceType"], Identifier=resource["PhysicalResourceId"]
            )
        except (BotoCoreError, ClientError, KeyError):  # types without a read handler, among others
            return None
        model = json.loads(found["ResourceDescription"]["Properties"])
        return model if isinstance(model, Mapping) else None


def plan_stack(
    client: Client, name: str, context: DryRunContext, *, kinds: Iterable[TargetKind], action: str
) -> list[DryRunTarget]:
    """Return the targets of a stack as it is deployed, with the values that its resources have.

    Raises:
        BadInputError: there is no such stack.
        EnvironmentProblemError: the service can't be asked.
    """
    api = client("cloudformation")
    with aws_errors(f"reading the stack {name}"):
        stack = api.describe_stacks(StackName=name)["Stacks"][0]
        body = api.get_template(StackName=name, TemplateStage="Processed").get("TemplateBody")
        pages = api.get_paginator("list_stack_resources").paginate(StackName=name)
        resources = {each["LogicalResourceId"]: each for page in pages for each in page["StackResourceSummaries"]}
    document = _document(body, f"stack {stack['StackName']}")
    parameters = {each["ParameterKey"]: each for each in stack.get("Parameters", ())}
    context = replace(
        context,
        stack_name=stack["StackName"],
        stack_arn=stack["StackId"],
        parameters={key: each["ParameterValue"] for key, each in parameters.items()},
        stored={key: each["ResolvedValue"] for key, each in parameters.items() if "ResolvedValue" in each},
        open_parameters=True,
        resources=_LiveResources(client, resources, {}),
        role=stack.get("RoleARN"),
    )
    return plan_template(document, context, kinds=kinds, action=action)


def plan_change_set(
    client: Client,
    found: Mapping[str, Any],
    context: DryRunContext,
    *,
    kinds: Iterable[TargetKind],
    document: Document | None = None,
) -> list[DryRunTarget]:
    """Return the targets of executing a change set; `found` is the whole answer of DescribeChangeSet.

    Findings have their places in `document`, by default the change set's processed template.

    Raises:
        BadInputError: the change set has no template.
        EnvironmentProblemError: the service can't be asked.
    """
    api = client("cloudformation")
    named = {"ChangeSetName": found["ChangeSetId"], "StackName": found["StackId"]}
    with aws_errors(f"reading the change set {found['ChangeSetName']}"):
        processed = api.get_template(**named, TemplateStage="Processed").get("TemplateBody")
        original = api.get_template(**named, TemplateStage="Original").get("TemplateBody")
        stack = api.describe_stacks(StackName=found["StackId"])["Stacks"][0]
        before = _deployed_template(api, stack)
    changes = [each["ResourceChange"] for each in found.get("Changes", ()) if "ResourceChange" in each]
    document = document or _document(processed, f"change set {found['ChangeSetName']}")
    modules = {each["LogicalResourceId"]: ModuleInfo(*_module(each)) for each in changes if "ModuleInfo" in each}
    places = Places(document=document, modules=modules)
    context = replace(context, stack_name=found["StackName"], stack_arn=found["StackId"], role=stack.get("RoleARN"))
    targets: list[DryRunTarget] = []
    for kind in kinds:
        if kind.holds_resources:
            targets += [_of_change(kind, change, context, places, found["ChangeSetId"]) for change in changes]
            continue
        action = "CREATE" if before is None or kind is TargetKind.CHANGE_SET else "UPDATE"
        text = _text(original)
        payload: dict[str, Any] = {"template": text, "previousTemplate": before or ""}
        if kind is TargetKind.CHANGE_SET:
            payload = {"template": text, "previousTemplate": before, "changedResources": [_payload(e) for e in changes]}
        target = HookTarget(
            kind=kind,
            action=action,
            name=str(kind),
            identifier=found["ChangeSetId"] if kind is TargetKind.CHANGE_SET else found["StackName"],
            execution=found["StackId"],
            stack_name=found["StackName"],
            role=context.role,
            change_set=found["ChangeSetId"],
        )
        targets.append(DryRunTarget(target=target, places=places, payload=payload))
    return targets


def _of_change(
    kind: TargetKind, change: Mapping[str, Any], context: DryRunContext, places: Places, arn: str
) -> DryRunTarget:
    action = _ACTIONS[change["Action"]]
    schema = context.schema_of(change["ResourceType"])

    def properties(member: str) -> dict[str, Any] | None:
        text = change.get(member)
        if text is None:
            return None
        found = json.loads(text).get("Properties", {})
        return found if schema is None else coerce_properties(schema, found)

    before, after = properties("BeforeContext"), properties("AfterContext")
    model: dict[str, Any] = {"resourceProperties": before if action == "DELETE" else after or {}}
    if action == "UPDATE":
        model["previousResourceProperties"] = before or {}
    target = HookTarget(
        kind=kind,
        action=action,
        imports=change["Action"] == "Import",
        name=change["ResourceType"],
        identifier=change["LogicalResourceId"],
        execution=context.stack_arn,
        stack_name=context.stack_name if kind is TargetKind.RESOURCE else None,
        role=context.role,
        change_set=arn,
    )
    return DryRunTarget(target=target, places=places, model=model)


def _payload(change: Mapping[str, Any]) -> dict[str, Any]:
    """A changed resource as hooks of change sets see it."""
    return {
        "logicalResourceId": change["LogicalResourceId"],
        "resourceType": change["ResourceType"],
        "action": _ACTIONS[change["Action"]],
        "lineNumber": None,
        "beforeContext": change.get("BeforeContext"),
        "afterContext": change.get("AfterContext"),
    }


def _module(change: Mapping[str, Any]) -> tuple[str, str]:
    info = change["ModuleInfo"]
    return info["TypeHierarchy"], info["LogicalIdHierarchy"]


def _deployed_template(api: Any, stack: Mapping[str, Any]) -> str | None:
    if stack["StackStatus"] == "REVIEW_IN_PROGRESS":
        return None
    return _text(api.get_template(StackName=stack["StackId"], TemplateStage="Original").get("TemplateBody"))


def _text(body: Any) -> str:
    """Return the text of a template: botocore parses those in JSON."""
    return body if isinstance(body, str) else json.dumps(body, indent=2, ensure_ascii=False)


def _document(body: Any, name: str) -> Document:
    if not body:
        raise BadInputError.of("hook.template", f"{name} has no template")
    return parse_document(_text(body), name=name, short_tags=True)
