"""Provisioners, which create resources: registered handlers, own types, and stand-ins for types without handlers."""

from formwork.provisioning.own import OwnProvisioner, OwnTypes
from formwork.provisioning.provisioner import HandlerCall, Provisioner, Provisioners

__all__ = ["HandlerCall", "OwnProvisioner", "OwnTypes", "Provisioner", "Provisioners"]
