"""The operations on templates between botocore's shapes and the engine's own values."""

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import StackRequests
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.engine import Engine
from formwork.engine.quotas import ACCOUNT_LIMITS
from formwork.preparation.prepared import check_types
from formwork.preparation.summaries import TemplateSummary, summarize_template
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.template import FORMAT_VERSION, Parameter, to_value

_CALCULATOR = "https://calculator.s3.amazonaws.com/calc5.html"  # AWS's own answer; there are no prices here

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def template_operations(engine: Engine, requests: StackRequests) -> dict[tuple[str, str], Handler]:
    """What answers them, for the table of `api/dispatch.py`."""

    def validate(scope: Scope, request: Input) -> Output:
        summary = _summarize(engine, scope, requests.template(scope, request))
        if not summary.transforms:  # which may make anything of a type
            check_types(summary.template, engine.settings.types, scope)
        return {
            "Description": summary.template.description,
            "Parameters": [_declared(each) for each in summary.template.parameters.values()],
            "Capabilities": list(summary.capabilities) or None,
            "CapabilitiesReason": summary.capabilities_reason,
            "DeclaredTransforms": list(summary.transforms) or None,
        }

    def summarize(scope: Scope, request: Input) -> Output:
        if name := request.get("StackName"):
            if engine.lookups.describe_stack(scope, name).status is StackStatus.REVIEW_IN_PROGRESS:
                raise StackError("GetTemplateSummary cannot be called on REVIEW_IN_PROGRESS stacks.")
            text = engine.lookups.current_deployment(scope, name).original
        else:
            text = requests.template(scope, request)
        return _summary(_summarize(engine, scope, text))

    def estimate(scope: Scope, request: Input) -> Output:
        text = requests.template(scope, request)
        _summarize(engine, scope, text)
        return {"Url": f"{_CALCULATOR}?key=cloudformation/{uuid.uuid5(uuid.NAMESPACE_OID, text)}"}

    def tell_limits(_scope: Scope, _request: Input) -> Output:
        return {"AccountLimits": [{"Name": name, "Value": value} for name, value in ACCOUNT_LIMITS.items()]}

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "ValidateTemplate": validate,
        "GetTemplateSummary": summarize,
        "EstimateTemplateCost": estimate,
        "DescribeAccountLimits": tell_limits,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


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
