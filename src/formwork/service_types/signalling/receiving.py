"""Signals as they come in: through SignalResource, and at the URLs of wait condition handles."""

import hmac
import json
from typing import Any

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.service_types.signalling.handles import parse_handle
from formwork.stacks.errors import StackError
from formwork.stacks.store.operations import get_operation
from formwork.stacks.store.records import StackRecord
from formwork.stacks.store.resources import get_resource
from formwork.stacks.store.signals import FAILURE, SUCCESS, SignalRecord, write_signal

_MOST_ID = 255


class Signals:
    """Receives signals for an engine's resources. Every method raises StackError for what is refused."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def signal_resource(self, scope: Scope, stack_name: str, logical_id: str, unique_id: str, status: str) -> None:
        """Signal a resource that is being created (SignalResource)."""
        stack = self._engine.lookups.describe_stack(scope, stack_name)
        with self._engine.database.begin() as connection:
            resource = get_resource(connection, stack.id, logical_id)
            if resource is None and not self._is_being_made(stack, logical_id):
                raise StackError(f"Resource {logical_id} does not exist for stack {stack.name}")
            if resource is not None and not resource.status.endswith("_IN_PROGRESS"):
                raise StackError(f"Resource {logical_id} is in {resource.status} state and cannot be signaled")
            write_signal(connection, SignalRecord(stack.id, logical_id, unique_id, status, self._engine.settings.now()))

    def _is_being_made(self, stack: StackRecord, logical_id: str) -> bool:
        """Return whether the operation in progress creates the resource, which has no physical id yet."""
        if not stack.status.busy or stack.operation_id is None:
            return False
        with self._engine.database.read() as connection:
            target = get_operation(connection, stack.operation_id).target
        return target is not None and logical_id in target.template["Resources"]

    def receive(self, place: str, body: bytes) -> None:
        """Store the signal put at the URL of a wait condition handle; `place` is its path with the query."""
        handle = parse_handle(place)
        if handle is None:
            raise StackError("This is not the URL of a wait condition handle", code="AccessDenied", status=403)
        signal = _read_signal(body)
        now = self._engine.settings.now()
        with self._engine.database.begin() as connection:
            known = get_resource(connection, handle.stack_id, handle.logical_id)
            given = None if known is None or known.physical_id is None else parse_handle(known.physical_id)
            if given is None or not hmac.compare_digest(given.signature.encode(), handle.signature.encode()):
                raise StackError("The request signature does not match", code="SignatureDoesNotMatch", status=403)
            if now > given.expires:
                raise StackError("Request has expired", code="AccessDenied", status=403)
            write_signal(
                connection,
                SignalRecord(
                    handle.stack_id,
                    handle.logical_id,
                    signal["UniqueId"],
                    signal["Status"],
                    now,
                    signal.get("Reason"),
                    signal.get("Data"),
                ),
            )


def _read_signal(body: bytes) -> dict[str, str]:
    """Return the members of a signal: Status, UniqueId, and perhaps Reason and Data."""
    try:
        value: Any = json.loads(body)
    except ValueError as error:
        raise _malformed("it is not valid JSON") from error
    if not isinstance(value, dict):
        raise _malformed("it is not a JSON object")
    if value.get("Status") not in {SUCCESS, FAILURE}:
        raise _malformed(f"Status must be {SUCCESS} or {FAILURE}")
    if not isinstance(value.get("UniqueId"), str) or not 0 < len(value["UniqueId"]) <= _MOST_ID:
        raise _malformed(f"UniqueId must be a text of at most {_MOST_ID} characters")
    data = value.get("Data")
    if data is not None and not isinstance(data, str):
        data = json.dumps(data)
    reason = value.get("Reason")
    return {
        "Status": value["Status"],
        "UniqueId": value["UniqueId"],
        **({} if reason is None else {"Reason": str(reason)}),
        **({} if data is None else {"Data": data}),
    }


def _malformed(why: str) -> StackError:
    form = '{"Status": "SUCCESS", "UniqueId": "…", "Data": "…", "Reason": "…"}'
    return StackError(f"The signal can't be read: {why}. Send {form}", code="InvalidRequest")
