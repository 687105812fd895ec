"""The IAM actions that a policy must allow for a call of AWS."""

import functools
import json
import re
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.egress.aws_calls import read_aws_call
from formwork.egress.messages import Outgoing
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AwsCall

_PLACE = Path(__file__)
_ROLE = re.compile(rb"arn(:|%3[Aa])aws[a-z-]*\1iam\1\1\d{12}\1(role|instance-profile)(/|%2[Ff])")
# What else S3 asks for where a request has the header.
_S3_HEADERS = (
    (re.compile("x-amz-acl|x-amz-grant-.*"), "PutObjectAcl"),
    (re.compile("x-amz-tagging"), "PutObjectTagging"),
    (re.compile("x-amz-object-lock-(mode|retain-until-date)"), "PutObjectRetention"),
    (re.compile("x-amz-object-lock-legal-hold"), "PutObjectLegalHold"),
)
_S3_WRITES = frozenset({"PutObject", "CopyObject", "CreateMultipartUpload"})
# Actions of S3 that have another name for a version of an object.
_S3_VERSIONED = frozenset(
    {"DeleteObject", "DeleteObjectTagging", "GetObject", "GetObjectAcl", "GetObjectTagging", "PutObjectAcl"}
    | {"PutObjectTagging"}
)


class ActionTable(Struct, frozen=True):
    """What is known of the names of actions beyond those of operations."""

    prefixes: dict[str, str]
    operations: dict[str, dict[str, list[str]]]
    unnamed: dict[str, frozenset[str]]
    passing_roles: frozenset[str]


def read_call(outgoing: Outgoing) -> AwsCall | None:
    """Return what the request asks of AWS, with its actions; None where it is not a call of AWS."""
    call = read_aws_call(outgoing)
    return None if call is None else replace(call, actions=actions_of(call, outgoing.request))


def actions_of(call: AwsCall, request: Request) -> tuple[str, ...]:
    """Return the actions that a policy must allow for the call, such as `s3:PutObject`; () where they are not known.

    Source: the Service Authorization Reference.
    """
    table = action_table()
    prefix = table.prefixes.get(call.service, call.service)
    if prefix == "apigateway":  # its actions are the methods of HTTP
        return (f"apigateway:{request.method}",)
    if call.operation is None or call.operation in table.unnamed.get(prefix, ()):
        return ()
    names = table.operations.get(prefix, {}).get(call.operation, [call.operation])
    if prefix == "s3":
        names = _s3_names(names, call.operation, request)
    found = [f"{prefix}:{name}" for name in names]
    if f"{call.service} {call.operation}" in table.passing_roles and _ROLE.search(request.body):
        found.append("iam:PassRole")
    return tuple(found)


def needs_no_permission(call: AwsCall) -> bool:
    """Return whether every caller may make the call, whatever its policies say."""
    table = action_table()
    return table.operations.get(table.prefixes.get(call.service, call.service), {}).get(call.operation or "") == []


def _s3_names(names: list[str], operation: str, request: Request) -> list[str]:
    if "versionid=" in request.query.lower():
        names = [name.replace("Object", "ObjectVersion") if name in _S3_VERSIONED else name for name in names]
    if operation in _S3_WRITES:
        more = [name for pattern, name in _S3_HEADERS if any(map(pattern.fullmatch, request.headers))]
        names = [*names, *more]
    return names


@functools.cache
def action_table() -> ActionTable:
    """Return the table, read once."""
    import tomllib  # noqa: PLC0415 - few runs call AWS

    given: dict[str, Any] = tomllib.loads(_PLACE.with_suffix(".toml").read_text(encoding="utf-8"))
    unnamed = json.loads(_PLACE.with_name("unnamed_operations.json").read_text(encoding="utf-8"))
    return ActionTable(
        given["prefixes"],
        given["operations"],
        {prefix: frozenset(names) for prefix, names in unnamed.items()},
        frozenset(given["passing_roles"]),
    )
