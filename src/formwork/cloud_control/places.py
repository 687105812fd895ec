"""Where the next page of a list of resources starts: the list handler's page, and the position in it.

A handler cuts its pages as it likes, and knows no limit; who asks for fewer than it gives gets the rest with a token
that names both.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.cloud_control.refusals import refused

_MARK = "+"


class ListPlace(Struct, frozen=True):
    """A position in a list: `taken` resources into the page of the handler's token `page` (None: the first page)."""

    page: str | None = None
    taken: int = 0

    def take(
        self, models: Sequence[Mapping[str, Any]], following: str | None, most: int | None
    ) -> tuple[Sequence[Mapping[str, Any]], str | None]:
        """Return the requested part of the handler's page, and the token of the part after it."""
        end = len(models) if most is None else self.taken + most
        if end < len(models):
            return models[self.taken : end], f"{_MARK}{end}{_MARK}{self.page or ''}"
        escaped = following is not None and following.startswith(_MARK)
        return models[self.taken :], f"{_MARK}0{_MARK}{following}" if escaped else following


def read_place(token: str | None) -> ListPlace:
    """Return the place that a token encodes.

    Raises:
        StackError: it is none of those that were given.
    """
    if token is None or not token.startswith(_MARK):
        return ListPlace(token)
    taken, mark, page = token.removeprefix(_MARK).partition(_MARK)
    if not mark or not (taken.isascii() and taken.isdecimal()):
        raise refused("InvalidRequestException", "The NextToken is not valid", 400)
    return ListPlace(page or None, int(taken))
