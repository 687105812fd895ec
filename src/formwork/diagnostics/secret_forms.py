"""The forms in which a text may repeat a secret value, and their positions in it.

Three rules by the length of a value, so that a text stays readable:

- six characters or more are found anywhere in a text: escaped for JSON, Python, JavaScript, URLs, HTML and XML, to any
  depth, in base64 wherever it begins, and in hexadecimal digits, escaped before or not;
- three to five only as a whole word: "abc" is found in `key abc` and `key="abc"`, not in `abcissa`;
- one or two only in quotes, or as the whole text.

Booleans, nulls and empty texts are never secret.

The reasons are in docs/decisions/1295.
"""

import base64
import contextlib
import functools
import json
import re
from collections.abc import Iterator

from formwork.diagnostics.secret_edges import CUT, edge_spans
from formwork.diagnostics.secret_encodings import Probe, encodings, probes, read_again
from formwork.diagnostics.secret_escapes import PIECES, piece_pattern

SHORTEST_ANYWHERE, SHORTEST_WORD = 6, 3
# What any text may hold without showing a secret.
_PUBLIC = frozenset({"", "true", "false", "null", "none", "yes", "no", "on", "off"})
# A label of a host name (RFC 1123) that is long enough to be found anywhere.
_LABEL = re.compile(f"[A-Za-z0-9-]{{{SHORTEST_ANYWHERE},63}}")
_MOST_REMEMBERED = 4096
_FINDERS = 64
_DEEPEST = 50
_LONGEST_ESCAPE = 40  # characters for one, with the backslashes of JSON in JSON in JSON


def secret_spans(text: str, secrets: frozenset[str], *, cut: bool = False) -> list[tuple[int, int]]:
    """Return the parts of `text` that repeat one of the secrets: disjoint (start, end) pairs in order.

    A `cut` text is a piece of a longer one: it may begin and end within a secret.
    """
    merged: list[tuple[int, int]] = []
    finder = _finder(secrets)
    for start, end in sorted([*finder.spans(text), *finder.edges(text, cut=cut)]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class _Finder:
    """Finds secrets in texts; long ones by their first characters and length, so that many cost no more than a few.

    Values with other characters than letters and digits may be escaped: those are looked for by patterns.
    """

    def __init__(self, secrets: frozenset[str]) -> None:
        parts = {part for secret in secrets for part in secret_parts(secret)}
        self._short = [_short_pattern(each) for each in sorted(parts) if len(each) < SHORTEST_ANYWHERE]
        long = [each for each in parts if len(each) >= SHORTEST_ANYWHERE]
        self._whole = long
        self._escaped = [_escaped(each) for each in long if not (each.isascii() and each.isalnum())]
        self._long: dict[str, dict[int, set[str]]] = {}
        self._probes = {form: probe for each in self._escaped for form, probe in each.probes.items()}
        self._plain = {form for part in long for form in _encodings(part)}
        for form in {*self._probes, *self._plain}:
            self._long.setdefault(form[:SHORTEST_ANYWHERE], {}).setdefault(len(form), set()).add(form)

    def spans(self, text: str, *, decoded: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the positions of secrets in `text`, in any order; a `decoded` text is not decoded again."""
        for pattern in self._short:
            yield from (match.span() for match in pattern.finditer(text))
        for each in self._escaped:
            yield from each.spans(text)
        encoded: dict[int, Probe] = {}
        for start, form in self._long_forms(text):
            if form in self._plain:
                yield start, start + len(form)
            if form in self._probes:
                encoded[start] = self._probes[form]
        for run in () if decoded else read_again(text, encoded):
            yield from (run.span(*each) for each in self.spans(run.said, decoded=True))

    def edges(self, text: str, *, cut: bool) -> Iterator[tuple[int, int]]:
        """Return the parts of long values where the text was cut."""
        return edge_spans(text, self._whole, self._plain, cut=cut) if cut or CUT in text else iter(())

    def _long_forms(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the forms of long values, and the probes, where they begin."""
        known = self._long
        for start in range(len(text) - SHORTEST_ANYWHERE + 1) if known else ():
            by_length = known.get(text[start : start + SHORTEST_ANYWHERE])
            if by_length is not None:
                for length, forms in by_length.items():
                    if (form := text[start : start + length]) in forms:
                        yield start, form


@functools.lru_cache(_FINDERS)
def _finder(secrets: frozenset[str]) -> _Finder:
    return _Finder(secrets)


@functools.lru_cache(_MOST_REMEMBERED)
def secret_parts(secret: str) -> tuple[str, ...]:
    """Return the secret and its parts that are secret too: leaves of a JSON document, lines, a URL's password.

    A secret that can be part of a host name is also found as hosts are written: in lower case.
    """
    parts = {secret, secret.strip(), *_leaves(secret), *_lines(secret), *_passwords(secret)}
    if _LABEL.fullmatch(secret):
        parts.add(secret.lower())
    return tuple(sorted(each for each in parts if each.lower() not in _PUBLIC and each.strip("*")))


def _leaves(secret: str) -> Iterator[str]:
    if not secret.lstrip().startswith(("{", "[", '"')):
        return
    with contextlib.suppress(ValueError, RecursionError):
        yield from leaf_texts(json.loads(secret))


def leaf_texts(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the strings of a JSON value, and its numbers as JSON writes them; member names aside."""
    match value:
        case str():
            yield str.__str__(value)
        case bool() | None:
            return
        case int() | float():
            yield json.dumps(value)
        case dict() if depth < _DEEPEST:
            for each in value.values():
                yield from leaf_texts(each, depth + 1)
        case list() | tuple() if depth < _DEEPEST:
            for each in value:
                yield from leaf_texts(each, depth + 1)
        case _:
            return


def _lines(secret: str) -> Iterator[str]:
    lines = [each.strip() for each in secret.splitlines()]
    if len(lines) > 1:
        yield from (each for each in lines if len(each) >= SHORTEST_ANYWHERE and not each.startswith("-----"))


def _passwords(secret: str) -> Iterator[str]:
    if "://" in secret:
        from urllib.parse import unquote, urlsplit  # noqa: PLC0415 - only where there are secrets

        with contextlib.suppress(ValueError):
            password = urlsplit(secret).password
            if password:
                yield from (password, unquote(password))


@functools.lru_cache(_MOST_REMEMBERED)
def _short_pattern(part: str) -> re.Pattern[str]:
    """Return a short value as written, and in base64 by itself: in words, or in quotes only."""
    words = sorted({*_as_json(part), base64.b64encode(part.encode(errors="replace")).decode()}, key=len, reverse=True)
    either = "|".join([*map(re.escape, words), "".join(map(piece_pattern, PIECES.findall(part)))])
    if len(part) >= SHORTEST_WORD:
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)")
    return re.compile(rf"""\A(?:{either})\Z|(?<=["'`])(?:{either})(?=\\?["'`])""")


@functools.lru_cache(_MOST_REMEMBERED)
def _encodings(part: str) -> tuple[str, ...]:
    """Return a long value as it is, and what base64 and hexadecimal digits make of it and of its JSON."""
    found = {part}
    for each in _as_json(part):
        found |= encodings(each)
    return tuple(each for each in found if len(each) >= SHORTEST_ANYWHERE)


def _as_json(part: str) -> set[str]:
    """Return the value as it is, in JSON, and in JSON inside JSON."""
    once = {json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]}
    return {part, *once, *(json.dumps(each, ensure_ascii=False)[1:-1] for each in once)}


class _Escaped:
    """Finds the forms of one value with characters that may be escaped, around what is the same in all of them.

    `probes` indicate texts in which they are encoded.
    """

    def __init__(self, part: str) -> None:
        pieces = PIECES.findall(part)
        self._literal = max((each for each in pieces if each.isascii() and each.isalnum()), key=len, default="")
        self.probes = probes(self._literal) if len(self._literal) >= SHORTEST_ANYWHERE else {}
        self._pattern = re.compile("".join(map(piece_pattern, pieces)))
        self._reach = len(part) * _LONGEST_ESCAPE

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the positions of the forms in `text`."""
        if len(self._literal) < SHORTEST_WORD:
            yield from (match.span() for match in self._pattern.finditer(text))
            return
        at = text.find(self._literal)
        while at >= 0:
            start, end = max(0, at - self._reach), at + self._reach
            while (following := text.find(self._literal, at + 1, end + self._reach)) >= 0:
                at, end = following, following + self._reach
            yield from (match.span() for match in self._pattern.finditer(text, start, end))
            at = text.find(self._literal, at + 1)


@functools.lru_cache(_MOST_REMEMBERED)
def _escaped(part: str) -> _Escaped:
    return _Escaped(part)
