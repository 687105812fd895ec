"""Texts compared piece by piece: what differs in each run may differ, everything else must be the same.

UUIDs, random names and account numbers of one run stand for those of another, each for one and everywhere for the same;
times stand for any time; what is masked stands for anything.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from formwork.diagnostics.secrets import MASK

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_TIMES = (
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?",
    r"\d{8}T\d{6}Z",
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:{_MONTHS}) \d{{4}} \d\d:\d\d:\d\d GMT",
    r"(?<!\d)1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?(?!\d)",
)
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_PIECES = re.compile(rf"(?P<time>{'|'.join(_TIMES)})|(?P<id>{_UUID})|(?P<word>[A-Za-z0-9]+)|(?P<rest>[^A-Za-z0-9]+)")
_SHORTEST_RANDOM = 8
_ACCOUNT = re.compile(r"\d{12}", re.ASCII)


class NameBindings(Struct):
    """Which generated texts of the recording stand for which of this run."""

    live: dict[str, str] = field(default_factory=dict)
    recorded: dict[str, str] = field(default_factory=dict)

    def bind(self, recorded: str, live: str) -> bool:
        """Bind `recorded` to `live`; return False if either is already bound to another value."""
        if self.live.get(recorded, live) != live or self.recorded.get(live, recorded) != recorded:
            return False
        self.live[recorded], self.recorded[live] = live, recorded
        return True

    def copy(self) -> "NameBindings":
        """Return the same bindings, to try more."""
        return NameBindings(dict(self.live), dict(self.recorded))

    def in_this_run(self, text: str) -> str:
        """Return a recorded text with the bound names replaced by this run's."""
        return _replaced(text, self.live)


def _replaced(text: str, names: Mapping[str, str]) -> str:
    found = sorted((name for name, value in names.items() if value != name and name in text), key=len, reverse=True)
    if not found:
        return text
    return re.sub("|".join(map(re.escape, found)), lambda match: names[match[0]], text)


def same_text(recorded: str, live: str, bindings: NameBindings) -> bool:
    """Return whether a live text equals the recorded one except for generated names; adds these to `bindings`."""
    known = bindings.in_this_run(recorded)
    if live in (recorded, known):
        return True
    if MASK in recorded:
        return re.fullmatch(".*".join(map(re.escape, known.split(MASK))), live, re.DOTALL) is not None
    pieces, others = list(_pieces(recorded)), list(_pieces(live))
    if len(pieces) != len(others):
        return False
    tried = bindings.copy()
    if not all(_same_piece(piece, other, tried) for piece, other in zip(pieces, others, strict=True)):
        return False
    bindings.live, bindings.recorded = tried.live, tried.recorded
    return True


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    return ((match.lastgroup or "rest", match[0]) for match in _PIECES.finditer(text))


def _same_piece(recorded: tuple[str, str], live: tuple[str, str], bindings: NameBindings) -> bool:
    (kind, text), (other_kind, other) = recorded, live
    if kind != other_kind:
        return False
    if text == other:
        return bindings.live.get(text, other) == other
    if kind == "time":
        return True
    if kind == "id" or (kind == "word" and _are_generated(text, other)):
        return bindings.bind(text, other)
    return False


def _are_generated(recorded: str, live: str) -> bool:
    """Whether two words are generated: account numbers, two that look random, or one that does and is as long."""
    if _ACCOUNT.fullmatch(recorded) and _ACCOUNT.fullmatch(live):
        return True
    if min(len(recorded), len(live)) < _SHORTEST_RANDOM:
        return False
    random = _is_random(recorded) + _is_random(live)
    return random == len((recorded, live)) or (random == 1 and len(recorded) == len(live))


def _is_random(word: str) -> bool:
    """Whether a word has letters among digits: of twelve random letters and digits, seven of eight times."""
    return any(each.isdigit() for each in word) and any(each.isalpha() for each in word)
