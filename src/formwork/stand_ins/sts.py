"""STS: who am I, and temporary credentials for a role of any local account."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from formwork.api.caller import Caller
from formwork.api.dispatch import OperationTable
from formwork.api.wire import validation_error
from formwork.aws.partitions import partition_of
from formwork.aws.temporary_keys import TemporaryKey, TemporaryKeys

_ROLE = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):role/(?:[\w+=,.@-]+/)*([\w+=,.@-]{1,64})", re.ASCII)
_SESSION_SECONDS = 3600
_TOKEN_SECONDS = 12 * 3600


def sts_operations(keys: TemporaryKeys) -> OperationTable:
    """STS's operations."""

    def assume_role(caller: Caller, request: Mapping[str, Any]) -> Mapping[str, Any]:
        role = _ROLE.fullmatch(request["RoleArn"])
        if role is None:
            raise validation_error(f"{request['RoleArn']} is invalid")
        account, name = role.groups()
        session = request["RoleSessionName"]
        arn = f"arn:{partition_of(caller.region)}:sts::{account}:assumed-role/{name}/{session}"
        lifetime = timedelta(seconds=request.get("DurationSeconds", _SESSION_SECONDS))
        key = keys.give(account=account, arn=arn, lifetime=lifetime)
        user = {"AssumedRoleId": f"AROA{_unique(account)}:{session}", "Arn": arn}
        return {"Credentials": _credentials(key), "AssumedRoleUser": user, "PackedPolicySize": 0}

    def get_session_token(caller: Caller, request: Mapping[str, Any]) -> Mapping[str, Any]:
        lifetime = timedelta(seconds=request.get("DurationSeconds", _TOKEN_SECONDS))
        return {"Credentials": _credentials(keys.give(account=caller.account, arn=caller.arn, lifetime=lifetime))}

    return {
        ("sts", "GetCallerIdentity"): _get_caller_identity,
        ("sts", "AssumeRole"): assume_role,
        ("sts", "GetSessionToken"): get_session_token,
    }


def _get_caller_identity(caller: Caller, _request: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"UserId": f"AIDA{_unique(caller.account)}", "Account": caller.account, "Arn": caller.arn}


def _credentials(key: TemporaryKey) -> Mapping[str, Any]:
    return {
        "AccessKeyId": key.access_key_id,
        "SecretAccessKey": key.secret.reveal(),
        "SessionToken": key.token.reveal(),
        "Expiration": key.expires,
    }


def _unique(account: str) -> str:
    """Sixteen characters, as the unique ids of IAM have them."""
    return f"FORM{account}"
