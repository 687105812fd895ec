"""Stacks as values: what stands after a template was deployed, without anything that deploys."""

from msgspec.structs import replace

from formwork.engine.changes import DeployedResource
from formwork.template.evaluation import Evaluator


def deploy(stack, physical_id):
    """The resources of a `StackSide`, made in order; `physical_id(logical id, properties)` names them."""
    deployed = {}

    class Values:
        def reference(self, logical_id):
            return deployed[logical_id].physical_id

        def attribute(self, logical_id, name):
            return deployed[logical_id].attributes[name]

    evaluator = Evaluator(stack.template, replace(stack.environment, resources=Values()))
    for resource in stack.template.resources.values():
        if evaluator.exists(resource):
            properties = evaluator.properties(resource)
            name = physical_id(resource.logical_id, properties)
            deployed[resource.logical_id] = DeployedResource(resource, name, properties, properties)
    return deployed
