"""The operations of the IaC generator between botocore's shapes and the generator's own values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from formwork.api.cloudformation.stack_requests import take_page
from formwork.api.cloudformation.stack_shapes import show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.iac_generator import GeneratedTemplates, ResourceScans, ScannedQuery, TemplateChange
from formwork.iac_generator.records import GeneratedTemplate, PropertyWarning, Scan, ScannedResource, TemplateResource
from formwork.iac_generator.templates import WantedResource, template_value
from formwork.stacks.errors import StackError
from formwork.template.render import render_json, render_yaml

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_SCANS_A_PAGE, _TEMPLATES_A_PAGE, _RESOURCES_A_PAGE = 10, 50, 100
_MOST_ASKED = 100


def iac_generator_operations(scans: ResourceScans, templates: GeneratedTemplates) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""
    named = {**_scan_operations(scans), **_template_operations(templates)}
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def _scan_operations(scans: ResourceScans) -> dict[str, Callable[[Scope, Input], Output]]:
    def start(scope: Scope, request: Input) -> Output:
        filters = request.get("ScanFilters")
        types = None if not filters else [name for each in filters for name in each.get("Types", ())]
        return {"ResourceScanId": scans.start(scope, types, request.get("ClientRequestToken")).arn}

    def describe(scope: Scope, request: Input) -> Output:
        return _described_scan(scans.describe(scope, request["ResourceScanId"]))

    def list_scans(scope: Scope, request: Input) -> Output:
        found = scans.list_scans(scope, partial=request.get("ScanTypeFilter") == "PARTIAL")
        page, token = _page(found, request, _SCANS_A_PAGE)
        return {"ResourceScanSummaries": [_scan_summary(each) for each in page], "NextToken": token}

    def list_resources(scope: Scope, request: Input) -> Output:
        query = ScannedQuery(
            identifier=request.get("ResourceIdentifier"),
            type_prefix=request.get("ResourceTypePrefix"),
            tag_key=request.get("TagKey"),
            tag_value=request.get("TagValue"),
        )
        found = scans.list_resources(scope, request["ResourceScanId"], query)
        page, token = _page(found, request, _RESOURCES_A_PAGE)
        return {"Resources": [_scanned(each) for each in page], "NextToken": token}

    def list_related(scope: Scope, request: Input) -> Output:
        asked = [(each["ResourceType"], each["ResourceIdentifier"]) for each in request["Resources"]]
        if len(asked) > _MOST_ASKED:
            raise StackError(f"Up to {_MOST_ASKED} resources can be provided")
        found = scans.list_related(scope, request["ResourceScanId"], asked)
        page, token = _page(found, request, _RESOURCES_A_PAGE)
        return {"RelatedResources": [_scanned(each) for each in page], "NextToken": token}

    return {
        "StartResourceScan": start,
        "DescribeResourceScan": describe,
        "ListResourceScans": list_scans,
        "ListResourceScanResources": list_resources,
        "ListResourceScanRelatedResources": list_related,
    }


def _template_operations(templates: GeneratedTemplates) -> dict[str, Callable[[Scope, Input], Output]]:
    def create(scope: Scope, request: Input) -> Output:
        policies = request.get("TemplateConfiguration") or {}
        change = TemplateChange(
            name=request["GeneratedTemplateName"],
            add=_wanted(request.get("Resources")),
            deletion_policy=policies.get("DeletionPolicy"),
            update_replace_policy=policies.get("UpdateReplacePolicy"),
        )
        return {"GeneratedTemplateId": templates.create(scope, change, request.get("StackName")).arn}

    def update(scope: Scope, request: Input) -> Output:
        policies = request.get("TemplateConfiguration") or {}
        change = TemplateChange(
            name=request.get("NewGeneratedTemplateName"),
            add=_wanted(request.get("AddResources")),
            remove=request.get("RemoveResources") or (),
            refresh=bool(request.get("RefreshAllResources")),
            deletion_policy=policies.get("DeletionPolicy"),
            update_replace_policy=policies.get("UpdateReplacePolicy"),
        )
        return {"GeneratedTemplateId": templates.update(scope, request["GeneratedTemplateName"], change).arn}

    def describe(scope: Scope, request: Input) -> Output:
        return _described_template(templates.describe(scope, request["GeneratedTemplateName"]))

    def get(scope: Scope, request: Input) -> Output:
        found = templates.describe(scope, request["GeneratedTemplateName"])
        render = render_yaml if request.get("Format") == "YAML" else render_json
        return {"Status": found.status, "TemplateBody": render(template_value(found))}

    def list_templates(scope: Scope, request: Input) -> Output:
        page, token = _page(templates.list_templates(scope), request, _TEMPLATES_A_PAGE)
        return {"Summaries": [_template_summary(each) for each in page], "NextToken": token}

    def delete(scope: Scope, request: Input) -> Output:
        templates.delete(scope, request["GeneratedTemplateName"])
        return {}

    return {
        "CreateGeneratedTemplate": create,
        "UpdateGeneratedTemplate": update,
        "DescribeGeneratedTemplate": describe,
        "GetGeneratedTemplate": get,
        "ListGeneratedTemplates": list_templates,
        "DeleteGeneratedTemplate": delete,
    }


def _page(found: Sequence[Any], request: Input, size: int) -> tuple[list[Any], str | None]:
    most = request.get("MaxResults")
    if most is not None and not 1 <= int(most) <= _RESOURCES_A_PAGE:
        raise StackError(f"MaxResults must be between 1 and {_RESOURCES_A_PAGE}")
    return take_page(found, request, size=size if most is None else int(most))


def _wanted(definitions: Sequence[Input] | None) -> list[WantedResource]:
    return [
        WantedResource(
            type=each["ResourceType"],
            identifier=each["ResourceIdentifier"],
            logical_id=each.get("LogicalResourceId"),
        )
        for each in definitions or ()
    ]


def _described_scan(scan: Scan) -> Output:
    ended = scan.status != "IN_PROGRESS"
    return {
        "ResourceScanId": scan.arn,
        "Status": scan.status,
        "StatusReason": scan.reason,
        "StartTime": show_time(scan.started),
        "EndTime": show_time(scan.ended),
        "PercentageCompleted": scan.percentage,
        "ResourceTypes": list(scan.types) if scan.status in {"COMPLETE", "FAILED"} else None,
        "ResourcesScanned": scan.listed if ended else None,
        "ResourcesRead": scan.read if ended else None,
        "ScanFilters": None if scan.filters is None else [{"Types": list(scan.filters)}],
    }


def _scan_summary(scan: Scan) -> Output:
    return {
        "ResourceScanId": scan.arn,
        "Status": scan.status,
        "StatusReason": scan.reason,
        "StartTime": show_time(scan.started),
        "EndTime": show_time(scan.ended),
        "PercentageCompleted": scan.percentage,
        "ScanType": "FULL" if scan.filters is None else "PARTIAL",
    }


def _scanned(resource: ScannedResource) -> Output:
    return {
        "ResourceType": resource.type,
        "ResourceIdentifier": dict(resource.identifier),
        "ManagedByStack": resource.managed,
    }


def _described_template(template: GeneratedTemplate) -> Output:
    statuses = [each.status for each in template.resources]
    return {
        "GeneratedTemplateId": template.arn,
        "GeneratedTemplateName": template.name,
        "Resources": [_detail(each) for each in template.resources] or None,
        "Status": template.status,
        "StatusReason": template.reason,
        "CreationTime": show_time(template.created),
        "LastUpdatedTime": show_time(template.updated),
        "Progress": {
            "ResourcesSucceeded": statuses.count("COMPLETE"),
            "ResourcesFailed": statuses.count("FAILED"),
            "ResourcesProcessing": statuses.count("IN_PROGRESS"),
            "ResourcesPending": statuses.count("PENDING"),
        },
        "StackId": template.stack,
        "TemplateConfiguration": {
            "DeletionPolicy": template.deletion_policy,
            "UpdateReplacePolicy": template.update_replace_policy,
        },
        "TotalWarnings": sum(len(each.warnings) for each in template.resources),
    }


def _detail(resource: TemplateResource) -> Output:
    return {
        "ResourceType": resource.type,
        "LogicalResourceId": resource.logical_id,
        "ResourceIdentifier": dict(resource.identifier),
        "ResourceStatus": resource.status,
        "ResourceStatusReason": resource.reason,
        "Warnings": [_warning(each) for each in resource.warnings],
    }


def _warning(warning: PropertyWarning) -> Output:
    return {
        "Type": warning.kind,
        "Properties": [
            {
                "PropertyPath": each["path"],
                "Required": each["required"],
                "Description": each["description"] or None,
            }
            for each in warning.properties
        ],
    }


def _template_summary(template: GeneratedTemplate) -> Output:
    return {
        "GeneratedTemplateId": template.arn,
        "GeneratedTemplateName": template.name,
        "Status": template.status,
        "StatusReason": template.reason,
        "CreationTime": show_time(template.created),
        "LastUpdatedTime": show_time(template.updated),
        "NumberOfResources": len(template.resources),
    }
