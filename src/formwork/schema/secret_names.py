"""Property names that say that a value is a secret."""

import re

_SECRET = re.compile(
    r"(?:password|passphrase|secret|apikey|privatekey|accesskey|credential)(?:value|string|text)?$", re.IGNORECASE
)


def names_a_secret(name: str) -> bool:
    """Whether a property of that name holds a password, a key or the like."""
    return _SECRET.search(name) is not None
