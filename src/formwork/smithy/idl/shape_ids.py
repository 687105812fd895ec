"""Namespaces and shape ids in the IDL."""

from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.tokens import Token

_DOT = Token.DOT.value
_POUND = Token.POUND.value
_DOLLAR = Token.DOLLAR.value


def take_namespace(cursor: TokenCursor) -> str:
    """Pass `a.b.c` and return it."""
    start = cursor.starts[cursor.index]
    cursor.take_identifier()
    while cursor.kinds[cursor.index] == _DOT:
        cursor.index += 1
        cursor.take_identifier()
    return cursor.text[start : cursor.starts[cursor.index]]


def take_shape_id(cursor: TokenCursor, *, member: bool = False) -> str:
    """Pass a relative or absolute shape id, with `$member` where allowed, and return it as written."""
    start = cursor.starts[cursor.index]
    name = cursor.take_identifier()
    kind = cursor.kinds[cursor.index]
    if kind in (_DOT, _POUND):
        _take_absolute_rest(cursor)
    elif not member or kind != _DOLLAR:
        return name
    if member and cursor.kinds[cursor.index] == _DOLLAR:
        cursor.index += 1
        cursor.take_identifier()
    return cursor.text[start : cursor.starts[cursor.index]]


def _take_absolute_rest(cursor: TokenCursor) -> None:
    while cursor.kinds[cursor.index] == _DOT:
        cursor.index += 1
        cursor.take_identifier()
    cursor.take(Token.POUND)
    cursor.take_identifier()


def take_absolute_shape_id(cursor: TokenCursor) -> str:
    """Pass an absolute shape id and return it."""
    start = cursor.starts[cursor.index]
    take_namespace(cursor)
    cursor.take(Token.POUND)
    cursor.take_identifier()
    return cursor.text[start : cursor.starts[cursor.index]]
