"""Trait applications and documentation comments before shapes and members."""

from formwork.smithy.definitions import TraitApplication
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.nodes import take_bare, take_node, take_pair
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.tokens import Token
from formwork.smithy.nodes import Node

DOCUMENTATION = "smithy.api#documentation"
_BODY_STARTS = (Token.LBRACE, Token.LBRACKET, Token.TEXT_BLOCK, Token.STRING, Token.NUMBER, Token.IDENTIFIER)
_ID_CONTINUES = (Token.DOT, Token.POUND, Token.DOLLAR)


def take_docs_and_traits(cursor: TokenCursor) -> list[TraitApplication]:
    """Pass documentation comments, then traits; the applications' targets are still empty."""
    kinds = cursor.kinds
    cursor.skip_ws()
    documentation: TraitApplication | None = None
    if kinds[cursor.index] == Token.DOC_COMMENT:
        cursor.report_loose_docs()
        place = cursor.place
        cursor.skip_ws_and_docs()
        if kinds[cursor.index] in (Token.RBRACE, Token.EOF):
            # Nothing follows that it could belong to: the end of the statement reports it.
            return []
        text = cursor.take_docs()
        documentation = TraitApplication("", DOCUMENTATION, text, place)
    applications: list[TraitApplication] = []
    while kinds[cursor.index] == Token.AT:
        applications.append(take_trait(cursor))
        cursor.skip_ws_and_docs()
    if documentation is not None:
        applications.append(documentation)
    return applications


def is_only_documentation(applications: list[TraitApplication]) -> bool:
    """Return whether there is nothing but a documentation comment, which may stand before what cannot have one."""
    match applications:
        case []:
            return True
        case [only]:
            return only.trait == DOCUMENTATION and not only.annotation
        case _:
            return False


def take_trait(cursor: TokenCursor) -> TraitApplication:
    """Pass `@id`, `@id(value)` or `@id(key: value …)`."""
    place = cursor.place
    cursor.take(Token.AT)
    application = TraitApplication("", take_shape_id(cursor), None, place, annotation=True)
    if cursor.kinds[cursor.index] != Token.LPAREN:
        return application
    cursor.index += 1
    cursor.skip_ws_and_docs()
    if cursor.kinds[cursor.index] != Token.RPAREN:
        cursor.enter()
        application.annotation = False
        application.value = _take_body(cursor, application)
        cursor.skip_ws_and_docs()
        cursor.leave()
    cursor.take(Token.RPAREN)
    return application


def _take_body(cursor: TokenCursor, application: TraitApplication) -> Node:
    cursor.expect(*_BODY_STARTS)
    following = cursor.kinds[_next_significant(cursor)]
    if cursor.kind == Token.STRING and following == Token.COLON:
        return _take_members(cursor)
    if cursor.kind == Token.IDENTIFIER:
        is_id = cursor.kinds[cursor.index + 1] in _ID_CONTINUES
        return take_bare(cursor, application, "value") if is_id or following == Token.RPAREN else _take_members(cursor)
    return take_node(cursor, application, "value")


def _next_significant(cursor: TokenCursor) -> int:
    index = cursor.index + 1
    while cursor.kinds[index] <= Token.DOC_COMMENT:
        index += 1
    return index


def _take_members(cursor: TokenCursor) -> dict[str, Node]:
    values: dict[str, Node] = {}
    take_pair(cursor, values)
    cursor.skip_ws_and_docs()
    while cursor.kinds[cursor.index] not in (Token.RPAREN, Token.EOF):
        cursor.expect(Token.IDENTIFIER, Token.STRING)
        take_pair(cursor, values, of=" of trait")
        cursor.skip_ws_and_docs()
    return values
