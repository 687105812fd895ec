"""Cloud Control: resources outside any stack, of whatever type can be provisioned here."""

from formwork.engine.control.cloud_control import CloudControl, RequestQuery, TypeChoice

__all__ = ["CloudControl", "RequestQuery", "TypeChoice"]
