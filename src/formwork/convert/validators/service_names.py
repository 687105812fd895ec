"""EventSource and SdkServiceId: the names of an AWS service in CloudTrail and in SDKs."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import ServiceShape
from formwork.smithy.validators.context import Validation, event, quoted, warning

_SERVICE = "aws.api#service"
_DOMAIN = ".amazonaws.com"
# Event source that the rule gives → the one that CloudTrail has.
_EXCEPTIONS = {"cloudwatch.amazonaws.com": "monitoring.amazonaws.com"}

_ID_PATTERN = "^[a-zA-Z][a-zA-Z0-9]*( [a-zA-Z0-9]+)*$"
_COMPANY_NAMES = ("AWS", "Amazon", "Aws")
_ENDINGS = ("service", "client", "api")
_ID_LENGTHS = range(2, 51)
# Released before there was a rule.
_OLD_IDS = frozenset(
    (
        "ACM PCA", "ApiGatewayManagementApi", "Application Discovery Service", "Config Service",
        "Cost and Usage Report Service", "Database Migration Service", "Directory Service", "Elasticsearch Service",
        "IoT 1Click Devices Service", "IoTAnalytics", "Lex Model Building Service", "Lex Runtime Service",
        "Marketplace Entitlement Service", "Resource Groups Tagging API", "mq",
    )
)  # fmt: skip


def event_sources(validation: Validation) -> Iterator[Event]:
    """Check that CloudTrail's source of a service's events is made of the namespace of its ARNs."""
    for service in validation.model.services:
        source = expect_object(service.trait(_SERVICE)).get("cloudTrailEventSource")
        expected = _arn_namespace(service) + _DOMAIN
        if not isinstance(source, str) or source in (expected, _EXCEPTIONS.get(expected)):
            continue
        if "REPLACE" in source or source == source.upper():
            message = f"aws.api#service|cloudTrailEventSource must not use placeholders, but found: {source}"
        else:
            message = (
                "aws.api#service|cloudTrailEventSource does not match the expected value. Expected "
                f"'{expected}', but found '{source}'."
            )
        yield warning("EventSource", service, message, trait=_SERVICE)


def _arn_namespace(service: ServiceShape) -> str:
    return str(expect_object(service.trait(_SERVICE)).get("arnNamespace") or service.name.lower())


def sdk_ids(validation: Validation) -> Iterator[Event]:
    """Check that SDKs can name clients by the ids of services."""
    for service in validation.model.services:
        sdk_id = expect_object(service.trait(_SERVICE)).get("sdkId")
        problems = _problems(sdk_id) if isinstance(sdk_id, str) else []
        if problems:
            message = f"Invalid SDK service ID value, `{sdk_id}`: {';'.join(problems)}"
            yield event("SdkServiceId", EventSeverity.DANGER, service, message, trait=_SERVICE)


def _problems(sdk_id: str) -> list[str]:
    problems: list[str] = []
    if sdk_id in _OLD_IDS:
        return problems
    if not re.search(_ID_PATTERN, sdk_id):
        problems.append(f"Does not match the required pattern `{_ID_PATTERN}`")
    if any(name in sdk_id for name in _COMPANY_NAMES):
        problems.append(f"Must not contain any of the following company names: [{quoted(_COMPANY_NAMES)}]")
    problems += [
        f"Must not case-insensitively end with `{ending}`" for ending in _ENDINGS if sdk_id.lower().endswith(ending)
    ]
    if len(sdk_id) not in _ID_LENGTHS:
        problems.append("Must be between 2 and 50 characters long.")
    return problems
