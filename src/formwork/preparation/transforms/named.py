"""Who a macro's name means: one of those that CloudFormation hosts, or a user's."""

from typing import Any

from formwork.aws.scope import Scope
from formwork.object_store.store import ObjectStore
from formwork.preparation.dependencies import TransformCall
from formwork.preparation.transforms.include import include
from formwork.preparation.transforms.macros import Macros
from formwork.preparation.transforms.processing import INCLUDE
from formwork.preparation.transforms.serverless import SERVERLESS, translate_serverless
from formwork.stacks.errors import MacroError, ProcessingError

# What CloudFormation hosts besides: they make resources that nothing here could run.
_NOT_HERE = {
    "AWS::SecretsManager-2020-07-23": "it makes rotation functions of Secrets Manager",
    "AWS::SecretsManager-2024-09-16": "it makes rotation functions of Secrets Manager",
    "AWS::CodeDeployBlueGreen": "it has CodeDeploy shift the traffic of ECS services",
    "AWS::ServiceCatalog": "it reads the outputs of Service Catalog's products",
}


class NamedTransforms:
    """`Transforms`: those that CloudFormation hosts, and users' macros."""

    def __init__(self, macros: Macros, objects: ObjectStore) -> None:
        self._macros = macros
        self._objects = objects

    def run(self, scope: Scope, call: TransformCall) -> Any:
        """See `Transforms.run`."""
        if call.name == INCLUDE:
            return include(scope, call, self._objects)
        if call.name == SERVERLESS:
            return translate_serverless(scope, call)
        if (why := _NOT_HERE.get(call.name)) is not None:
            raise MacroError(call.name, f"this transform is not available on this machine: {why}.")
        if call.name.startswith("AWS::"):
            raise ProcessingError(f"No transform named {call.name} found.")
        return self._macros.run(scope, call)
