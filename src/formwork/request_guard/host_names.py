"""Names and addresses in Host headers, and which of them are this machine's."""

import functools
import ipaddress
import re
import socket

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1", "host.docker.internal"})

_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_.-]+))(?::\d{1,5})?", re.ASCII)


@functools.lru_cache(maxsize=256)  # clients send the same one with every request
def host_name(header: str) -> str | None:
    """Return the host of a Host header in its canonical form, without port and brackets; None if it is malformed."""
    found = _HOST.fullmatch(header.lower())
    return canonical_host(found["v6"] or found["name"]) if found else None


@functools.lru_cache(maxsize=256)
def canonical_host(host: str) -> str:
    """Return `host` in lower case; an IP address in its shortest form, an IPv4 address mapped to IPv6 as IPv4."""
    host = host.strip("[]")
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host.lower()
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def is_loopback(host: str) -> bool:
    """Return whether a server that listens on `host` can be reached from this machine only."""
    return host in ("127.0.0.1", "::1", "localhost")


def machine_names(host: str) -> frozenset[str]:
    """Return the names under which a server that listens on `host` is reached: `host`, and the machine's own names.

    Addresses of network interfaces are not among them: the connection has the one that it was made to.
    """
    if is_loopback(host):
        return frozenset()
    full = socket.gethostname().lower()
    short = full.partition(".")[0]
    return frozenset({canonical_host(host), full, short, f"{short}.local"})
