"""AWS::CloudFormation::Macro: a macro is nothing but what is kept of it, so that the simulator is the real thing."""

from formwork.durable import Database
from formwork.preparation.transforms.macros import MACRO_TYPE
from formwork.provisioning import OwnTypes
from formwork.provisioning.own import load_own_schema
from formwork.provisioning.simulated import SimulatedProvisioner


class MacroProvisioner(SimulatedProvisioner):
    """The macros of an account and Region."""

    note = None


def add_macro_type(own: OwnTypes, database: Database) -> None:
    """Have this process make macros."""
    own.add(MACRO_TYPE, lambda scope, name: MacroProvisioner(load_own_schema(name), database, scope))
