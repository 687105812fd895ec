"""Cloud Control: resources outside any stack, of whatever type can be provisioned here."""

from formwork.cloud_control.cloud_control import CloudControl, RequestQuery, TypeChoice

__all__ = ["CloudControl", "RequestQuery", "TypeChoice"]
