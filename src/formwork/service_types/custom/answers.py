"""Answers of custom resources' functions, as they come in and as they are read.

Source: CloudFormation user guide, "Custom resource response objects"; the texts are the service's.
"""

import hmac
import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.durable import Database
from formwork.service_types.custom.asking import Expected, parse_response_url
from formwork.stacks.errors import StackError
from formwork.stacks.store.signals import EXPECTED, FAILURE, SUCCESS, SignalRecord, find_signal, write_signal

_MOST_BYTES = 4096
_NOBODY = ""  # the resource that rows of answers belong to: none signals it


class FunctionAnswer(Struct, frozen=True):
    """The response of a function: `reason` of a failure, the physical id, the values for `Fn::GetAtt`.

    `no_echo` masks the values wherever they are shown.
    """

    succeeded: bool
    reason: str
    physical_id: str | None
    data: Mapping[str, Any]
    no_echo: bool = False


class CustomResourceAnswers:
    """Stores expected and received responses of functions in the engine's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def expect(self, expected: Expected, now: float) -> None:
        """Record that a response is expected; does nothing if it is recorded already."""
        with self._database.begin() as connection:
            if find_signal(connection, expected.stack_id, _NOBODY, expected.request_id) is None:
                waiting = SignalRecord(
                    expected.stack_id, _NOBODY, expected.request_id, EXPECTED, now, data=expected.signature
                )
                write_signal(connection, waiting)

    def find(self, expected: Expected) -> FunctionAnswer | None:
        """Return the response, None until it is received."""
        with self._database.read() as connection:
            found = find_signal(connection, expected.stack_id, _NOBODY, expected.request_id)
        if found is None or found.status == EXPECTED:
            return None
        return _read(json.loads(found.data or "{}"), found.reason)

    def receive(self, place: str, body: bytes, now: float) -> None:
        """Store what a function put at its response URL; a second response is ignored.

        Raises:
            StackError: no response is expected at the URL, or its signature does not match.
        """
        named = parse_response_url(place)
        with self._database.begin() as connection:
            known = None if named is None else find_signal(connection, named.stack_id, _NOBODY, named.request_id)
            if named is None or known is None:
                raise StackError("No response is expected at this URL", code="AccessDenied", status=403)
            if known.status != EXPECTED:
                return
            if not hmac.compare_digest((known.data or "").encode(), named.signature.encode()):
                raise StackError("The request signature does not match", code="SignatureDoesNotMatch", status=403)
            value, problem = _parse(body)
            status = SUCCESS if value.get("Status") == SUCCESS and problem is None else FAILURE
            answer = SignalRecord(
                named.stack_id, _NOBODY, named.request_id, status, now, problem, json.dumps(value, ensure_ascii=False)
            )
            write_signal(connection, answer)


def _parse(body: bytes) -> tuple[dict[str, Any], str | None]:
    """Return the object in the body, and its error or None."""
    if len(body) > _MOST_BYTES:
        return {}, "Response object is too long."
    try:
        value = json.loads(body)
    except ValueError:
        return {}, "Invalid Response object: it is not valid JSON"
    if not isinstance(value, dict):
        return {}, "Invalid Response object: it is not a JSON object"
    problem = None
    if value.get("Status") not in {SUCCESS, "FAILED"}:
        problem = "Invalid Response object: Value of property Status must be SUCCESS or FAILED"
    elif not isinstance(value.get("Data") or {}, dict):
        problem = "Invalid Response object: Value of property Data must be an object"
    elif value["Status"] == SUCCESS and not isinstance(value.get("PhysicalResourceId"), str):
        problem = "Invalid Response object: Value of property PhysicalResourceId must be of type String"
    return value, problem


def _read(value: Mapping[str, Any], problem: str | None) -> FunctionAnswer:
    physical_id = value.get("PhysicalResourceId")
    known = physical_id if isinstance(physical_id, str) and physical_id else None
    if problem is not None:
        return FunctionAnswer(succeeded=False, reason=problem, physical_id=known, data={})
    succeeded = value.get("Status") == SUCCESS
    told = f"Received response status [FAILED] from custom resource. Message returned: {value.get('Reason', '')}"
    reason = "" if succeeded else f"{told} (RequestId: {value.get('RequestId', '')})"
    return FunctionAnswer(
        succeeded=succeeded,
        reason=reason,
        physical_id=known,
        data=value.get("Data") or {},
        no_echo=value.get("NoEcho") is True,
    )
