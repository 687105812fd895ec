"""The way out of handler processes whose AWS is a stand-in: calls for AWS's own hosts are led to it or refused.

SDKs older than AWS_ENDPOINT_URL (aws-sdk-go v1, boto3 before 1.28, the JavaScript SDK v2), and clients that were given
an endpoint or a resolver by hand, call AWS itself. Their HTTP clients take the proxy that the environment names: this
one. Node's take none, and are led here in their process (languages/typescript/aws_gate.cjs).

The reasons are in docs/decisions/0703.
"""

import contextlib
import json
import secrets
import socket
import threading
from base64 import b64encode
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from formwork.lambda_host.gate_connection import GateConnection
from formwork.lambda_host.gate_rules import EscapedCall, GateRules, Opening
from formwork.lambda_host.trusted_certificates import trusted_by_the_system
from formwork.request_guard import API_HOSTS, SITE_HOSTS

_USER = "formwork"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Where HTTP clients look for a proxy, and for the certificates to trust: OpenSSL and Go, botocore, requests, curl.
_PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
_TRUST_VARIABLES = ("SSL_CERT_FILE", "AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_AUTHORITY = "authority.pem"
_BUNDLE = "trusted.pem"
# Runtimes whose HTTP clients take their proxy from the environment and tunnel through it as they should.
_PROXIED = ("go", "provided", "python")


class AwsGate:
    """A proxy on loopback until `close`; `environment` is what handler processes get to find it.

    With an `endpoint`, the URL of what stands in for AWS, calls for AWS's APIs arrive there with their own Host header:
    TLS ends here, by certificates of an authority made for this object. Without one, or without the `cryptography`
    library, they are refused. Other hosts are connected to, and what is sent to them is not read.
    """

    def __init__(
        self, endpoint: str | None, on_escape: Callable[[EscapedCall], None], *, cloudformation: str | None = None
    ) -> None:
        """Listen on 127.0.0.1; `on_escape` receives refused calls, `cloudformation` is another endpoint of that API."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        secret = secrets.token_urlsafe(24)
        self._url = f"http://{_USER}:{secret}@127.0.0.1:{self._listener.getsockname()[1]}"
        stand_ins = (urlsplit(url or "").hostname for url in (endpoint, cloudformation))
        self._direct_hosts = ",".join(dict.fromkeys(filter(None, (*_LOOPBACK, *stand_ins))))
        self._opening = _open(endpoint, cloudformation) if endpoint is not None else None
        self._folder = _write_certificates(self._opening) if self._opening is not None else None
        self._rules = GateRules(
            opening=self._opening,
            sealed=endpoint is None,
            authorization=f"Basic {b64encode(f'{_USER}:{secret}'.encode()).decode()}",
            on_escape=on_escape,
        )
        threading.Thread(target=self._accept, name="aws-gate", daemon=True).start()

    def environment(self, runtime: str) -> dict[str, str]:
        """What processes of a Lambda runtime need to find and trust it; {} for runtimes that are led otherwise."""
        if runtime.startswith("nodejs"):
            gate = {
                "url": self._url,
                "api": API_HOSTS.pattern,
                "sites": SITE_HOSTS.pattern,
                "open": bool(self._opening),
            }
            return {"FORMWORK_AWS_GATE": json.dumps(gate), **self._trust(("NODE_EXTRA_CA_CERTS",), _AUTHORITY)}
        if not runtime.startswith(_PROXIED):
            return {}
        proxy = dict.fromkeys(_PROXY_VARIABLES, self._url) | dict.fromkeys(("NO_PROXY", "no_proxy"), self._direct_hosts)
        return proxy | self._trust(_TRUST_VARIABLES, _BUNDLE)

    def close(self) -> None:
        """Let nothing more through; what is being sent ends with the processes that send it."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _trust(self, variables: tuple[str, ...], file: str) -> dict[str, str]:
        return dict.fromkeys(variables, str(Path(self._folder.name) / file)) if self._folder is not None else {}

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            serving = GateConnection(self._rules, connection)
            threading.Thread(target=serving.serve, name="aws-gate-call", daemon=True).start()


def _open(endpoint: str, cloudformation: str | None) -> Opening | None:
    """None without `cryptography`, which the base install lacks."""
    if find_spec("cryptography") is None:
        return None
    from formwork.lambda_host.run_authority import RunAuthority  # noqa: PLC0415 - see above

    return Opening(endpoint, RunAuthority(), cloudformation)


def _write_certificates(opening: Opening) -> "TemporaryDirectory[str]":
    """A folder with the authority's certificate, for Node, which adds it to those it trusts; and with all of them."""
    folder = TemporaryDirectory(prefix="formwork-trust-", ignore_cleanup_errors=True)
    certificate = opening.authority.certificate
    Path(folder.name, _AUTHORITY).write_bytes(certificate)
    Path(folder.name, _BUNDLE).write_bytes(trusted_by_the_system() + b"\n" + certificate)
    return folder
