"""Recorded replies as this run receives them: with its own generated names, and with expiries that are to come."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from formwork.egress.cassettes.entries import BodyKind, RecordedReply
from formwork.egress.cassettes.pieces import NameBindings

_AHEAD_SECONDS = 3600
_EXPIRY = re.compile(r"expir(?:ation|y|es)(?:_?(?:at|time|date|on))?$", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_ELEMENT = re.compile(rf"(<([A-Za-z]*(?:Expir)[A-Za-z]*)>)({_DATE.pattern})(?=</\2>)")
_EPOCH = range(1_500_000_000, 4_000_000_000)


def in_this_run(reply: RecordedReply, bindings: NameBindings) -> RecordedReply:
    """Return a reply with generated values of the recording replaced by this run's, and with expiries moved."""
    headers = tuple((name, bindings.in_this_run(value)) for name, value in reply.headers)
    body = reply.body
    match body.kind:
        case BodyKind.JSON:
            body = replace(body, value=_value(body.value, bindings.in_this_run))
        case BodyKind.TEXT:
            text = _ELEMENT.sub(lambda found: f"{found[1]}{_later()}", body.value)
            body = replace(body, value=bindings.in_this_run(text))
        case _:
            pass
    return RecordedReply(reply.status, headers, body)


def _value(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {change(name): _member(name, member, change) for name, member in value.items()}
        case list():
            return [_value(each, change) for each in value]
        case _:
            return value


def _member(name: str, value: Any, change: Callable[[str], str]) -> Any:
    if _EXPIRY.search(name):
        if isinstance(value, str) and _DATE.fullmatch(value):
            return _later()
        if isinstance(value, int | float) and not isinstance(value, bool) and int(value) in _EPOCH:
            return type(value)(time.time() + _AHEAD_SECONDS)
    return _value(value, change)


def _later() -> str:
    return datetime.fromtimestamp(time.time() + _AHEAD_SECONDS, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
