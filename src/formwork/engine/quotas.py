"""How much the service takes, beside what a template may have of anything (`LIMITS` of the template reader).

Source: CloudFormation user guide, "Understand CloudFormation quotas".
"""

from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.stacks.errors import StackError
from formwork.stacks.store.stacks import count_stacks
from formwork.template import Template
from formwork.template.read import LIMITS

MAX_BODY_BYTES = 51_200
MAX_STACKS = 2000  # in an account and Region, nested ones among them
# Stacks in stacks: AWS names no bound, and ends a template that names itself over the number of stacks.
MAX_NESTING = 20
MAX_NESTED_RESOURCES = 2500  # that the nested stacks of an operation create, update or delete, taken together
# What DescribeAccountLimits tells.
ACCOUNT_LIMITS = {"StackLimit": MAX_STACKS, "StackOutputsLimit": LIMITS["Outputs"], "ConcurrentResourcesLimit": 2500}


def expect_room(connection: Connection, scope: Scope) -> None:
    """Check that an account and Region may have one stack more.

    Raises:
        StackError: it has as many as it may.
    """
    if count_stacks(connection, scope) >= MAX_STACKS:
        raise StackError(f"Limit for stack has been exceeded: {MAX_STACKS}", code="LimitExceededException")


def check_resource_types(template: Template, allowed: tuple[str, ...]) -> None:
    """Check that a template has no types but those that a request allows, `AWS::EC2::*` and the like among them.

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
