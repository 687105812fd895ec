"""How much the service takes, beside what a template may have of anything (`LIMITS` of the template reader).

Source: CloudFormation user guide, "Understand CloudFormation quotas".
"""

from formwork.engine.errors import StackError
from formwork.template import Template
from formwork.template.read import LIMITS

MAX_BODY_BYTES = 51_200
MAX_OBJECT_BYTES = 1_000_000
# What DescribeAccountLimits tells.
ACCOUNT_LIMITS = {"StackLimit": 2000, "StackOutputsLimit": LIMITS["Outputs"], "ConcurrentResourcesLimit": 2500}


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
