"""Temporary credentials, as AssumeRole returns them.

The session token contains their principal and expiry, authenticated with a seed, and the secret is derived from it. All
processes of one state have the seed, so each recognises the credentials of the others, also after a restart.
"""

import base64
import binascii
import hmac
import json
import secrets
import string
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from formwork.diagnostics.secrets import Secret

_ALPHABET = string.ascii_uppercase + string.digits
_DIGEST_BYTES = 32
SESSIONS = "sessions"  # the purpose of a state's key that is the seed


class TemporaryKey(Struct, frozen=True):
    """Temporary credentials; `arn` is their principal."""

    access_key_id: str
    secret: Secret
    token: Secret
    arn: str
    expires: datetime


class TemporaryKeys:
    """Issues temporary credentials, and recognises those of the same seed, which is random where none is given."""

    def __init__(self, seed: bytes | None = None) -> None:
        self._seed = seed or secrets.token_bytes(_DIGEST_BYTES)

    def give(self, *, account: str, arn: str, lifetime: timedelta) -> TemporaryKey:
        """Return new credentials of `account`, for the principal `arn`."""
        expires = (datetime.now(UTC) + lifetime).replace(microsecond=0)
        name = f"ASIA{account}{''.join(secrets.choice(_ALPHABET) for _ in range(4))}"
        claims = json.dumps([name, arn, int(expires.timestamp()), secrets.token_hex(8)]).encode()
        token = base64.b64encode(self._digest(b"token", claims) + claims).decode()
        return TemporaryKey(name, self._secret(claims), Secret(token), arn, expires)

    def get(self, access_key_id: str, token: str | None) -> TemporaryKey | None:
        """Return the credentials with that key and token; None where they are unknown or have expired."""
        try:
            content = base64.b64decode(token or "", validate=True)
        except (binascii.Error, ValueError):
            return None
        digest, claims = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if not hmac.compare_digest(digest, self._digest(b"token", claims)):
            return None
        name, arn, end, _ = json.loads(claims)
        expires = datetime.fromtimestamp(end, UTC)
        if name != access_key_id or expires <= datetime.now(UTC):
            return None
        return TemporaryKey(name, self._secret(claims), Secret(token or ""), arn, expires)

    def _secret(self, claims: bytes) -> Secret:
        return Secret(base64.b64encode(self._digest(b"secret", claims)).decode()[:40])

    def _digest(self, purpose: bytes, claims: bytes) -> bytes:
        return hmac.digest(self._seed, purpose + claims, "sha256")
