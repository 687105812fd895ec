"""The check that every HTTP listener applies first: no request of a web browser, and none for another host's name."""

from formwork.request_guard.guard import RequestGuard
from formwork.request_guard.host_names import host_name, is_loopback, machine_names

__all__ = ["RequestGuard", "host_name", "is_loopback", "machine_names"]
