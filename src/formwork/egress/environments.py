"""The variables by which handler processes find the gate, and trust it."""

import json
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from formwork.egress.destinations import REAL_AWS, Destinations
from formwork.request_guard import API_HOSTS, SITE_HOSTS

AUTHORITY_FILE = "authority.pem"
BUNDLE_FILE = "trusted.pem"
JAVA_STORE_FILE = "trusted.p12"
JAVA_STORE_PASSWORD = "formwork"  # noqa: S105 - it holds certificates alone
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Where HTTP clients look for a proxy, and for the certificates to trust: OpenSSL and Go, botocore, requests, curl.
_PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
_TRUST_VARIABLES = ("SSL_CERT_FILE", "AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
# Runtimes whose HTTP clients take their proxy from the environment and tunnel through it as they should.
_PROXIED = ("go", "provided", "python")
# Where AWS calls go in a network of its own that has no AWS: to the gate without TLS, which refuses them in words.
_SEALED_ENDPOINT = "http://127.0.0.1"


class ProxyAddress(Protocol):
    """The route of a process that has no network of its own."""

    @property
    def address(self) -> str:
        """`127.0.0.1:port`."""
        ...

    @property
    def proxy_url(self) -> str:
        """Its URL as a proxy, with user and password."""
        ...


def sealed_environment(runtime: str, trust: Path | None, destinations: Destinations) -> dict[str, str]:
    """Return the variables of a process with a network of its own; `trust` is the folder with the authority's files.

    Where nothing is passed on unread, no certificate but the authority's leads anywhere there.
    """
    found = {} if destinations.has_aws else {"AWS_ENDPOINT_URL": _SEALED_ENDPOINT}
    bundle = BUNDLE_FILE if destinations.may_tunnel else AUTHORITY_FILE
    return found if trust is None else found | _trust(runtime, trust, bundle)


def proxy_environment(
    runtime: str, trust: Path | None, route: ProxyAddress, destinations: Destinations
) -> dict[str, str]:
    """Return the variables of a process that is asked to use a proxy; {} where everything is reached without one.

    Java's are not: its SDKs are redirected in the process (languages/java/redirection.py).
    """
    found: dict[str, str] = {}
    if destinations.reaches_all:
        return found
    stand_in = None if destinations.aws == REAL_AWS else destinations.aws
    if destinations.aws != REAL_AWS:
        found["AWS_ENDPOINT_URL"] = f"http://{route.address}"
    if trust is not None and not runtime.startswith("java"):
        found |= _trust(runtime, trust, BUNDLE_FILE)
    if runtime.startswith("nodejs"):
        gate = {
            "url": route.proxy_url,
            "api": API_HOSTS.pattern,
            "sites": SITE_HOSTS.pattern,
            "open": trust is not None and stand_in is not None,
        }
        return found if destinations.aws == REAL_AWS else found | {"FORMWORK_AWS_GATE": json.dumps(gate)}
    if runtime.startswith(_PROXIED):
        stand_ins = (urlsplit(url or "").hostname for url in (stand_in, destinations.cloudformation))
        direct = ",".join(dict.fromkeys(filter(None, (*_LOOPBACK, *stand_ins))))
        found |= dict.fromkeys(_PROXY_VARIABLES, route.proxy_url) | dict.fromkeys(("NO_PROXY", "no_proxy"), direct)
    return found


def _trust(runtime: str, folder: Path, bundle: str) -> dict[str, str]:
    if runtime.startswith("nodejs"):
        return {"NODE_EXTRA_CA_CERTS": str(folder / AUTHORITY_FILE)}
    if runtime.startswith("java"):
        store = {"file": str(folder / JAVA_STORE_FILE), "password": JAVA_STORE_PASSWORD}
        return {f"FORMWORK_TRUST_STORE_{name.upper()}": value for name, value in store.items()}
    return dict.fromkeys(_TRUST_VARIABLES, str(folder / bundle))
