"""What a request to AWS asks for: the service and Region of its signature, and the operation by its protocol."""

import re
from urllib.parse import parse_qsl

from formwork.egress.messages import Outgoing
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AwsCall
from formwork.request_guard import API_HOSTS

# Signature Version 4 and its form without a Region (4a), in a header or in the query (presigned).
_SCOPE = re.compile(r"Credential=([^/,\s]+)/\d{8}/(?:([a-z0-9-]*)/)?([a-z0-9.-]+)/aws4_request")
_ACTION = re.compile(rb"(?:^|&)Action=([A-Za-z0-9]+)")
_CBOR_PATH = re.compile(r"/service/[A-Za-z0-9_.]+/operation/([A-Za-z0-9_]+)$")
_HEAD_BYTES = 4096
_GATEWAY = "execute-api"
_IOT_HOST = re.compile(r"iot(-fips)?\.[a-z0-9-]+\.amazonaws\.com(\.cn)?")


def read_aws_call(outgoing: Outgoing) -> AwsCall | None:
    """Return what the request asks of AWS; None where it is not signed for AWS and its host is not AWS's."""
    request = outgoing.request
    scope = _scope(request)
    if scope is None:
        if not API_HOSTS.fullmatch(outgoing.host):
            return None
        return AwsCall(outgoing.host.partition(".")[0], "", _named_operation(request))
    key, region, service = scope
    if service == _GATEWAY and _IOT_HOST.fullmatch(outgoing.host):
        service = "iot"  # SDKs of before 2021, and Java's of today, sign AWS IoT's requests as API Gateway's
    operation = _named_operation(request)
    if operation is None:
        from formwork.egress.rest_operations import rest_operation  # noqa: PLC0415 - REST protocols alone

        operation = rest_operation(outgoing, service)
    return AwsCall(service, region, operation, access_key=key)


def _scope(request: Request) -> tuple[str, str, str] | None:
    """Return access key, Region and service of the signature."""
    found = _SCOPE.search(request.headers.get("authorization", ""))
    if found is None and "X-Amz-Credential=" in request.query:
        given = dict(parse_qsl(request.query)).get("X-Amz-Credential", "")
        found = _SCOPE.search(f"Credential={given}")
    return None if found is None else (found[1], found[2] or "", found[3])


def _named_operation(request: Request) -> str | None:
    """Return the operation where the protocol names it: JSON's header, query's and EC2's Action, CBOR's path."""
    if target := request.headers.get("x-amz-target"):
        return target.rpartition(".")[2]
    if "form-urlencoded" in request.headers.get("content-type", ""):
        action = _ACTION.search(request.body[:_HEAD_BYTES])
        return action[1].decode() if action else None
    if "smithy-protocol" in request.headers and (found := _CBOR_PATH.search(request.path)):
        return found[1]
    given = dict(parse_qsl(request.query)).get("Action") if "Action=" in request.query else None
    return given if given is not None and given.isalnum() else None
