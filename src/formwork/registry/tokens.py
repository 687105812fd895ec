"""Tokens that the registry gives."""

import uuid


def new_token() -> str:
    """Return a token for a registration or a test, as AWS's look."""
    return str(uuid.uuid4())
