"""The calls of an operation as faults name them, and the values that requests and replies contain."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote

from msgspec import Struct

from formwork.egress.cassettes.entries import NAMES
from formwork.egress.iam_actions import read_call
from formwork.egress.messages import Outgoing, Reply
from formwork.lambda_host.outgoing_calls import AwsCall

_SHORTEST = 3
_MOST_VALUES = 2000
_NOT_VALUES = frozenset({"Action", "Version"})  # of AWS's query protocol
# A segment of a path that names one thing of many: it has a digit, as generated ids do.
_GENERATED = re.compile(r"(?=.*\d)[A-Za-z0-9._~%-]{4,}|\d+")
_XML_TEXT = re.compile(r">([^<>]{3,})<")


class SeenCall(Struct, frozen=True):
    """A call of an operation.

    `name` is `iam CreateRole`, or `POST api.example.com/v1/things/{}`: equal for the same call with other ids. `reads`
    says that it changes nothing, `after_write` that an earlier call of the operation changed something. `content` is
    equal for requests that ask for the same.
    """

    name: str
    reads: bool
    after_write: bool
    content: str


class Observer:
    """Names the calls of one run; what earlier requests and replies contained tells ids from other parts of paths."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._has_written = False

    def begin(self) -> None:
        """Begin an operation."""
        self._has_written = False

    def see(self, outgoing: Outgoing) -> tuple[SeenCall, AwsCall | None]:
        """Return the call that a request makes, and the AWS operation if it is one."""
        aws = read_call(outgoing)
        reads = _reads(outgoing, aws)
        call = SeenCall(self._name(outgoing, aws), reads, self._has_written, _content(outgoing))
        self._has_written = self._has_written or not reads
        self.learn(values_of(outgoing.request.body))
        return call, aws

    def learn(self, values: Iterator[str]) -> None:
        """Note values that requests or replies contain."""
        for value in values:
            if len(self._known) >= _MOST_VALUES:
                return
            self._known.add(value)

    def _name(self, outgoing: Outgoing, aws: AwsCall | None) -> str:
        if aws is not None and aws.operation is not None:
            return f"{aws.service} {aws.operation}"
        segments = outgoing.path.split("/")
        plain = "/".join("{}" if self._is_id(each) else each for each in segments)
        method = outgoing.request.method
        return f"{method} {outgoing.host}{plain}" if aws is None else f"{aws.service} {method} {plain}"

    def _is_id(self, segment: str) -> bool:
        version = re.fullmatch(r"v\d+(\.\d+)?|\d{4}-\d\d-\d\d", segment)
        return version is None and (unquote(segment) in self._known or _GENERATED.fullmatch(segment) is not None)


def values_of(body: bytes) -> Iterator[str]:
    """Yield texts in a JSON, form or XML body that are long enough to identify a resource."""
    text = body.decode("utf-8", "replace")
    try:
        found = list(_strings(json.loads(text)))
    except ValueError:
        found = (
            [value for name, value in parse_qsl(text) if name not in _NOT_VALUES]
            if "=" in text[:200] and "<" not in text[:200]
            else []
        )
        found += _XML_TEXT.findall(text)
    yield from (each for each in found if len(each) >= _SHORTEST)


def texts_of(outgoing: Outgoing, reply: Reply | None = None) -> list[str]:
    """Return the distinct texts in a request and its reply that may identify a created resource."""
    request = outgoing.request
    segments = (unquote(each) for each in request.path.split("/"))
    found = [each for each in segments if len(each) >= _SHORTEST]
    found += [value for _, value in parse_qsl(request.query) if len(value) >= _SHORTEST]
    found += values_of(request.body)
    found += values_of(reply.body) if reply is not None else ()
    return list(dict.fromkeys(found))


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)
        case _:
            return


def _reads(outgoing: Outgoing, aws: AwsCall | None) -> bool:
    if aws is not None and aws.operation is not None:
        return aws.operation.lower().startswith(tuple(NAMES["reads"]["operations"]))
    return outgoing.request.method in NAMES["reads"]["methods"]


def _content(outgoing: Outgoing) -> str:
    request = outgoing.request
    asked = f"{outgoing.host}\n{request.method}\n{request.path}\n{request.query}".encode()
    return hashlib.sha256(asked + b"\n" + request.body).hexdigest()
