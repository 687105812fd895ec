"""Who makes resources: registered handlers, or a stand-in for types that have none."""

from formwork.provisioning.own import OwnProvisioner, OwnTypes
from formwork.provisioning.provisioner import HandlerCall, Provisioner, Provisioners

__all__ = ["HandlerCall", "OwnProvisioner", "OwnTypes", "Provisioner", "Provisioners"]
