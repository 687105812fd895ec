"""The forms in which a secret value may be repeated in a text, and where they stand in it.

Three rules by the length of a value, so that a text stays readable:

- six characters or more are found anywhere in a text: escaped for JSON, Python, JavaScript, URLs, HTML and XML, to any
  depth, in base64 wherever it begins, and in hexadecimal digits;
- three to five only as a whole word: "abc" is found in `key abc` and `key="abc"`, not in `abcissa`;
- one or two only in quotes, or as the whole text.

Booleans, nulls and empty texts are never secret.
"""

import base64
import contextlib
import functools
import json
import re
from collections.abc import Iterator

SHORTEST_ANYWHERE, SHORTEST_WORD = 6, 3
# What any text may hold without telling a secret.
_PUBLIC = frozenset({"", "true", "false", "null", "none", "yes", "no", "on", "off"})
# One, also where a URL or a text in JSON holds what is escaped.
_BACKSLASH = r"(?:\\|%(?:25)*5[Cc])"
_AMPERSAND, _SEMICOLON, _HASH = "(?:&|u0026|%(?:25)*26)", "(?:;|%(?:25)*3b)", "(?:#|%(?:25)*23)"
_SIMPLE = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "\v": "v", "\a": "a"}
_ENTITIES = {'"': ("quot",), "&": ("amp",), "'": ("apos",), "<": ("lt",), ">": ("gt",), "\xa0": ("nbsp",)}
_PIECES = re.compile(r"[A-Za-z0-9]+|\\+|.", re.DOTALL)
_MOST_REMEMBERED = 4096
_FINDERS = 64
_DEEPEST = 50
_LONGEST_ESCAPE = 40  # characters for one, with the backslashes of JSON in JSON in JSON


def secret_spans(text: str, secrets: frozenset[str]) -> list[tuple[int, int]]:
    """The parts of `text` that repeat one of the secrets: disjoint (start, end) pairs in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(_finder(secrets).spans(text)):
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
        self._escaped = [_escaped(each) for each in long if not (each.isascii() and each.isalnum())]
        self._long: dict[str, dict[int, set[str]]] = {}
        for form in {form for part in long for form in _encodings(part)}:
            self._long.setdefault(form[:SHORTEST_ANYWHERE], {}).setdefault(len(form), set()).add(form)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """What is found, in any order."""
        for pattern in self._short:
            yield from (match.span() for match in pattern.finditer(text))
        for each in self._escaped:
            yield from each.spans(text)
        if not self._long:
            return
        known = self._long
        for start in range(len(text) - SHORTEST_ANYWHERE + 1):
            by_length = known.get(text[start : start + SHORTEST_ANYWHERE])
            if by_length is not None:
                ends = (start + length for length, forms in by_length.items() if text[start : start + length] in forms)
                yield from ((start, end) for end in ends)


@functools.lru_cache(_FINDERS)
def _finder(secrets: frozenset[str]) -> _Finder:
    return _Finder(secrets)


@functools.lru_cache(_MOST_REMEMBERED)
def secret_parts(secret: str) -> tuple[str, ...]:
    """The secret, and what of it is secret by itself: leaves of a JSON document, lines, the password in a URL."""
    parts = {secret, secret.strip(), *_leaves(secret), *_lines(secret), *_passwords(secret)}
    return tuple(sorted(each for each in parts if each.lower() not in _PUBLIC and each.strip("*")))


def _leaves(secret: str) -> Iterator[str]:
    if not secret.lstrip().startswith(("{", "[", '"')):
        return
    with contextlib.suppress(ValueError, RecursionError):
        yield from leaf_texts(json.loads(secret))


def leaf_texts(value: object, depth: int = 0) -> Iterator[str]:
    """The strings of a JSON value, and its numbers as JSON writes them; member names aside."""
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
    """A short value as written, and in base64 by itself: in words, or in quotes only."""
    words = sorted({*_as_json(part), base64.b64encode(part.encode(errors="replace")).decode()}, key=len, reverse=True)
    either = "|".join([*map(re.escape, words), "".join(map(_piece_pattern, _PIECES.findall(part)))])
    if len(part) >= SHORTEST_WORD:
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)")
    return re.compile(rf"""\A(?:{either})\Z|(?<=["'`])(?:{either})(?=\\?["'`])""")


@functools.lru_cache(_MOST_REMEMBERED)
def _encodings(part: str) -> tuple[str, ...]:
    """A long value as it is, and what base64 and hexadecimal digits make of it and of its JSON."""
    found = {part}
    for each in _as_json(part):
        coded = each.encode(errors="replace").hex()
        found |= {*_in_base64(each), coded, coded.upper()}
    return tuple(each for each in found if len(each) >= SHORTEST_ANYWHERE)


def _as_json(part: str) -> set[str]:
    """The value as it is, in JSON, and in JSON that stands in JSON."""
    once = {json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]}
    return {part, *once, *(json.dumps(each, ensure_ascii=False)[1:-1] for each in once)}


class _Escaped:
    """Finds the forms of one value with characters that may be escaped, around what is the same in all of them."""

    def __init__(self, part: str) -> None:
        pieces = _PIECES.findall(part)
        self._literal = max((each for each in pieces if each.isascii() and each.isalnum()), key=len, default="")
        self._pattern = re.compile("".join(map(_piece_pattern, pieces)))
        self._reach = len(part) * _LONGEST_ESCAPE

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand."""
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


def _piece_pattern(piece: str) -> str:
    """The forms of some letters and digits, of backslashes, or of one other character."""
    if piece.isascii() and piece.isalnum():
        return piece
    codes = "|".join(dict.fromkeys(_codes(piece[0])))
    if piece[0] == "\\":
        return rf"(?:{_BACKSLASH}{{{len(piece)},}}|(?:{_BACKSLASH}*(?i:{codes})){{{len(piece)}}})"
    plain = r"[ +]|%(?:25)*2[Bb]" if piece == " " else re.escape(piece)
    simple = f"|{_BACKSLASH}+{_SIMPLE[piece]}" if piece in _SIMPLE else ""
    return rf"(?:{_BACKSLASH}*(?:{plain}|(?i:{codes})){simple})"


def _codes(letter: str) -> Iterator[str]:
    """The ways to write a character by its number or name: any number of backslashes may precede."""
    number, coded = ord(letter), letter.encode(errors="replace")
    units = letter.encode("utf-16-be", errors="replace")
    yield f"{_BACKSLASH}+".join(f"u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    yield f"{_BACKSLASH}+".join(f"x{each:02x}" for each in coded)
    yield f"U{number:08x}"
    yield rf"u\{{0*{number:x}\}}"
    yield f"x{number:02x}"
    yield "".join(rf"%(?:25)*{each:02x}" for each in coded)
    names = "".join(f"|{each}" for each in _ENTITIES.get(letter, ()))
    yield rf"{_AMPERSAND}(?:amp{_SEMICOLON})*(?:{_HASH}(?:0*{number}|x0*{number:x}){names}){_SEMICOLON}"


def _in_base64(text: str) -> set[str]:
    """The characters that the value alone decides, whatever stands before and after it in what is encoded."""
    plain = text.encode(errors="replace")
    found = set()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + plain).decode().rstrip("=")
        whole = (before + len(plain)) * 8 // 6
        inner = coded[(0, 2, 3)[before] : whole]
        found |= {inner, inner.replace("+", "-").replace("/", "_")}
    return found
