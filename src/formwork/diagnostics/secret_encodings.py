"""Base64 and hexadecimal encodings: the encoded forms of a value, and decoding of encoded parts of a text.

A value of letters and digits has few forms in an encoding. One that may be escaped first has too many: its longest run
of letters and digits is looked for instead, and what is encoded around it is read again.
"""

import base64
import re
from collections.abc import Iterator

from msgspec import Struct

_BASE64, _HEXADECIMAL = 4, 2  # the characters of a group
_BYTES = {_BASE64: 3, _HEXADECIMAL: 1}  # what a group encodes
_RUNS = {_BASE64: re.compile(r"[A-Za-z0-9+/_-]+"), _HEXADECIMAL: re.compile(r"[0-9A-Fa-f]+")}
_STANDARD = str.maketrans("-_", "+/")
# Where the characters begin that a value alone decides, by the bytes of its group that precede it.
_OWN = (0, 2, 3)


def encodings(text: str) -> set[str]:
    """Return the text in hexadecimal, and the base64 characters that do not depend on the text around it."""
    coded = text.encode(errors="replace").hex()
    inner = {_inner(text, before) for before in range(3)}
    return {coded, coded.upper(), *inner, *(each.replace("+", "-").replace("/", "_") for each in inner)}


def _inner(text: str, before: int) -> str:
    plain = text.encode(errors="replace")
    coded = base64.b64encode(b"\0" * before + plain).decode().rstrip("=")
    return coded[_OWN[before] : (before + len(plain)) * 8 // 6]


class Probe(Struct, frozen=True):
    """The kind of encoding that a probe indicates: characters per group, and how many of a group precede the probe."""

    group: int
    before: int


def probes(piece: str) -> dict[str, Probe]:
    """Return the texts that every encoding of a value with these letters and digits contains."""
    coded = piece.encode().hex()
    found = {_inner(piece, before): Probe(_BASE64, _OWN[before]) for before in range(3)}
    return {**found, **dict.fromkeys((coded, coded.upper()), Probe(_HEXADECIMAL, 0))}


class EncodedRun(Struct, frozen=True):
    """An encoded part of a text: its decoded value, and where it begins in the text."""

    said: str
    start: int
    group: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the encoded text that holds these characters of the decoded value."""
        first = len(_as_bytes(self.said[:start]))
        last = first + len(_as_bytes(self.said[start:end]))
        size = _BYTES[self.group]
        return self.start + first * self.group // size, self.start - (-last * self.group // size)


def read_again(text: str, found: dict[int, Probe]) -> Iterator[EncodedRun]:
    """Yield each encoded run of `text` that contains one of the found probes, once."""
    for group, runs in _RUNS.items():
        places = sorted(at for at, probe in found.items() if probe.group == group)
        seen: set[int] = set()
        for run in runs.finditer(text) if places else ():
            while places and places[0] < run.end():
                at = places.pop(0)
                begin = run.start() + (at - found[at].before - run.start()) % group
                if begin not in seen:
                    seen.add(begin)
                    yield EncodedRun(_decoded(text[begin : run.end()], group), begin, group)


def _decoded(run: str, group: int) -> str:
    if group == _HEXADECIMAL:
        return bytes.fromhex(run[: len(run) // 2 * 2]).decode(errors="surrogateescape")
    whole = run[: len(run) - (len(run) % 4 == 1)].translate(_STANDARD)
    return base64.b64decode(whole + "=" * (-len(whole) % 4)).decode(errors="surrogateescape")


def _as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
