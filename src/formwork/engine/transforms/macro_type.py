"""AWS::CloudFormation::Macro: a macro is nothing but what is kept of it, so that the simulator is the real thing."""

from formwork.durable import Database
from formwork.engine.provisioning import OwnTypes
from formwork.engine.provisioning.own import load_own_schema
from formwork.engine.provisioning.simulated import SimulatedProvisioner
from formwork.engine.transforms.macros import MACRO_TYPE


class MacroProvisioner(SimulatedProvisioner):
    """The macros of an account and Region."""

    note = None


def add_macro_type(own: OwnTypes, database: Database) -> None:
    """Have this process make macros."""
    own.add(MACRO_TYPE, lambda scope, name: MacroProvisioner(load_own_schema(name), database, scope))
