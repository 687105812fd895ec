"""Quotas of the service; those of templates are `LIMITS` of the template reader.

Source: CloudFormation user guide, "Understand CloudFormation quotas".

The reasons are in docs/decisions/1286.
"""

from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.stacks.errors import StackError
from formwork.stacks.store.stacks import count_stacks
from formwork.template import Template
from formwork.template.read import LIMITS

MAX_BODY_BYTES = 51_200
MAX_STACKS = 2000  # per account and Region, including nested stacks
# Depth of nested stacks: AWS documents no bound; a template that contains itself ends at the number of stacks.
MAX_NESTING = 20
MAX_NESTED_RESOURCES = 2500  # resources that all nested stacks of an operation create, update or delete together
# The answer of DescribeAccountLimits.
ACCOUNT_LIMITS = {"StackLimit": MAX_STACKS, "StackOutputsLimit": LIMITS["Outputs"], "ConcurrentResourcesLimit": 2500}


def expect_room(connection: Connection, scope: Scope) -> None:
    """Check that an account may have another stack in a Region.

    Raises:
        StackError: it has the maximum already.
    """
    if count_stacks(connection, scope) >= MAX_STACKS:
        raise StackError(f"Limit for stack has been exceeded: {MAX_STACKS}", code="LimitExceededException")


def check_resource_types(template: Template, allowed: tuple[str, ...]) -> None:
    """Check that a template has only types that a request allows, by names or patterns such as `AWS::EC2::*`.

    Raises:
        StackError: it has.
    """
    if not allowed:
        return
    for resource in template.resources.values():
        if not any(_covers(each, resource.type) for each in allowed):
            listed = ", ".join(allowed)
            raise StackError(f"Resource type {resource.type} is not allowed by parameter ResourceTypes [{listed}]")


def _covers(allowed: str, type_name: str) -> bool:
    if allowed.endswith("*"):
        return type_name.startswith(allowed[:-1])
    return allowed == type_name
