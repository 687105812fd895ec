"""Who calls: the account and region that a call works in, told by its signature."""

import re
from dataclasses import dataclass

# The account of every access key that names none, and the region of a signature that names none.
DEFAULT_ACCOUNT = "123456789012"
DEFAULT_REGION = "us-east-1"

_ACCOUNT = re.compile(r"\d{12}", re.ASCII)
# A key that AssumeRole gave: AWS's prefix of temporary keys, the account, four characters to tell them apart.
_TEMPORARY = re.compile(r"ASIA(\d{12})[A-Z0-9]{4}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and where."""

    account: str
    region: str
    access_key_id: str
    arn: str


def account_of_key(access_key_id: str) -> str:
    """The account of an access key: the one it names (twelve digits, or a temporary key), else the default."""
    if _ACCOUNT.fullmatch(access_key_id):
        return access_key_id
    temporary = _TEMPORARY.fullmatch(access_key_id)
    return temporary[1] if temporary else DEFAULT_ACCOUNT


def is_temporary(access_key_id: str) -> bool:
    """Whether AssumeRole gave this key."""
    return _TEMPORARY.fullmatch(access_key_id) is not None
