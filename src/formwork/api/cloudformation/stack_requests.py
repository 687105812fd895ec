"""Requests for stacks, read from the shapes of botocore's model; pages of lists."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from formwork.aws.scope import Scope
from formwork.engine.deployment_config import is_express, keeps_on_failure
from formwork.engine.planning.requests import StackRequest
from formwork.engine.quotas import MAX_BODY_BYTES
from formwork.engine.rollback_configuration import check_rollback_configuration
from formwork.preparation.parameters import GivenParameter
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import (
    OperationOptions,
    StackSettings,
)
from formwork.template.bounds import MAX_TEMPLATE_BYTES, TOO_LARGE

Input: TypeAlias = Mapping[str, Any]
Fetch: TypeAlias = Callable[[Scope, str], bytes]
Item = TypeVar("Item")

_PAGE = 100
_STACK_NAME = re.compile(r"[a-zA-Z][-a-zA-Z0-9]*")
_MAX_STACK_NAME = 128
_MAX_TOKEN = 18  # digits; databases count no further
_MAX_POLICY = 16_384  # bytes, as the model has it for bodies


class StackRequests:
    """Reads requests for stacks; `fetch` reads a template's URL."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    def read(self, scope: Scope, request: Input, *, template_needed: bool) -> StackRequest:
        """Return the stack operation that a request describes; without `template_needed` its template may be absent.

        Raises:
            StackError: there is no template, or two.
        """
        on_failure = request.get("OnFailure")
        config = request.get("DeploymentConfig")
        keep = keeps_on_failure(config, request.get("DisableRollback"), on_failure)
        return StackRequest(
            name=request["StackName"],
            template=self.template(scope, request) if template_needed else None,
            parameters=tuple(read_parameter(each) for each in request.get("Parameters", ())),
            tags={each["Key"]: each["Value"] for each in request["Tags"]} if "Tags" in request else None,
            capabilities=tuple(request.get("Capabilities", ())),
            resource_types=tuple(request.get("ResourceTypes", ())),
            token=request.get("ClientRequestToken"),
            settings=StackSettings(
                on_failure=on_failure or "ROLLBACK",
                disable_rollback=keep,
                timeout_minutes=request.get("TimeoutInMinutes"),
                termination_protection=bool(request.get("EnableTerminationProtection")),
                notification_arns=list(request.get("NotificationARNs", ())),
                role_arn=request.get("RoleARN"),
                retain_except_on_create=bool(request.get("RetainExceptOnCreate")),
                deployment_config=config,
                rollback_configuration=check_rollback_configuration(request.get("RollbackConfiguration")),
            ),
            policy=self.policy(scope, request, "StackPolicy"),
            policy_during=self.policy(scope, request, "StackPolicyDuringUpdate"),
            keeps_arns="NotificationARNs" not in request,
            options=OperationOptions(
                keep_on_failure=keep,
                retain_except_on_create=bool(request.get("RetainExceptOnCreate")),
                disable_validation=bool(request.get("DisableValidation")),
                express=is_express(config),
            ),
        )

    def policy(self, scope: Scope, request: Input, name: str) -> str | None:
        """Return the text of the stack policy that the members `name`Body and `name`URL give, or None.

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
        """Return the text of the template that a request gives, or names.

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
            if len(content) > MAX_TEMPLATE_BYTES:
                raise StackError(TOO_LARGE)
            return content.decode()
        except UnicodeDecodeError as error:
            raise StackError("Template format error: unsupported structure.") from error


def expect_stack_name(name: str) -> None:
    """Check a new stack's name; the service's model has neither pattern nor length for it.

    Raises:
        StackError: the name is not valid, with the service's message.
    """
    problem = ""
    if _STACK_NAME.fullmatch(name) is None:
        problem = f"satisfy regular expression pattern: {_STACK_NAME.pattern}"
    elif len(name) > _MAX_STACK_NAME:
        problem = f"have length less than or equal to {_MAX_STACK_NAME}"
    if problem:
        raise StackError(
            f"1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: "
            f"Member must {problem}"
        )


def _bounded(body: str) -> str:
    if len(body.encode()) > MAX_BODY_BYTES:
        raise StackError(
            f"1 validation error detected: Value '{body}' at 'templateBody' failed to satisfy constraint: "
            f"Member must have length less than or equal to {MAX_BODY_BYTES}"
        )
    return body


def read_parameter(given: Input) -> GivenParameter:
    """Return a parameter of a request.

    Raises:
        StackError: it has no name, which the service's model does not require.
    """
    if "ParameterKey" not in given:
        raise StackError("Each member of Parameters must have a ParameterKey")
    return GivenParameter(given["ParameterKey"], given.get("ParameterValue"), bool(given.get("UsePreviousValue")))


def read_token(request: Input) -> int | None:
    """Return the number in a request's NextToken, None where it has none.

    Raises:
        StackError: it is none of ours.
    """
    token = request.get("NextToken")
    if not token:
        return None
    if not (token.isascii() and token.isdecimal() and len(token) <= _MAX_TOKEN):
        raise StackError(f"Invalid NextToken: {token}")
    return int(token)


def take_page(found: Sequence[Item], request: Input, *, size: int = _PAGE) -> tuple[list[Item], str | None]:
    """Return the page of a list that a request wants, and the token of the next one.

    Raises:
        StackError: the request's token is none of ours.
    """
    start = read_token(request) or 0
    end = start + size
    return list(found[start:end]), str(end) if end < len(found) else None
