"""The operations on templates between botocore's shapes and the engine's own values."""

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import StackRequests, read_parameter, take_page
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.engine import Engine
from formwork.engine.quotas import ACCOUNT_LIMITS
from formwork.preparation.parameters import resolve_parameters
from formwork.preparation.prepared import check_types, unknown_types
from formwork.preparation.summaries import TemplateSummary, summarize_template
from formwork.stack_sets.stack_sets import refuse_services
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.template import FORMAT_VERSION, Parameter, to_value

_CALCULATOR = "https://calculator.s3.amazonaws.com/calc5.html"  # AWS's own answer; there are no prices here
_SUMMARIZED = ("StackName", "StackSetName", "TemplateBody", "TemplateURL")

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def template_operations(
    engine: Engine, requests: StackRequests, template_of_set: Callable[[Scope, str], str]
) -> dict[tuple[str, str], Handler]:
    """Return the operations for the table of `api/dispatch.py`; `template_of_set` returns a stack set's template."""
    operations = _Operations(engine, requests, template_of_set)
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "ValidateTemplate": operations.validate,
        "GetTemplateSummary": operations.summarize,
        "EstimateTemplateCost": operations.estimate,
        "DescribeAccountLimits": _list_limits,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def _list_limits(_scope: Scope, request: Input) -> Output:
    limits = [{"Name": name, "Value": value} for name, value in ACCOUNT_LIMITS.items()]
    page, token = take_page(limits, request)
    return {"AccountLimits": page, "NextToken": token}


class _Operations:
    def __init__(self, engine: Engine, requests: StackRequests, template_of_set: Callable[[Scope, str], str]) -> None:
        self._engine = engine
        self._requests = requests
        self._template_of_set = template_of_set

    def validate(self, scope: Scope, request: Input) -> Output:
        summary = _summarize(self._engine, scope, self._requests.template(scope, request))
        if not summary.transforms:  # which may make anything of a type
            check_types(summary.template, self._engine.settings.types, scope)
        return {
            "Description": summary.template.description,
            "Parameters": [_declared(each) for each in summary.template.parameters.values()],
            "Capabilities": list(summary.capabilities) or None,
            "CapabilitiesReason": summary.capabilities_reason,
            "DeclaredTransforms": list(summary.transforms) or None,
        }

    def summarize(self, scope: Scope, request: Input) -> Output:
        refuse_services(None, request.get("CallAs"))
        types = self._engine.settings.types
        summary = _summarize(self._engine, scope, self._summarized(scope, request))
        unknown = [] if summary.transforms else unknown_types(summary.template, types, scope)
        settings = request.get("TemplateSummaryConfig") or {}
        if unknown and not settings.get("TreatUnrecognizedResourceTypesAsWarnings"):
            check_types(summary.template, types, scope)
        return {**_summary(summary), "Warnings": {"UnrecognizedResourceTypes": unknown} if unknown else None}

    def _summarized(self, scope: Scope, request: Input) -> str:
        """Return the text of the template that GetTemplateSummary is asked for."""
        if sum(request.get(name) is not None for name in _SUMMARIZED) > 1:
            raise StackError(f"Only one of {', '.join(_SUMMARIZED)} can be specified")
        if name := request.get("StackSetName"):
            return self._template_of_set(scope, name)
        if name := request.get("StackName"):
            lookups = self._engine.lookups
            if lookups.describe_stack(scope, name).status is StackStatus.REVIEW_IN_PROGRESS:
                raise StackError("GetTemplateSummary cannot be called on REVIEW_IN_PROGRESS stacks.")
            return lookups.current_deployment(scope, name).original
        return self._requests.template(scope, request)

    def estimate(self, scope: Scope, request: Input) -> Output:
        text = self._requests.template(scope, request)
        given = resolve_parameters(
            _summarize(self._engine, scope, text).template,
            map(read_parameter, request.get("Parameters", ())),
            scope=scope,
            references=self._engine.settings.references,
        ).given
        estimated = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([text, given], sort_keys=True))
        return {"Url": f"{_CALCULATOR}?key=cloudformation/{estimated}"}


def _summarize(engine: Engine, scope: Scope, text: str) -> TemplateSummary:
    def schema_of(name: str) -> Any:
        provisioner = engine.settings.types.find(scope, name)
        return None if provisioner is None else provisioner.schema

    return summarize_template(text, schema_of)


def _declared(parameter: Parameter) -> dict[str, Any]:
    return {
        "ParameterKey": parameter.name,
        "DefaultValue": as_text(parameter.default) if parameter.has_default else None,
        "NoEcho": parameter.no_echo,
        "Description": parameter.description,
    }


def _summary(summary: TemplateSummary) -> dict[str, Any]:
    template = summary.template
    return {
        "Parameters": [_with_constraints(each) for each in template.parameters.values()],
        "Description": template.description,
        "Capabilities": list(summary.capabilities) or None,
        "CapabilitiesReason": summary.capabilities_reason,
        "ResourceTypes": list(summary.types),
        "Version": template.document.value.get("AWSTemplateFormatVersion", FORMAT_VERSION),
        "Metadata": None if template.metadata is None else json.dumps(to_value(template.metadata)),
        "DeclaredTransforms": list(summary.transforms) or None,
        "ResourceIdentifierSummaries": [
            {"ResourceType": name, "LogicalResourceIds": logical_ids, "ResourceIdentifiers": identifiers or None}
            for name, (logical_ids, identifiers) in summary.identifiers.items()
        ],
    }


def _with_constraints(parameter: Parameter) -> dict[str, Any]:
    allowed = [text for each in parameter.allowed_values or () if (text := as_text(each)) is not None]
    return {
        **_declared(parameter),
        "ParameterType": parameter.type,
        "ParameterConstraints": {"AllowedValues": allowed} if allowed else {},
    }
