"""What is known of the place of a cursor."""

from msgspec import Struct

Tokens = tuple[str | int, ...]


class CursorPlace(Struct, frozen=True):
    """A key or a value at the cursor, and the object or array that holds it.

    `holder` is the path of that object or array; `key` the member's name or the item's number, the whole word where the
    cursor is in a key. `start` and `end` are the offsets of the word, its quotes included; `word` is its text without
    them and `typed` the part of it before the cursor. `quote` is its quote, "" where it has none; `style` says in which
    language it is written, and `followed` whether a colon follows a key. `siblings` are keys before the cursor in
    the same object.
    """

    holder: Tokens
    key: str | int
    in_key: bool
    start: int
    end: int
    word: str
    typed: str
    quote: str
    style: str
    followed: bool = False
    siblings: frozenset[str] = frozenset()

    @property
    def path(self) -> Tokens:
        """The path of the value, or of the member whose key this is."""
        return (*self.holder, self.key)
