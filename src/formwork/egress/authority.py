"""A certificate authority for one run: what lets this process answer TLS calls that were meant for other hosts.

Its private key exists in memory only and is gone with the object. Its certificate is constrained to the domains that it
is made for, so that a process that trusts it trusts nothing else because of it. The module needs the `cryptography`
library, which the base install lacks: import it only where that is installed.
"""

import contextlib
import datetime as dt
import ipaddress
import os
import re
import ssl
import tempfile
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# Long enough for a server that is left running; the key is gone long before.
_DAYS = 397
_CLOCK_SKEW = dt.timedelta(hours=1)
_NAME = "Formwork, for one run"


class RunAuthority:
    """Certifies hosts of `domains` with a key made for this object; safe to use from several threads."""

    def __init__(self, domains: Iterable[str]) -> None:
        """`domains` are DNS names, each with all below it, and IP addresses."""
        self._lock = threading.Lock()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._host_key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _NAME)])
        permitted = [_general_name(each, network=True) for each in domains]
        self._certificate = self._sign(
            self._name,
            self._key.public_key(),
            [
                (x509.BasicConstraints(ca=True, path_length=0), True),
                (_key_usage(certifies=True), True),
                (x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), True),
            ],
        )

    def java_trust_store(self, password: str, others: bytes = b"") -> bytes:
        """Return a trust store in the format PKCS #12, as a JVM reads it, with the certificate and `others` (PEM)."""
        from cryptography.hazmat.primitives.serialization import pkcs12  # noqa: PLC0415 - for Java alone

        trusted = [x509.load_pem_x509_certificate(self._certificate), *_readable(others)]
        entries = [pkcs12.PKCS12Certificate(each, b"%d" % number) for number, each in enumerate(trusted)]
        return pkcs12.serialize_java_truststore(entries, serialization.BestAvailableEncryption(password.encode()))

    @property
    def certificate(self) -> bytes:
        """The authority's own certificate, as PEM."""
        return self._certificate

    def server_context(self, host: str) -> ssl.SSLContext:
        """Return a TLS server context with a certificate for `host`."""
        host = host.lower().rstrip(".")
        with self._lock:
            found = self._contexts.get(host)
            if found is None:
                found = self._contexts[host] = self._make_context(host)
            return found

    def _make_context(self, host: str) -> ssl.SSLContext:
        certificate = self._sign(
            x509.Name([]),  # a common name has 64 characters at most, and clients read the alternative name alone
            self._host_key.public_key(),
            [
                (x509.BasicConstraints(ca=False, path_length=None), True),
                (_key_usage(certifies=False), True),
                (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
                (x509.SubjectAlternativeName([_general_name(host)]), True),
            ],
        )
        key = self._host_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        _load(context, certificate + key)
        return context

    def _sign(
        self,
        subject: x509.Name,
        public_key: ec.EllipticCurvePublicKey,
        extensions: Sequence[tuple[x509.ExtensionType, bool]],
    ) -> bytes:
        """Return a certificate as PEM, signed with the authority's key."""
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _CLOCK_SKEW)
            .not_valid_after(now + dt.timedelta(days=_DAYS))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical=critical)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _readable(bundle: bytes) -> Iterator[x509.Certificate]:
    """Yield the certificates of a PEM text that the library reads: systems trust some that break today's rules."""
    for each in re.findall(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", bundle, re.DOTALL):
        with warnings.catch_warnings(), contextlib.suppress(ValueError):
            warnings.simplefilter("ignore")
            yield x509.load_pem_x509_certificate(each)


def _general_name(host: str, *, network: bool = False) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_network(host) if network else ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _key_usage(*, certifies: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certifies,
        key_cert_sign=certifies,
        crl_sign=certifies,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _load(context: ssl.SSLContext, chain: bytes) -> None:
    """Give `context` a certificate and its key, which `ssl` takes from a file alone.

    The file is one in memory; where there is no such thing, in a folder that only this user enters, and gone when this
    returns. Its key is a host's, not the authority's.
    """
    if hasattr(os, "memfd_create"):
        with os.fdopen(os.memfd_create("formwork-tls"), "wb") as memory:
            memory.write(chain)
            memory.flush()
            context.load_cert_chain(f"/proc/self/fd/{memory.fileno()}")
        return
    with tempfile.TemporaryDirectory(prefix="formwork-tls-") as folder:
        place = Path(folder) / "host.pem"
        place.touch(0o600, exist_ok=False)
        place.write_bytes(chain)
        context.load_cert_chain(place)
