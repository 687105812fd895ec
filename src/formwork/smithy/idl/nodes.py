"""Node values in the IDL: what stands after `=` and inside trait parentheses."""

from formwork.smithy.definitions import MetadataEntry, TraitApplication, UnresolvedId
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.errors import UnusableFileError
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.strings import string_value, text_block_value
from formwork.smithy.idl.tokens import Token
from formwork.smithy.nodes import Node, parse_number

_KEYWORDS = {"true": True, "false": False, "null": None}
_STARTS = (Token.STRING, Token.TEXT_BLOCK, Token.NUMBER, Token.IDENTIFIER, Token.LBRACE, Token.LBRACKET)

Holder = dict[str, Node] | list[Node] | TraitApplication | MetadataEntry


def take_node(cursor: TokenCursor, holder: Holder, key: str | int) -> Node:
    """Pass a value and return it.

    A bare shape id gives the name as written, and a reference that will put the absolute id at `holder[key]`, or
    at `holder.value` for an application or an entry.
    """
    kind = cursor.kinds[cursor.index]
    value: Node
    if kind == Token.STRING:
        value = string_value(cursor.lexeme)
    elif kind == Token.IDENTIFIER:
        return take_bare(cursor, holder, key)
    elif kind == Token.NUMBER:
        value = parse_number(cursor.lexeme)
    elif kind == Token.LBRACE:
        return take_object(cursor)
    elif kind == Token.LBRACKET:
        return take_array(cursor)
    elif kind == Token.TEXT_BLOCK:
        value = text_block_value(cursor.lexeme)
    else:
        cursor.refuse(*_STARTS)
    cursor.index += 1
    return value


def take_bare(cursor: TokenCursor, holder: Holder, key: str | int) -> Node:
    """Pass true, false, null or a shape id."""
    index = cursor.index
    place = cursor.place
    name = take_shape_id(cursor, member=True)
    if cursor.index == index + 1 and name in _KEYWORDS:
        return _KEYWORDS[name]
    cursor.references.append(UnresolvedId(holder, key, name, place))
    return name


def take_array(cursor: TokenCursor) -> list[Node]:
    """Pass `[…]`."""
    cursor.enter()
    cursor.take(Token.LBRACKET)
    cursor.skip_ws_and_docs()
    values: list[Node] = []
    while cursor.kinds[cursor.index] != Token.RBRACKET:
        values.append(take_node(cursor, values, len(values)))
        cursor.skip_ws_and_docs()
    cursor.index += 1
    cursor.leave()
    return values


def take_object(cursor: TokenCursor) -> dict[str, Node]:
    """Pass `{…}`."""
    cursor.enter()
    cursor.take(Token.LBRACE)
    cursor.skip_ws_and_docs()
    values: dict[str, Node] = {}
    while cursor.kinds[cursor.index] not in (Token.RBRACE, Token.EOF):
        cursor.expect(Token.RBRACE, Token.STRING, Token.IDENTIFIER)
        take_pair(cursor, values)
        cursor.skip_ws_and_docs()
    cursor.take(Token.RBRACE)
    cursor.leave()
    return values


def take_pair(cursor: TokenCursor, values: dict[str, Node], *, of: str = "") -> None:
    """Pass `key: value` into `values`; the current token is the key's. `of` is for the message on a repeated key."""
    place = cursor.place
    key = cursor.string()
    cursor.index += 1
    cursor.skip_ws_and_docs()
    cursor.take(Token.COLON)
    cursor.skip_ws_and_docs()
    value = take_node(cursor, values, key)
    if key in values:
        raise UnusableFileError(f"Duplicate member{of}: '{key}'", place)
    values[key] = value
