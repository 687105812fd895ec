"""Constructs for AWS's Cloud Development Kit: one L1 class per resource type or module, in TypeScript and Python."""

from formwork.cdk.constructs import Construct, module_construct, resource_construct
from formwork.cdk.plan import CDK_LANGUAGES, plan_constructs

__all__ = ["CDK_LANGUAGES", "Construct", "module_construct", "plan_constructs", "resource_construct"]
