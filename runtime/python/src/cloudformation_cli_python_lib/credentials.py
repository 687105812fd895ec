"""Temporary AWS credentials as requests carry them.

A resource request carries an object, a hook request the same object as JSON text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Credentials:
    """One set of credentials; `sessionToken` is None only for long-lived keys, which CloudFormation never sends."""

    __slots__ = ("accessKeyId", "secretAccessKey", "sessionToken")

    def __init__(
        self,
        accessKeyId: str,  # noqa: N803 - the names of the wire
        secretAccessKey: str,  # noqa: N803
        sessionToken: str | None = None,  # noqa: N803
    ) -> None:
        self.accessKeyId = accessKeyId
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken

    def __repr__(self) -> str:
        return "Credentials(********)"

    def secrets(self) -> Iterable[str]:
        """The values that must not be shown."""
        return (value for value in (self.accessKeyId, self.secretAccessKey, self.sessionToken) if value)


def parse_credentials(value: Any, place: str) -> Credentials | None:
    """The credentials of one request member, or None where there are none; members of newer callers are ignored.

    Raises ValueError, naming the place and no value, for what is neither.
    """
    if isinstance(value, str) and value:
        import json  # noqa: PLC0415 - only hooks' credentials are text

        try:
            value = json.loads(value)
        except ValueError:
            raise ValueError(f"{place} is not a JSON document; encrypted credentials are not supported") from None
    if not value:
        return None
    if not isinstance(value, Mapping):
        raise ValueError(  # noqa: TRY004 - wrong input, not a wrong call
            f"{place} must be an object with accessKeyId, secretAccessKey and sessionToken"
        )
    for name in ("accessKeyId", "secretAccessKey"):
        if not isinstance(value.get(name), str) or not value[name]:
            raise ValueError(f"{place} lacks {name}")
    session_token = value.get("sessionToken")
    return Credentials(value["accessKeyId"], value["secretAccessKey"], session_token and str(session_token))
