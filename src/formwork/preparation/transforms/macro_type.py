"""AWS::CloudFormation::Macro: a macro is only its record, so the simulator implements the type completely."""

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.preparation.transforms.macros import MACRO_TYPE
from formwork.provisioning import OwnTypes
from formwork.provisioning.own import load_own_schema
from formwork.provisioning.simulated import SimulatedProvisioner


class MacroProvisioner(SimulatedProvisioner):
    """The provisioner of macros in an account and Region."""

    note = None


class MacroType:
    """The type `AWS::CloudFormation::Macro`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_to(self, own: OwnTypes) -> None:
        """Add the type to the own types."""
        own.add(MACRO_TYPE, self)

    def provisioner(self, scope: Scope, type_name: str) -> MacroProvisioner:
        """See `OwnType.provisioner`."""
        return MacroProvisioner(load_own_schema(type_name), self._database, scope)
