"""Refusal of requests that a web browser sent, or that were meant for another host."""

from collections.abc import Iterable, Mapping

from formwork.request_guard.aws_hosts import API_HOSTS
from formwork.request_guard.host_names import LOOPBACK_NAMES, canonical_host, host_name

# Browsers add these by themselves; no AWS client sends them.
_BROWSER_HEADERS = frozenset({"origin", "referer", "cookie", "upgrade-insecure-requests"})
# Reserved for browsers: pages can neither set nor remove headers of this prefix.
_BROWSER_PREFIX = "sec-"
# What Node's fetch sends of them, alone. A browser sends Sec-Fetch-Site beside it.
_NODE_FETCH = ("sec-fetch-mode", "cors")


class RequestGuard:
    """Tells requests of programs from those of web pages.

    A web page can have the browser send requests to this machine, and can have a host name of its own resolve to
    127.0.0.1 (DNS rebinding). The first is seen by the headers that browsers add, the second by the Host header.
    Names of AWS's service endpoints pass, since calls of handlers are led here under them (docs/decisions/0703): AWS
    alone says where they resolve to.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Accept the Host headers `names` besides those of loopback and of the address that was connected to."""
        self._names = LOOPBACK_NAMES | {canonical_host(name) for name in names}

    def refusal(
        self, headers: Mapping[str, str], *, address: str | None = None, subdomains: bool = False
    ) -> str | None:
        """Return why a request is refused, None if it isn't.

        `headers` have lower-case names. `address` is the local IP address of the connection. `subdomains` also accepts
        `NAME.localhost`, by which S3's clients name a bucket.
        """
        sign = next((name for name in headers if _is_browsers(name, headers[name])), None)
        if sign is not None:
            return f"This service answers programs, and a request with the header {sign} comes from a web browser"
        host = host_name(headers.get("host", ""))
        if host is not None and (host in self._names or (address is not None and host == canonical_host(address))):
            return None
        if host is not None and API_HOSTS.fullmatch(host):
            return None
        if subdomains and host is not None and host.endswith(".localhost"):
            return None
        shown = headers.get("host", "")[:80]
        return f'"{shown}" is not a host name of this service (cfn serve --allow-host NAME adds one)'


def _is_browsers(name: str, value: str) -> bool:
    if name in _BROWSER_HEADERS:
        return True
    return name.startswith(_BROWSER_PREFIX) and (name, value) != _NODE_FETCH
