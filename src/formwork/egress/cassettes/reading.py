"""Cassettes read from files, with the places of what is wrong in them."""

import base64
import binascii
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, DocumentFormat, load_document
from formwork.egress.cassettes.entries import (
    COMPACT,
    LAYOUTS,
    Body,
    BodyKind,
    RecordedCall,
    RecordedReply,
    RecordedRequest,
)
from formwork.egress.cassettes.files import FORMAT, SUFFIX

_REQUEST, _REPLY = frozenset({"method", "url", "query", "headers"}), frozenset({"status", "headers", "layout"})
_BODIES = frozenset(str(kind) for kind in BodyKind if kind is not BodyKind.EMPTY)
_URL = re.compile(r"https?://[^/?#\s]+/[^?#\s]*")
_STATUSES = range(100, 600)


def read_cassettes(folder: Path) -> dict[str, tuple[RecordedCall, ...]]:
    """Return the calls in the cassettes of a folder, by the name of the file.

    Raises:
        BadInputError: there are none (`cassette.none`), or with everything that is wrong in them (`cassette.*`).
    """
    files = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
    if not files:
        raise BadInputError.of(
            "cassette.none",
            f'there are no cassettes in "{folder}"',
            location=Location(str(folder)),
            expected=f"files that end with {SUFFIX}",
            hint="record them: `cfn test --record DIR`",
        )
    found, problems = {}, list[Diagnostic]()
    for file in files:
        calls = list(parse_cassette(load_document(file, format=DocumentFormat.JSON)))
        problems += [each for each in calls if isinstance(each, Diagnostic)]
        found[file.name] = tuple(each for each in calls if isinstance(each, RecordedCall))
    if problems:
        raise BadInputError(problems)
    return found


def parse_cassette(document: Document) -> Iterator[RecordedCall | Diagnostic]:
    """Yield the calls of a cassette, and what is wrong in it."""
    value = document.value
    if not isinstance(value, dict) or value.get("cassette") != FORMAT or not isinstance(value.get("calls"), list):
        yield _problem(document, (), "format", "the file is not a cassette", f'"cassette": {FORMAT}, and "calls"')
        return
    for at, entry in enumerate(value["calls"]):
        problems = list(_problems(document, entry, ("calls", at)))
        if problems:
            yield from problems
        else:
            yield _call(entry)


def _problems(document: Document, entry: Any, here: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    if not isinstance(entry, dict) or entry.keys() - {"during"} != {"request", "reply"}:
        yield _problem(document, here, "call", "the call does not have a request and a reply", '"request" and "reply"')
        return
    if not isinstance(entry.get("during", ""), str):
        yield _problem(document, (*here, "during"), "value", "the part of the run is not a text", "a text")
    for name, known in (("request", _REQUEST), ("reply", _REPLY)):
        part, place = entry[name], (*here, name)
        if not isinstance(part, dict):
            yield _problem(document, place, "call", f"the {name} is not an object", "an object")
            continue
        for key in part.keys() - known - _BODIES:
            yield _problem(document, (*place, key), "unknown-key", f'"{key}" is not a part of a {name}', _listed(known))
        yield from _body_problems(document, part, place)
        checks = _REQUEST_CHECKS if name == "request" else _REPLY_CHECKS
        for key, (check, expected, required) in checks.items():
            if (key in part or required) and not check(part.get(key)):
                yield _problem(document, (*place, key), "value", f'the "{key}" of the {name} cannot be used', expected)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names | _BODIES))


def _body_problems(document: Document, part: dict[str, Any], place: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    kinds = sorted(part.keys() & _BODIES)
    if len(kinds) > 1:
        yield _problem(document, place, "value", f"there are several bodies: {', '.join(kinds)}", "one of them")
    for kind in kinds:
        value = part[kind]
        if not _BODY_CHECKS[kind](value):
            yield _problem(document, (*place, kind), "value", f'the "{kind}" is not one', _BODY_EXPECTED[kind])


def _anything(value: Any) -> bool:  # noqa: ARG001 - one signature
    return True


def _is_members(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(each) for each in value.values())


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _is_headers(value: Any) -> bool:
    pairs = list(value.items()) if isinstance(value, dict) else value
    return isinstance(pairs, list) and all(
        isinstance(each, list | tuple)
        and len(each) == len(("name", "value"))
        and all(isinstance(one, str) for one in each)
        for each in pairs
    )


def _is_base64(value: Any) -> bool:
    try:
        return isinstance(value, str) and base64.b64decode(value, validate=True) is not None
    except (binascii.Error, ValueError):
        return False


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_REQUEST_CHECKS: dict[str, Any] = {
    "method": (lambda value: isinstance(value, str) and re.fullmatch("[A-Z]+", value), "GET, POST, …", True),
    "url": (lambda value: isinstance(value, str) and _URL.fullmatch(value), "https://host/path without a query", True),
    "query": (_is_members, "names with a text, or a list of texts", False),
    "headers": (lambda value: isinstance(value, dict) and _is_headers(value), "names with a text", False),
}
_REPLY_CHECKS: dict[str, Any] = {
    "status": (lambda value: _is_whole(value) and value in _STATUSES, "100 to 599", True),
    "headers": (_is_headers, "names with a text, or a list of [name, text]", False),
    "layout": (lambda value: isinstance(value, str) and value in LAYOUTS, " or ".join(LAYOUTS), False),
}
_BODY_CHECKS: dict[str, Any] = {
    "json": _anything,
    "form": _is_members,
    "text": _is_text,
    "base64": _is_base64,
    "omitted": _is_whole,
}
_BODY_EXPECTED = {
    "json": "a value",
    "form": "names with a text, or a list of texts",
    "text": "a text, or a list of its lines",
    "base64": "base64",
    "omitted": "the number of bytes",
}


def _call(entry: dict[str, Any]) -> RecordedCall:
    asked, told = entry["request"], entry["reply"]
    headers = told.get("headers", {})
    pairs = headers.items() if isinstance(headers, dict) else headers
    return RecordedCall(
        RecordedRequest(asked["method"], asked["url"], asked.get("query", {}), asked.get("headers", {}), _body(asked)),
        RecordedReply(told["status"], tuple((name, value) for name, value in pairs), _body(told)),
        entry.get("during", ""),
    )


def _body(part: dict[str, Any]) -> Body:
    kind = next((each for each in BodyKind if each in part), BodyKind.EMPTY)
    value = part.get(kind)
    text = "\n".join(value) if kind is BodyKind.TEXT and isinstance(value, list) else value
    return Body(kind, text, part.get("layout", COMPACT))


def _problem(document: Document, tokens: tuple[str | int, ...], slug: str, message: str, expected: str) -> Diagnostic:
    return Diagnostic(f"cassette.{slug}", Severity.ERROR, message, document.locate(tokens), expected)
