"""Lists a page at a time: the token is the key of the last row, so that no page costs more than another."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from formwork.registry.errors import registry_error
from formwork.registry.requests import Page
from formwork.registry.results import Listed

_MOST = 100
_COUNTABLE = 2**63
Item = TypeVar("Item")


def page_size(page: Page) -> int:
    """Return how many items a page has; a hundred at most, as in AWS."""
    return max(1, min(page.size, _MOST))


def read_token(page: Page, *parts: type) -> list[Any] | None:
    """Return the key after which the page begins, a list of values of the types `parts`; None for the first page.

    Raises:
        RegistryError: the token is none of ours.
    """
    if page.token is None:
        return None
    try:
        value = json.loads(base64.urlsafe_b64decode(page.token.encode("ascii")))
    except (ValueError, binascii.Error, RecursionError):
        value = None
    if not isinstance(value, list) or tuple(map(type, value)) != parts or any(map(_is_too_large, value)):
        raise registry_error("The NextToken is invalid.")
    return value


def render_page(
    rows: Sequence[Any], page: Page, item: Callable[[Any], Item], key: Callable[[Any], Sequence[Any]]
) -> Listed[Item]:
    """Return a page of `rows`, which hold one more than the page where there is a next one."""
    size = page_size(page)
    shown = rows[:size]
    token = None
    if len(rows) > size:
        token = base64.urlsafe_b64encode(json.dumps(list(key(shown[-1]))).encode()).decode("ascii")
    return Listed(tuple(item(each) for each in shown), token)


def _is_too_large(value: object) -> bool:
    """Return whether no database counts that far."""
    return isinstance(value, (int, float)) and not abs(value) < _COUNTABLE
