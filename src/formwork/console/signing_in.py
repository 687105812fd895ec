"""Signing in with an access key, where the server requires one."""

import hmac
from collections.abc import Mapping

from formwork.diagnostics.secrets import Secret


def find_key(keys: Mapping[str, Secret], key_id: str, secret: str) -> bool:
    """Return whether this access key may call the server, and the secret is its own."""
    known = keys.get(key_id)
    expected = secret if known is None else known.reveal()
    return hmac.compare_digest(expected.encode(), secret.encode()) and known is not None
