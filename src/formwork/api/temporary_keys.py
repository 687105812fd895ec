"""Temporary credentials as AssumeRole gives them: they name their account, and are good for this process."""

import base64
import hmac
import secrets
import string
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from formwork.diagnostics.secrets import Secret

_ALPHABET = string.ascii_uppercase + string.digits


@dataclass(frozen=True, slots=True)
class TemporaryKey:
    """Credentials for a while; `arn` is whom they stand for."""

    access_key_id: str
    secret: Secret
    token: Secret
    arn: str
    expires: datetime


class TemporaryKeys:
    """Gives temporary credentials, and knows those that it gave. Safe to use from several threads."""

    def __init__(self) -> None:
        self._seed = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._given: dict[str, TemporaryKey] = {}

    def give(self, *, account: str, arn: str, lifetime: timedelta) -> TemporaryKey:
        """New credentials that work in `account` and stand for `arn`."""
        now = datetime.now(UTC)
        with self._lock:
            self._given = {name: key for name, key in self._given.items() if key.expires > now}
            while (name := f"ASIA{account}{''.join(secrets.choice(_ALPHABET) for _ in range(4))}") in self._given:
                pass
            secret, token = self._derive(b"secret", name, 40), self._derive(b"token", name, 88)
            key = TemporaryKey(name, secret, token, arn, now + lifetime)
            self._given[name] = key
        return key

    def get(self, access_key_id: str) -> TemporaryKey | None:
        """The credentials with that key, while they are good."""
        with self._lock:
            key = self._given.get(access_key_id)
        return key if key is not None and key.expires > datetime.now(UTC) else None

    def _derive(self, purpose: bytes, name: str, length: int) -> Secret:
        digest = hmac.digest(self._seed, purpose + name.encode(), "sha512")
        return Secret(base64.b64encode(digest).decode()[:length])
