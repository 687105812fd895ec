"""`formwork.stacks`: stacks in this process, with a registry, for one account and Region."""

import io
import json
import os
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from msgspec import Struct

from formwork.documents import Document, DocumentSource, read_stream
from formwork.documents.load import read_text
from formwork.library.embedded import EmbeddedService, RequestRefusedError
from formwork.library.local_registry import DEFAULT_ACCOUNT, DEFAULT_REGION, LocalRegistry
from formwork.testing.observed import PlannedChange, StackEvent, StackResource, read_event, read_plan
from formwork.testing.operations import CAPABILITIES, poll
from formwork.testing.templates import MAX_BODY

_Listed: TypeAlias = list[dict[str, Any]]
_GONE = "DELETE_COMPLETE"
_NOTHING = ("didn't contain changes", "No updates are to be performed")


class DeployedStack(Struct, frozen=True):
    """A stack as it was when it was looked at; `events` are all of its events, oldest first."""

    name: str
    id: str
    status: str
    reason: str
    outputs: Mapping[str, str]
    parameters: Mapping[str, str]
    tags: Mapping[str, str]
    resources: Mapping[str, StackResource]
    events: tuple[StackEvent, ...]

    @property
    def succeeded(self) -> bool:
        """Whether its last operation did what it was to do: not a rollback, and not a failure."""
        return self.status.endswith("_COMPLETE") and "ROLLBACK" not in self.status

    @property
    def failures(self) -> tuple[StackEvent, ...]:
        """The events that report failures, of resources and hooks."""
        return tuple(each for each in self.events if each.failed)


class LocalStacks:
    """Stacks of an account and Region; they end with `close`, or as a context manager with its block."""

    def __init__(self, service: EmbeddedService) -> None:
        """`service` is what answers; `open_stacks` starts one."""
        self._service = service
        self.registry = LocalRegistry(service)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the service and the handlers; without effect the second time."""
        self._service.close()

    @property
    def endpoint_url(self) -> str:
        """The address at which clients of AWS reach the same stacks; see `variables`."""
        return self._service.server.url

    @property
    def variables(self) -> dict[str, str]:
        """The standard variables that lead boto3, the AWS CLI, the CDK and other clients here."""
        return self._service.variables()

    def deploy(
        self,
        template: DocumentSource,
        *,
        stack: str,
        parameters: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        capabilities: Iterable[str] = CAPABILITIES,
    ) -> DeployedStack:
        """Create a stack, or update it, and wait for the end; a stack that needs no update stays as it is.

        A failure is a result: look at `succeeded` and `failures`. Of the parameters and tags of an update, those that
        are not given stay.

        Raises:
            BadInputError: the template can't be read.
            RequestRefusedError: the request is refused.
        """
        known = self._find(stack)
        request = self._request(template, stack, known, parameters, capabilities)
        if tags is not None:
            request["Tags"] = [{"Key": key, "Value": each} for key, each in tags.items()]
        try:
            self._service.call("CreateStack" if known is None else "UpdateStack", **request)
        except RequestRefusedError as error:
            if not any(text in error.message for text in _NOTHING):
                raise
        return self._settled(stack)

    def plan(
        self,
        template: DocumentSource,
        *,
        stack: str,
        parameters: Mapping[str, Any] | None = None,
        capabilities: Iterable[str] = CAPABILITIES,
    ) -> tuple[PlannedChange, ...]:
        """Return what `deploy` would change, by a change set that is deleted again.

        Raises:
            BadInputError: the template can't be read.
            RequestRefusedError: the request is refused, or the change set fails.
        """
        known = self._find(stack)
        request = self._request(template, stack, known, parameters, capabilities)
        made = self._service.call(
            "CreateChangeSet",
            ChangeSetName=f"plan-{uuid.uuid4().hex[:12]}",
            ChangeSetType="CREATE" if known is None else "UPDATE",
            **request,
        )
        try:
            return self._planned(made["Id"])
        finally:
            self._service.call("DeleteChangeSet", ChangeSetName=made["Id"])
            if known is None:
                self.delete(made["StackId"])

    def _planned(self, change_set: str) -> tuple[PlannedChange, ...]:
        def describe(**more: str) -> dict[str, Any]:
            return self._service.call("DescribeChangeSet", ChangeSetName=change_set, IncludePropertyValues=True, **more)

        answer = poll(describe, lambda found: not found["Status"].endswith(("_IN_PROGRESS", "_PENDING")))
        reason = answer.get("StatusReason", "")
        if answer["Status"] == "FAILED" and not any(text in reason for text in _NOTHING):
            raise RequestRefusedError("ChangeSetFailed", reason)
        changes = list(read_plan(answer))
        while token := answer.get("NextToken"):
            answer = describe(NextToken=token)
            changes += read_plan(answer)
        return tuple(changes)

    def describe(self, stack: str) -> DeployedStack:
        """Return a stack, by its name or id; one that was deleted has only an id.

        Raises:
            RequestRefusedError: it does not exist.
        """
        answer = self._service.call("DescribeStacks", StackName=stack)["Stacks"][0]
        events = self._service.pages("DescribeStackEvents", "StackEvents", StackName=answer["StackId"])
        return DeployedStack(
            name=answer["StackName"],
            id=answer["StackId"],
            status=answer["StackStatus"],
            reason=answer.get("StackStatusReason", ""),
            outputs={each["OutputKey"]: each["OutputValue"] for each in answer.get("Outputs", ())},
            parameters={each["ParameterKey"]: each["ParameterValue"] for each in answer.get("Parameters", ())},
            tags={each["Key"]: each["Value"] for each in answer.get("Tags", ())},
            resources=self._resources(answer["StackId"]),
            events=tuple(map(read_event, reversed(list(events)))),
        )

    def list(self) -> tuple[DeployedStack, ...]:
        """Return the stacks that are not deleted, sorted by name."""
        found = self._service.pages("DescribeStacks", "Stacks")
        return tuple(self.describe(each["StackId"]) for each in sorted(found, key=lambda each: str(each["StackName"])))

    def delete(self, stack: str) -> DeployedStack:
        """Delete a stack and wait for the end; a failure is a result.

        Raises:
            RequestRefusedError: it does not exist, or the request is refused.
        """
        found = str(self._service.call("DescribeStacks", StackName=stack)["Stacks"][0]["StackId"])
        self._service.call("DeleteStack", StackName=found)
        return self._settled(found)

    def _settled(self, stack: str) -> DeployedStack:
        def describe() -> dict[str, Any]:
            found: dict[str, Any] = self._service.call("DescribeStacks", StackName=stack)["Stacks"][0]
            return found

        poll(describe, lambda found: not found["StackStatus"].endswith("_IN_PROGRESS"))
        return self.describe(stack)

    def _find(self, stack: str) -> dict[str, Any] | None:
        """Return a stack that can be updated, None for one that is to be created."""
        try:
            found: dict[str, Any] = self._service.call("DescribeStacks", StackName=stack)["Stacks"][0]
        except RequestRefusedError as error:
            if error.code == "ValidationError" and "does not exist" in error.message:
                return None
            raise
        return None if found["StackStatus"] in {"REVIEW_IN_PROGRESS", _GONE} else found

    def _request(
        self,
        template: DocumentSource,
        stack: str,
        known: Mapping[str, Any] | None,
        parameters: Mapping[str, Any] | None,
        capabilities: Iterable[str],
    ) -> dict[str, Any]:
        text = _template_text(template)
        body = {"TemplateBody": text}
        if len(text.encode()) > MAX_BODY:
            body = {"TemplateURL": self._service.put("templates", f"{stack}.template", text.encode())[1]}
        given = {name: _parameter_text(each) for name, each in (parameters or {}).items()}
        listed: _Listed = [{"ParameterKey": name, "ParameterValue": each} for name, each in given.items()]
        kept = {each["ParameterKey"] for each in (known or {}).get("Parameters", ())} - given.keys()
        if kept:
            summary = self._service.call("GetTemplateSummary", **body)
            declared = [each["ParameterKey"] for each in summary.get("Parameters", ())]
            listed += [{"ParameterKey": name, "UsePreviousValue": True} for name in declared if name in kept]
        return {"StackName": stack, **body, "Capabilities": [*capabilities], "Parameters": listed}

    def _resources(self, stack: str) -> dict[str, StackResource]:
        found = self._service.pages("ListStackResources", "StackResourceSummaries", StackName=stack)
        return {
            each["LogicalResourceId"]: self._resource(each)
            for each in found
            if each["ResourceStatus"] != _GONE and each.get("PhysicalResourceId")
        }

    def _resource(self, summary: Mapping[str, Any]) -> StackResource:
        type_name, identifier = summary["ResourceType"], summary["PhysicalResourceId"]

        def read() -> dict[str, Any]:
            request = {"TypeName": type_name, "Identifier": identifier}
            answer = self._service.call("GetResource", service="cloudcontrol", **request)
            properties: dict[str, Any] = json.loads(answer["ResourceDescription"]["Properties"])
            return properties

        return StackResource(summary["LogicalResourceId"], identifier, type_name, summary["ResourceStatus"], read)


def open_stacks(  # noqa: PLR0913 - its settings
    folder: os.PathLike[str] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    cache: os.PathLike[str] | None = None,
    account: str = DEFAULT_ACCOUNT,
    region: str = DEFAULT_REGION,
    aws: str = "simulated",
) -> LocalStacks:
    """Return stacks and a registry, which a folder keeps for the next time; without one they are gone at the end.

    `aws` says what makes AWS's own types: "simulated", or "moto". `environment` are the variables for pip, npm, Go,
    Maven and moto, such as `os.environ`; `cache` is a folder that keeps what the tools make.

    Raises:
        EnvironmentProblemError: the extra `serve` or `moto` is not installed, or another process uses the folder.
        UsageError: the account, the Region or `aws` is not valid.
    """
    service = EmbeddedService(
        None if folder is None else Path(folder),
        environment=environment,
        cache=None if cache is None else Path(cache),
        account=account,
        region=region,
        aws=aws,
    )
    return LocalStacks(service)


def _template_text(template: DocumentSource) -> str:
    match template:
        case str():
            return template
        case bytes():
            return read_stream(io.BytesIO(template), name="<template>")
        case Document():
            return template.text or json.dumps(template.value)
        case os.PathLike():
            return read_text(Path(template))
        case Mapping():
            return json.dumps(dict(template))
    raise TypeError(f"a template is a str, bytes, a mapping, a path or a Document, not {type(template).__name__}")


def _parameter_text(value: Any) -> str:
    """Return a parameter's value as it is sent: lists with commas, booleans as true and false."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(_parameter_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
