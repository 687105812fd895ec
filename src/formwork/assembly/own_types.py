"""The types that this process makes by itself, put together from what they work with."""

from collections.abc import Callable

from formwork.engine.engine import Engine
from formwork.preparation.transforms.macro_type import add_macro_type
from formwork.provisioning import OwnTypes
from formwork.provisioning.functions.finding import InvokeFunction
from formwork.registry import Registry
from formwork.service_types.custom.provisioner import CustomResources
from formwork.service_types.extensions.types import add_extension_types
from formwork.service_types.nesting.stacks import NestedStacks
from formwork.service_types.signalling.conditions import WaitConditions
from formwork.stacks.store.records import STACK_TYPE


def add_own_types(
    own: OwnTypes, engine: Engine, registry: Registry, address: Callable[[], str], functions: InvokeFunction
) -> None:
    """Have the engine's provisioners find them.

    `address` says where the service answers; `functions` invokes those that custom resources name.
    """
    own.add(STACK_TYPE, NestedStacks(engine).provisioner)
    add_macro_type(own, engine.database)
    add_extension_types(own, registry)
    WaitConditions(engine, address).add_to(own)
    CustomResources(engine, address, functions).add_to(own)
