"""Recorded calls without secrets: credentials by their names and forms, and copies of them wherever they are.

What a request or a reply has under a name that says that it is secret is remembered, and masked in every other place of
the cassette too, in every escape and encoding that `diagnostics.secret_forms` finds.
"""

import base64
import binascii
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from formwork.diagnostics.secret_forms import SHORTEST_ANYWHERE, leaf_texts
from formwork.diagnostics.secrets import MASK, mask_text
from formwork.documents.bounds import nests_deeper
from formwork.egress.cassettes.entries import NAMES, Body, BodyKind, RecordedCall, RecordedReply, RecordedRequest
from formwork.egress.messages import Outgoing, Reply
from formwork.schema.secret_names import names_a_secret

# What is a credential by its form.
_FORMS = (
    re.compile(r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL),
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),
    re.compile(r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/-]{8,}=*"),
)
_ELEMENT = re.compile(r"<([A-Za-z][A-Za-z0-9_.:-]*)>([^<]+)</\1>")
_CREDENTIAL_HEADERS = ("authorization", "proxy-authorization", "cookie", "x-amz-security-token")
_PARAMETER = re.compile(r"=\"?([^\s,;\"]{16,})")  # of `Authorization: Scheme name="value", …`
_SIGNED = ("signature", "sig", "awsaccesskeyid")
_SIGNATURE = re.compile(r"AWS4-[A-Z0-9-]+ Credential=([^/\s]+)")
_DEEPEST = 50
_LEAST_SECRET = 8  # of what is remembered because of where it was: shorter ones are words


class CallMasker:
    """Masks calls; `mask` masks what the run knows to be secret in a text. Threads may share it."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        self._mask = mask
        self._learned: set[str] = set()
        self._lock = threading.Lock()

    def learn(self, outgoing: Outgoing, request: RecordedRequest, reply: Reply, recorded: RecordedReply) -> None:
        """Remember the credentials in a call."""
        found = {*_header_secrets(outgoing.request.headers), *_query_secrets(outgoing.request.query)}
        for name, value in reply.headers:
            if name.lower() == "set-cookie":
                found.add(value.partition(";")[0].partition("=")[2])
            elif names_a_secret(name):
                found.add(value)
        found |= {*_named(request.query, in_query=True), *_named_in(request.body), *_named_in(recorded.body)}
        with self._lock:
            self._learned |= {each for each in found if len(each) >= _LEAST_SECRET and each.strip("*")}

    def masked(self, call: RecordedCall) -> RecordedCall:
        """Return a call without the secrets that are known now."""
        request, reply = call.request, call.reply
        return RecordedCall(
            RecordedRequest(
                method=request.method,
                url=self._text(request.url),
                query=self._members(request.query, in_query=True),
                headers={name: self._text(value) for name, value in request.headers.items()},
                body=self._body(request.body, in_query=True),
            ),
            RecordedReply(
                status=reply.status,
                headers=tuple(
                    (self._text(name), MASK if names_a_secret(name) else self._text(value))
                    for name, value in reply.headers
                ),
                body=self._body(reply.body, in_query=False),
            ),
            call.part,
        )

    def _body(self, body: Body, *, in_query: bool) -> Body:
        match body.kind:
            case BodyKind.JSON:
                return self._json(body)
            case BodyKind.FORM:
                return Body(body.kind, self._members(body.value, in_query=in_query))
            case BodyKind.TEXT:
                return Body(body.kind, self._text(_ELEMENT.sub(_masked_element, body.value)))
            case BodyKind.BASE64:
                return self._binary(body)
            case _:
                return body

    def _json(self, body: Body) -> Body:
        """Return a masked JSON body; a text of unknown layout is kept as it is if nothing in it is masked."""
        masked = self._value(body.value)
        if body.text is not None and masked == body.value and self._text(body.text) == body.text:
            return Body(BodyKind.TEXT, body.text)
        return Body(body.kind, masked, body.layout)

    def _binary(self, body: Body) -> Body:
        data = base64.b64decode(body.value)
        text = data.decode("utf-8", "surrogateescape")
        masked = self._text(text)
        if masked != text:
            return Body(body.kind, base64.b64encode(masked.encode("utf-8", "surrogateescape")).decode())
        if self._text(body.value) != body.value:  # found in what base64 makes of it only
            return Body(BodyKind.OMITTED, len(data))
        return body

    def _members(self, members: Mapping[str, Any], *, in_query: bool) -> dict[str, Any]:
        return {
            self._text(name): _hidden(value) if _is_secret(name, in_query=in_query) else self._value(value)
            for name, value in members.items()
        }

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return self._text(self._json_text(value))
            case dict():
                return self._members(value, in_query=False)
            case list():
                return [self._value(each) for each in value]
            case bool() | None:
                return value
            case _:
                text = json.dumps(value)
                return value if len(text) < SHORTEST_ANYWHERE or self._text(text) == text else 0

    def _json_text(self, text: str) -> str:
        """Return a JSON text with its secrets masked; other texts stay as they are."""
        value = _inner_json(text)
        masked = None if value is None else self._value(value)
        return text if masked == value else json.dumps(masked, ensure_ascii=False, separators=(",", ":"))

    def _text(self, text: str) -> str:
        for form in _FORMS:
            text = form.sub(MASK, text)
        return mask_text(self._mask(text), self._learned, MASK)


def _inner_json(text: str) -> Any:
    """Return the object or list that a text is in JSON, None where it is neither."""
    if not text.startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if nests_deeper(value, _DEEPEST) else value


def _is_secret(name: str, *, in_query: bool) -> bool:
    return names_a_secret(name) or (in_query and name.lower() in NAMES["requests"]["secret"])


def _hidden(value: Any) -> Any:
    """Return a secret value with its shape: texts masked, numbers 0."""
    match value:
        case str():
            return MASK
        case dict():
            return {name: _hidden(each) for name, each in value.items()}
        case list():
            return [_hidden(each) for each in value]
        case bool() | None:
            return value
        case _:
            return 0


def _masked_element(found: re.Match[str]) -> str:
    return f"<{found[1]}>{MASK}</{found[1]}>" if names_a_secret(found[1]) else found[0]


def _header_secrets(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        if name not in _CREDENTIAL_HEADERS and not names_a_secret(name):
            continue
        signature = _SIGNATURE.match(value)
        if signature is not None:
            yield signature[1]
            yield value.rpartition("Signature=")[2]
            continue
        yield value
        scheme, _, credential = value.partition(" ")
        yield credential.strip()
        if scheme.lower() == "basic":
            yield from _basic(credential)
        if name == "cookie":
            yield from (each.partition("=")[2].strip() for each in value.split(";"))
        yield from _PARAMETER.findall(value)


def _query_secrets(query: str) -> Iterator[str]:
    for name, value in parse_qsl(query):
        if names_a_secret(name) or name.lower().endswith(_SIGNED):
            yield value.partition("/")[0] if name.lower().endswith("credential") else value


def _basic(credential: str) -> Iterator[str]:
    try:
        text = base64.b64decode(credential, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    yield text
    yield text.partition(":")[2]


def _named_in(body: Body) -> Iterator[str]:
    if body.kind in (BodyKind.JSON, BodyKind.FORM):
        yield from _named(body.value, in_query=body.kind is BodyKind.FORM)
    elif body.kind is BodyKind.TEXT:
        yield from (text for name, text in _ELEMENT.findall(body.value) if names_a_secret(name))


def _named(value: Any, *, in_query: bool) -> Iterator[str]:
    """Yield the texts and numbers below names that say that they are secret."""
    pending = [value]
    while pending:
        here = pending.pop()
        if isinstance(here, Mapping):
            for name, member in here.items():
                if _is_secret(name, in_query=in_query):
                    yield from leaf_texts(member)
                else:
                    pending.append(member)
        elif isinstance(here, list):
            pending += here
        elif isinstance(here, str):
            pending.append(_inner_json(here))
