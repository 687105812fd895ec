"""JSON text to value: strict RFC 8259, with an own sentence for each usual slip."""

import re
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from math import isinf
from typing import Any, NoReturn

from formwork.diagnostics import BadInputError, Diagnostic, Location, Position, Severity, render_pointer
from formwork.documents.bounds import check_json_nodes, nests_deeper, too_deep
from formwork.documents.json_map import JsonMap
from formwork.documents.positions import LineIndex

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TRAILING_COMMA = re.compile(r",[ \t\r\n]*(?=[}\]])")
_WORD = re.compile(r"-?[A-Za-z_$][\w$]*")


class _DuplicateKeyError(Exception):
    """An object has a key twice; where is found out afterwards, as it costs more than noticing."""


class _BadNumberError(Exception):
    """A number that JSON does not allow (NaN, Infinity); the argument is its text."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _DuplicateKeyError
    return value


def _float(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise _BadNumberError(text)
    return value


def _constant(text: str) -> NoReturn:
    raise _BadNumberError(text)


_DECODER = JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)


def parse_json(text: str, name: str) -> Any:
    """Return the value of `text`.

    Raises:
        BadInputError: not JSON, out of bounds, a key twice in one object, NaN or infinity, or half a surrogate pair.
    """
    whole = Location(name)
    check_json_nodes(text, whole)
    try:
        value = _DECODER.decode(text)
    except JSONDecodeError as error:
        raise BadInputError([_explain(text, name, error)]) from None
    except _DuplicateKeyError:
        raise _duplicates(text, name) from None
    except _BadNumberError as error:
        raise _bad_number(text, name, str(error)) from None
    except RecursionError:
        raise too_deep(whole) from None
    except ValueError:  # Python refuses to make an integer of more than 4,300 digits
        raise _bad_number(text, name, "") from None
    if nests_deeper(value):
        raise too_deep(whole)
    if _SURROGATE.search(text):
        check_surrogates(value, whole, lambda path: JsonMap(text).span(path, key=False))
    return value


def check_surrogates(
    value: Any, location: Location, find: Callable[[tuple[str | int, ...]], tuple[Position, Position]] | None = None
) -> None:
    """Refuse a value with half a surrogate pair in a string or key: no encoder could write it.

    `find` tells the place of a part; without it the error is at `location`.

    Raises:
        BadInputError: `document.bad-unicode`.
    """
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while pending:
        path, each = pending.pop()
        match each:
            case str():
                texts = [each]
            case dict():
                texts = list(each)
                pending += [((*path, key), child) for key, child in each.items()]
            case list():
                texts = []
                pending += [((*path, index), child) for index, child in enumerate(each)]
            case _:
                texts = []
        for text in texts:
            if any("\ud800" <= character <= "\udfff" for character in text):
                start, end = find(path) if find is not None else (location.start, location.end)
                raise BadInputError.of(
                    "document.bad-unicode",
                    r"a string holds half of a surrogate pair (\uD800 to \uDFFF)",
                    location=Location(location.file, start, end, render_pointer(path)),
                    expected="whole characters",
                    hint=r"write the character itself, or both halves of the pair",
                )


def _duplicates(text: str, name: str) -> BadInputError:
    # A text that is broken after its duplicate key has no map; say the syntax error then.
    try:
        JSONDecoder().decode(text)
    except JSONDecodeError as error:
        return BadInputError([_explain(text, name, error)])
    except (RecursionError, ValueError):
        return too_deep(Location(name))
    return BadInputError(
        duplicate_key(path[-1], Location(name, start, end, render_pointer(path)))
        for path, start, end in JsonMap(text).duplicate_keys()
    )


def duplicate_key(key: str, location: Location) -> Diagnostic:
    """Return the finding that an object has `key` for the second time at `location`."""
    return Diagnostic(
        "document.duplicate-key",
        Severity.ERROR,
        f'duplicate key "{key}" in an object',
        location,
        "unique keys; CloudFormation refuses the document",
        "remove or rename one of the two",
    )


def _bad_number(text: str, name: str, number: str) -> BadInputError:
    outside = re.sub(r'"[^"\\]*(?:\\.[^"\\]*)*"', lambda string: " " * len(string[0]), text, flags=re.DOTALL)
    offset = outside.find(number) if number else -1
    if not number and (match := re.search(r"[0-9]{4300}", outside)):
        offset, number = match.start(), match[0]
    position = LineIndex(text).position(max(offset, 0))
    shown = number if len(number) <= 40 else number[:40] + "…"
    return BadInputError.of(
        "document.bad-number",
        f'"{shown}" is not a number that JSON can hold',
        location=Location(name, position),
        expected="a finite decimal number",
        hint="leave the member out, or write a string",
    )


def _explain(text: str, name: str, error: JSONDecodeError) -> Diagnostic:
    offset, message, expected, hint = _slip(text, min(error.pos, len(text)), error.msg)
    position = LineIndex(text).position(offset)
    return Diagnostic("document.syntax", Severity.ERROR, message, Location(name, position), expected, hint)


def _slip(text: str, at: int, complaint: str) -> tuple[int, str, str, str | None]:
    """Offset, message, expected and hint for the slip that stopped the parser at `at`."""
    rest = text[at : at + 200]
    before = text[:at].rstrip(" \t\r\n")
    if not text.strip():
        return 0, "the document is empty", "one JSON value", None
    if comma := _trailing_comma(text, at, before):
        closer = "object" if text[comma[1]] == "}" else "array"
        return comma[0], f"a comma before the end of the {closer}", "no comma after the last member", "remove the comma"
    if "control character" in complaint:
        return at, "a line break or control character inside a string", r"an escape such as \n or \t", None
    if complaint.startswith("Unterminated string"):
        return at, "unterminated string", 'a closing `"`', None
    if "escape" in complaint:
        return (
            at,
            "unknown escape in a string",
            r"\\, \", \/, \b, \f, \n, \r, \t or \u and four hex digits",
            (r"write a backslash as \\"),
        )
    if rest.startswith(("//", "/*", "#")):
        return at, "a comment", "JSON, which has no comments", 'move the comment to a "$comment" member, or write YAML'
    if rest.startswith("$"):  # the guide and the schema document themselves write transforms so
        return (
            at,
            "a JSONata expression outside a string",
            "a string",
            ('put the whole transform in double quotes, with $OR inside them: "$a(X) $OR $b(X)"'),
        )
    if rest.startswith("'"):
        return at, "a string in single quotes", "double quotes", "write \" instead of '"
    return _other_slip(text, at, complaint, before)


def _other_slip(text: str, at: int, complaint: str, before: str) -> tuple[int, str, str, str | None]:
    if at >= len(text.rstrip()):
        return at, "the document ends too early", "the closing brackets of what is still open", None
    word = _WORD.match(text, at)
    shown = word[0] if word else text[at]
    if complaint.startswith("Extra data"):
        return at, f'"{shown}" after the end of the document', "one JSON value and nothing else", None
    if complaint.startswith("Expecting ',' delimiter"):
        return len(before), "missing comma", "`,` between two members", "add a comma"
    if complaint.startswith("Expecting ':' delimiter"):
        return at, f'"{shown}" where a colon belongs', "`:` between a key and its value", None
    if complaint.startswith("Expecting property name"):
        return at, f'the key "{shown}" is not in double quotes', "a key in double quotes", f'write "{shown}"'
    literals = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
    hint = f"write {literals[shown]}" if shown in literals else None
    return at, f'"{shown}" is not a JSON value', "an object, array, string, number, true, false or null", hint


def _trailing_comma(text: str, at: int, before: str) -> tuple[int, int] | None:
    """Offsets of a trailing comma at or just before `at` and of the bracket after it."""
    for start in (at, len(before) - 1):
        match = _TRAILING_COMMA.match(text, max(start, 0))
        if match:
            return match.start(), match.end()
    return None
