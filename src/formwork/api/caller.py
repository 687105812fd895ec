"""The caller of an operation, from the request's signature: its account, Region and ARN."""

import re

from msgspec import Struct

# The account of access keys that contain none, and the Region of signatures that contain none.
DEFAULT_ACCOUNT = "123456789012"
DEFAULT_REGION = "us-east-1"

_ACCOUNT = re.compile(r"\d{12}", re.ASCII)
# A key of AssumeRole: AWS's prefix of temporary keys, the account, four random characters.
_TEMPORARY = re.compile(r"ASIA(\d{12})[A-Z0-9]{4}", re.ASCII)


class Caller(Struct, frozen=True):
    """The caller of an operation, and the Region that it calls."""

    account: str
    region: str
    access_key_id: str
    arn: str


def account_of_key(access_key_id: str) -> str:
    """Return the account that an access key contains (as twelve digits, or in a temporary key), else the default."""
    if _ACCOUNT.fullmatch(access_key_id):
        return access_key_id
    temporary = _TEMPORARY.fullmatch(access_key_id)
    return temporary[1] if temporary else DEFAULT_ACCOUNT


def is_temporary(access_key_id: str) -> bool:
    """Return whether this is a key of AssumeRole."""
    return _TEMPORARY.fullmatch(access_key_id) is not None
