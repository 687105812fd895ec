"""The certificate authorities that this machine trusts."""

import importlib.util
import ssl
from pathlib import Path

# Where systems keep the certificates that they trust; the places that Go's crypto/x509 looks at.
_SYSTEM_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


def trusted_by_the_system() -> bytes:
    """The certificates that this machine trusts, as PEM; else certifi's, where it is installed; b"" without either."""
    places = [ssl.get_default_verify_paths().cafile, *_SYSTEM_BUNDLES]
    for place in map(Path, filter(None, places)):
        if place.is_file():
            return place.read_bytes()
    found = importlib.util.find_spec("certifi")
    bundle = Path(found.origin).with_name("cacert.pem") if found and found.origin else None
    return bundle.read_bytes() if bundle and bundle.is_file() else b""
