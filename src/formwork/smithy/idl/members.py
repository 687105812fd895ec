"""The bodies of shapes: members of aggregates, of enums and intEnums."""

from formwork.smithy.definitions import MemberDefinition, ShapeDefinition, TraitApplication, Version
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.nodes import take_node
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.statement import Statement
from formwork.smithy.idl.tokens import Token
from formwork.smithy.idl.traits import take_docs_and_traits
from formwork.smithy.places import SourcePlace
from formwork.smithy.shape_ids import UNIT

DEFAULT = "smithy.api#default"
ENUM_VALUE = "smithy.api#enumValue"


def take_members(statement: Statement, definition: ShapeDefinition, *, enum: bool = False) -> None:
    """Pass `{ members }` into `definition`."""
    cursor = statement.cursor
    kinds = cursor.kinds
    cursor.skip_ws_and_docs()
    cursor.take(Token.LBRACE)
    # What stands before the brace documents nothing; what stands behind it is the first member's.
    cursor.report_loose_docs()
    cursor.skip_ws()
    while kinds[cursor.index] not in (Token.RBRACE, Token.EOF):
        applications = take_docs_and_traits(cursor)
        if kinds[cursor.index] == Token.RBRACE and not applications:
            break
        _take_member(statement, definition, applications, enum=enum)
        cursor.skip_ws()
    cursor.take(Token.RBRACE)


def _take_member(
    statement: Statement, definition: ShapeDefinition, applications: list[TraitApplication], *, enum: bool
) -> None:
    cursor = statement.cursor
    place = cursor.place
    elided = cursor.kinds[cursor.index] == Token.DOLLAR and not enum
    if elided:
        cursor.index += 1
    cursor.expect(Token.IDENTIFIER)
    name = cursor.lexeme
    if elided and definition.version is Version.V1:
        message = "Members can only elide targets in IDL version 2 or later"
        cursor.fail(message, shape=f"{definition.id}${name}")
    if name in definition.members:
        problem = (
            f"Found conflicting member name, `{name}`" if enum else f"Duplicate member of `{definition.id}`: '{name}'"
        )
        cursor.fail(problem, shape=definition.id)
    cursor.index += 1
    target = UNIT if enum else None if elided else _take_target(cursor)
    definition.members[name] = MemberDefinition(name, target, place)
    cursor.skip_spaces()
    if cursor.kinds[cursor.index] == Token.EQUAL:
        statement.of_members.append((name, [_take_value(cursor, definition, enum=enum)]))
    statement.apply(f"{definition.id}${name}", applications)


def _take_target(cursor: TokenCursor) -> str:
    cursor.skip_spaces()
    cursor.take(Token.COLON)
    cursor.skip_spaces()
    return take_shape_id(cursor)


def _take_value(cursor: TokenCursor, definition: ShapeDefinition, *, enum: bool) -> TraitApplication:
    if not enum and definition.version is Version.V1:
        cursor.fail("@default assignment is only supported in IDL version 2 or later")
    cursor.index += 1
    cursor.skip_spaces()
    place: SourcePlace = cursor.place
    application = TraitApplication("", ENUM_VALUE if enum else DEFAULT, None, place)
    application.value = take_node(cursor, application, "value")
    cursor.skip_spaces()
    if cursor.kinds[cursor.index] == Token.COMMA:
        cursor.index += 1
    cursor.take_break()
    return application
