"""Why no value could be made."""

from collections.abc import Sequence


class UnsatisfiableError(Exception):
    """No value of the schema was found within the bounds; the message says where and why.

    Not a user's error as such: who asked for the value knows what to tell the user (give an input file, an override).
    """


class DeadEndError(Exception):
    """This way leads to no value (recursion without end, an impossible length): another alternative is tried."""

    def __init__(self, reason: str, place: Sequence[str] | None = None) -> None:
        super().__init__(reason)
        self._reason = reason
        self._place = place

    def at(self, place: Sequence[str]) -> "DeadEndError":
        """Return the same, known to be at `place` or inside it."""
        if self._place is None:
            self._place = place
        return self

    def __str__(self) -> str:
        return self._reason if self._place is None else f"{self._reason} at /{'/'.join(self._place)}"
