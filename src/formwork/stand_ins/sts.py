"""STS: who am I, and temporary credentials for a role of any local account."""

import math
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from formwork.api.caller import Caller
from formwork.api.dispatch import OperationTable
from formwork.api.wire import ApiError, validation_error
from formwork.aws.partitions import partition_of
from formwork.aws.temporary_keys import TemporaryKey, TemporaryKeys
from formwork.stand_ins.policies import expect_policy
from formwork.stand_ins.refusals import refuse_members

_ROLE = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):role/(?:[\w+=,.@-]+/)*([\w+=,.@-]{1,64})", re.ASCII)
_SESSION_SECONDS = 3600
_TOKEN_SECONDS = 12 * 3600
_PACKED_CHARACTERS = 2048  # of a session's policies and tags; AWS packs them before it measures


def sts_operations(keys: TemporaryKeys) -> OperationTable:
    """STS's operations."""

    def assume_role(caller: Caller, request: Mapping[str, Any]) -> Mapping[str, Any]:
        refuse_members(request, ("ProvidedContexts", "MinimumSessionTokenSize"), code="ValidationError")
        _check_device(request)
        packed = _packed_size(request)
        role = _ROLE.fullmatch(request["RoleArn"])
        if role is None:
            raise validation_error(f"{request['RoleArn']} is invalid")
        account, name = role.groups()
        session = request["RoleSessionName"]
        arn = f"arn:{partition_of(caller.region)}:sts::{account}:assumed-role/{name}/{session}"
        lifetime = timedelta(seconds=request.get("DurationSeconds", _SESSION_SECONDS))
        key = keys.give(account=account, arn=arn, lifetime=lifetime)
        user = {"AssumedRoleId": f"AROA{_unique(account)}:{session}", "Arn": arn}
        return {
            "Credentials": _credentials(key),
            "AssumedRoleUser": user,
            "PackedPolicySize": packed,
            "SourceIdentity": request.get("SourceIdentity"),
        }

    def get_session_token(caller: Caller, request: Mapping[str, Any]) -> Mapping[str, Any]:
        refuse_members(request, ("MinimumSessionTokenSize",), code="ValidationError")
        _check_device(request)
        lifetime = timedelta(seconds=request.get("DurationSeconds", _TOKEN_SECONDS))
        return {"Credentials": _credentials(keys.give(account=caller.account, arn=caller.arn, lifetime=lifetime))}

    return {
        ("sts", "GetCallerIdentity"): _get_caller_identity,
        ("sts", "AssumeRole"): assume_role,
        ("sts", "GetSessionToken"): get_session_token,
    }


def _check_device(request: Mapping[str, Any]) -> None:
    """Refuse half of what an MFA device gives; whether the other half is right, only AWS can know."""
    if ("SerialNumber" in request) is not ("TokenCode" in request):
        message = "MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code."
        raise ApiError("AccessDenied", message, status=403)


def _packed_size(request: Mapping[str, Any]) -> int:
    """Return how much of their limit the session's policies and tags take, in percent.

    Raises:
        ApiError: it is too much, a tag is there twice or is transitive without being there, or the policy is not JSON.
    """
    tags = {each["Key"].lower(): each["Value"] for each in request.get("Tags", ())}
    if len(tags) < len(request.get("Tags", ())):
        raise ApiError("InvalidInput", "Duplicate tag keys found. Please note that Tag keys are case insensitive.")
    if strangers := [each for each in request.get("TransitiveTagKeys", ()) if each.lower() not in tags]:
        raise validation_error(f"TransitiveTagKeys that are not among the keys of Tags: {', '.join(strangers)}")
    policy = request.get("Policy", "")
    if policy:
        expect_policy(policy)
    arns = [each.get("arn", "") for each in request.get("PolicyArns", ())]
    texts = [policy, *arns, *tags, *tags.values()]
    percent = math.ceil(100 * sum(map(len, texts)) / _PACKED_CHARACTERS)
    if percent > 100:
        message = f"Packed policy consumes {percent}% of allotted space, please use smaller policy."
        raise ApiError("PackedPolicyTooLarge", message)
    return percent


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
