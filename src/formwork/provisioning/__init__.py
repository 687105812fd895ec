"""Provisioners, which create resources: registered handlers, own types, and stand-ins for types without handlers."""

from formwork.provisioning.own import OwnProvisioner, OwnTypes
from formwork.provisioning.provisioner import SIMULATED, HandlerCall, Provisioner, Provisioners

__all__ = ["SIMULATED", "HandlerCall", "OwnProvisioner", "OwnTypes", "Provisioner", "Provisioners"]
