"""Tokens that the registry gives."""

import uuid


def new_token() -> str:
    """A token for a registration or a test, as AWS's look."""
    return str(uuid.uuid4())
