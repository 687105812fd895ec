"""A stack as a test looks at it: status, outputs, resources, events, template."""

from collections.abc import Mapping
from typing import Any

from formwork.documents import parse_document
from formwork.testing.failures import StepFinding
from formwork.testing.interfaces import StackServices
from formwork.testing.observed import PlannedChange, StackEvent, StackResource
from formwork.testing.operations import events_since

GONE = "DELETE_COMPLETE"


class StackView:
    """A stack in the account of a test; `plan` is what the last change set was to do."""

    def __init__(self, services: StackServices, name: str) -> None:
        self.services = services
        self.name = name
        self.id = name
        self.plan: tuple[PlannedChange, ...] = ()

    def __repr__(self) -> str:
        return f"<Stack {self.name}>"

    @property
    def status(self) -> str:
        """The status of the stack."""
        return str(self.described().get("StackStatus", GONE))

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs by key."""
        return {each["OutputKey"]: each["OutputValue"] for each in self.described().get("Outputs", ())}

    @property
    def exports(self) -> dict[str, str]:
        """The values of the outputs that are exported, by the export's name."""
        outputs = self.described().get("Outputs", ())
        return {each["ExportName"]: each["OutputValue"] for each in outputs if "ExportName" in each}

    @property
    def resources(self) -> dict[str, StackResource]:
        """The resources by logical id."""
        pages = self.services.cloudformation.get_paginator("list_stack_resources").paginate(StackName=self.id)
        found = (each for page in pages for each in page["StackResourceSummaries"])
        return {
            each["LogicalResourceId"]: self.resource_of(each)
            for each in found
            if each["ResourceStatus"] != GONE and each.get("PhysicalResourceId")
        }

    @property
    def events(self) -> list[StackEvent]:
        """The events of the stack, oldest first."""
        return events_since(self.services.cloudformation, self.id, "")

    @property
    def template(self) -> Any:
        """The template after macros and modules, as a value."""
        answer = self.services.cloudformation.get_template(StackName=self.id, TemplateStage="Processed")
        body = answer["TemplateBody"]
        return parse_document(body, name="template", short_tags=True).value if isinstance(body, str) else body

    def described(self) -> dict[str, Any]:
        """Return the stack as DescribeStacks shows it."""
        found: dict[str, Any] = self.services.cloudformation.describe_stacks(StackName=self.id)["Stacks"][0]
        return found

    def resource_of(self, summary: Mapping[str, Any]) -> StackResource:
        """Return a resource as ListStackResources shows it."""
        physical_id, type_name = summary["PhysicalResourceId"], summary["ResourceType"]

        def read() -> dict[str, Any]:
            found = self.services.types.read(type_name, physical_id)
            if found is None:
                how = "READ does not find" if self.services.types.reads(type_name) else "Cloud Control can't read"
                raise KeyError(f"{summary['LogicalResourceId']}: {how} {type_name} {physical_id}")
            return found

        return StackResource(summary["LogicalResourceId"], physical_id, type_name, summary["ResourceStatus"], read)

    def describe(self, finding: StepFinding) -> None:
        """Complete a finding with the stack and the resource that it is about."""
        if self.id == self.name:
            finding.stack = f"{self.name} (never created)"
            return
        described = self.described()
        finding.stack = f"{self.name} ({described['StackStatus']})"
        if finding.logical_id and not finding.resource:
            found = self.resources.get(finding.logical_id)
            about = [finding.logical_id, *([found.type, found.physical_id] if found else [])]
            finding.resource = "  ".join(about)
