"""Signing in with an access key, where the server requires one: a kept key, or temporary credentials of STS."""

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct

from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics.secrets import Secret


class SessionKey(Struct, frozen=True):
    """The access key that a session acts with.

    Of temporary credentials `arn` is the principal, and `seconds` the time after which they expire; None for others.
    """

    key_id: str
    arn: str | None = None
    seconds: float | None = None


def find_key(
    keys: Mapping[str, Secret], temporary: TemporaryKeys, key_id: str, secret: str, token: str
) -> SessionKey | None:
    """Return the key, None where it may not call the server, or the secret or the session token is not its own."""
    if token:
        given = temporary.get(key_id, token)
        if given is None or not hmac.compare_digest(given.secret.reveal().encode(), secret.encode()):
            return None
        return SessionKey(key_id, given.arn, (given.expires - datetime.now(UTC)).total_seconds())
    known = keys.get(key_id)
    expected = secret if known is None else known.reveal()
    fits = hmac.compare_digest(expected.encode(), secret.encode()) and known is not None
    return SessionKey(key_id) if fits else None
