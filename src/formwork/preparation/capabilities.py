"""What a request has to acknowledge of its template.

Source: the service's model (Capabilities of CreateStack).
"""

from collections.abc import Collection, Iterator

from formwork.preparation.transforms.processing import declared_transforms
from formwork.stacks.errors import insufficient_capabilities
from formwork.template import Template

# Types that give permissions, and the property that names one.
_IAM_NAMES = {
    "AWS::IAM::AccessKey": None,
    "AWS::IAM::Group": "GroupName",
    "AWS::IAM::InstanceProfile": "InstanceProfileName",
    "AWS::IAM::ManagedPolicy": "ManagedPolicyName",
    "AWS::IAM::Policy": None,
    "AWS::IAM::Role": "RoleName",
    "AWS::IAM::User": "UserName",
    "AWS::IAM::UserToGroupAddition": None,
}


def check_expansion(template: Template, acknowledged: Collection[str]) -> None:
    """Refuse a template whose macros or modules are not acknowledged.

    Raises:
        StackError: they are not.
    """
    expands = bool(declared_transforms(template)) or any(each.is_module for each in template.resources.values())
    if expands and "CAPABILITY_AUTO_EXPAND" not in acknowledged:
        raise insufficient_capabilities(["CAPABILITY_AUTO_EXPAND"])


def check_iam(template: Template, acknowledged: Collection[str]) -> None:
    """Refuse a template whose IAM resources are not acknowledged.

    Raises:
        StackError: they are not.
    """
    needed = set(needed_capabilities(template))
    if "CAPABILITY_NAMED_IAM" in acknowledged:
        return
    if "CAPABILITY_NAMED_IAM" in needed:
        raise insufficient_capabilities(["CAPABILITY_NAMED_IAM"])
    if needed and "CAPABILITY_IAM" not in acknowledged:
        raise insufficient_capabilities(["CAPABILITY_IAM"])


def needed_capabilities(template: Template) -> Iterator[str]:
    """Return the capabilities that a template's IAM resources require."""
    for resource in template.resources.values():
        if resource.type not in _IAM_NAMES:
            continue
        properties = template.document.value["Resources"][resource.logical_id].get("Properties", {})
        yield "CAPABILITY_NAMED_IAM" if _IAM_NAMES[resource.type] in properties else "CAPABILITY_IAM"
