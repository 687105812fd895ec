"""The check that every HTTP listener applies first: requests of web browsers and for other hosts are refused.

The reasons are in docs/decisions/1282.
"""

from formwork.request_guard.aws_hosts import API_HOSTS, API_SUFFIXES, SITE_HOSTS, HostKind, kind_of_host
from formwork.request_guard.guard import RequestGuard
from formwork.request_guard.host_names import host_name, is_loopback, machine_names

__all__ = [
    "API_HOSTS",
    "API_SUFFIXES",
    "SITE_HOSTS",
    "HostKind",
    "RequestGuard",
    "host_name",
    "is_loopback",
    "kind_of_host",
    "machine_names",
]
