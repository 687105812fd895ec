"""The ways in which JSON, Python, JavaScript, URLs, HTML and XML write a character, to any depth, as patterns."""

import re
from collections.abc import Iterator

# One, also where a URL or a text in JSON holds what is escaped.
_BACKSLASH = r"(?:\\|%(?:25)*5[Cc])"
_AMPERSAND, _SEMICOLON, _HASH = "(?:&|u0026|%(?:25)*26)", "(?:;|%(?:25)*3b)", "(?:#|%(?:25)*23)"
_SIMPLE = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "\v": "v", "\a": "a"}
_ENTITIES = {'"': ("quot",), "&": ("amp",), "'": ("apos",), "<": ("lt",), ">": ("gt",), "\xa0": ("nbsp",)}
PIECES = re.compile(r"[A-Za-z0-9]+|\\+|.", re.DOTALL)
_LATIN_1 = 0xFF


def piece_pattern(piece: str) -> str:
    """Return the forms of some letters and digits, of backslashes, or of one other character."""
    if piece.isascii() and piece.isalnum():
        return piece
    codes = "|".join(dict.fromkeys(_codes(piece[0])))
    if piece[0] == "\\":
        return rf"(?:{_BACKSLASH}{{{len(piece)},}}|(?:{_BACKSLASH}*(?i:{codes})){{{len(piece)}}})"
    plain = r"[ +]|%(?:25)*2[Bb]" if piece == " " else re.escape(piece)
    simple = f"|{_BACKSLASH}+{_SIMPLE[piece]}" if piece in _SIMPLE else ""
    return rf"(?:{_BACKSLASH}*(?:{plain}|(?i:{codes})){simple})"


def _codes(letter: str) -> Iterator[str]:
    """Yield the ways to write a character by its number or name: any number of backslashes may precede."""
    number, coded = ord(letter), letter.encode(errors="replace")
    units = letter.encode("utf-16-be", errors="replace")
    yield f"{_BACKSLASH}+".join(f"u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    yield f"{_BACKSLASH}+".join(f"x{each:02x}" for each in coded)
    yield f"U{number:08x}"
    yield rf"u\{{0*{number:x}\}}"
    yield f"x{number:02x}"
    yield "".join(rf"%(?:25)*{each:02x}" for each in coded)
    if number <= _LATIN_1:
        yield rf"%(?:25)*{number:02x}"  # as JavaScript's old `escape` writes it
    else:
        yield "".join(rf"%(?:25)*u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    names = "".join(f"|{each}" for each in _ENTITIES.get(letter, ()))
    yield rf"{_AMPERSAND}(?:amp{_SEMICOLON})*(?:{_HASH}(?:0*{number}|x0*{number:x}){names}){_SEMICOLON}"
