"""Creates the service's own types with their dependencies."""

from formwork.engine.engine import Engine
from formwork.preparation.transforms.macro_type import MacroType
from formwork.provisioning import OwnTypes
from formwork.provisioning.functions.finding import FunctionInvoker
from formwork.provisioning.own import ServiceAddress
from formwork.registry.registry import Registry
from formwork.service_types.custom.provisioner import CustomResources
from formwork.service_types.extensions.types import ExtensionTypes
from formwork.service_types.nesting.stacks import NestedStacks
from formwork.service_types.signalling.conditions import WaitConditions
from formwork.stacks.store.records import STACK_TYPE


def add_own_types(
    own: OwnTypes, engine: Engine, registry: Registry, address: ServiceAddress, functions: FunctionInvoker
) -> None:
    """Add them to the own types that the engine's provisioners are found in.

    `address` gives the service's URL; `functions` invokes the functions of custom resources.
    """
    own.add(STACK_TYPE, NestedStacks(engine))
    MacroType(engine.database).add_to(own)
    ExtensionTypes(registry).add_to(own)
    WaitConditions(engine, address).add_to(own)
    CustomResources(engine, address, functions).add_to(own)
