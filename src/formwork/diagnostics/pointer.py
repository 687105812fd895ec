"""JSON pointers (RFC 6901): text to tokens and back, and looking values up."""

import re
from collections.abc import Sequence
from typing import Any

_INDEX = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_BAD_ESCAPE = re.compile(r"~(?![01])")


class PointerError(ValueError):
    """A text that is not a JSON pointer, or a pointer whose target is not in the value."""


def parse_pointer(text: str) -> tuple[str, ...]:
    """Return the tokens of `text`: `/properties/a~1b` gives `("properties", "a/b")`, "" gives ().

    Raises:
        PointerError: `text` is not empty and does not start with "/", or has a "~" not followed by 0 or 1.
    """
    if not text:
        return ()
    if not text.startswith("/"):
        msg = f'JSON pointer "{text}" does not start with "/"'
        raise PointerError(msg)
    if "~" not in text:  # nearly always
        return tuple(text[1:].split("/"))
    if _BAD_ESCAPE.search(text):
        msg = f'JSON pointer "{text}" has a "~" that is not followed by 0 or 1'
        raise PointerError(msg)
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in text[1:].split("/"))


def render_pointer(tokens: Sequence[str | int]) -> str:
    """Return the text of `tokens`, escaped: `("properties", "a/b")` gives `/properties/a~1b`."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def expect_at(value: Any, tokens: Sequence[str | int]) -> Any:
    """Return the value that `tokens` lead to in `value` (objects by key, arrays by index without leading zeros).

    Raises:
        PointerError: a token leads nowhere.
    """
    for depth, token in enumerate(tokens):
        match value:
            case dict() if token in value:
                value = value[token]
            case list() if _INDEX.fullmatch(str(token)) and int(token) < len(value):
                value = value[int(token)]
            case _:
                msg = f'"{render_pointer(tokens[: depth + 1])}" leads nowhere'
                raise PointerError(msg)
    return value


def get_at(value: Any, tokens: Sequence[str | int], default: Any = None) -> Any:
    """Return the value that `tokens` lead to, or `default`."""
    try:
        return expect_at(value, tokens)
    except PointerError:
        return default
