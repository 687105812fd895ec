"""Operation statements with their inline inputs and outputs."""

from formwork.smithy.definitions import ShapeDefinition, TraitApplication, Version
from formwork.smithy.idl.members import take_members
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.statement import Statement, take_bound_resource, take_mixins
from formwork.smithy.idl.tokens import Token
from formwork.smithy.idl.traits import take_docs_and_traits
from formwork.smithy.nodes import Node
from formwork.smithy.shape_ids import name_of
from formwork.smithy.shapes import ShapeType


def take_operation_body(statement: Statement, definition: ShapeDefinition) -> None:
    """Pass `{ input … output … errors … }`."""
    cursor = statement.cursor
    cursor.skip_ws_and_docs()
    cursor.take(Token.LBRACE)
    cursor.skip_ws_and_docs()
    while cursor.kind not in (Token.RBRACE, Token.EOF):
        cursor.expect(Token.IDENTIFIER)
        name = cursor.lexeme
        if name in definition.properties:
            cursor.fail(f"Duplicate operation {name} property for `{definition.id}`")
        cursor.advance()
        cursor.skip_ws_and_docs()
        definition.properties[name] = _take_property(statement, definition, name)
        cursor.take_whitespace()
    cursor.take(Token.RBRACE)


def _take_property(statement: Statement, definition: ShapeDefinition, name: str) -> Node:
    match name:
        case "input":
            return _take_io(statement, definition, statement.input_suffix, "smithy.api#input")
        case "output":
            return _take_io(statement, definition, statement.output_suffix, "smithy.api#output")
        case "errors":
            return _take_errors(statement)
        case _:
            pass
    return statement.cursor.fail(f"Unknown property {name} for {definition.id}", shape=definition.id)


def _take_errors(statement: Statement) -> list[Node]:
    cursor = statement.cursor
    cursor.take(Token.COLON)
    cursor.skip_ws_and_docs()
    cursor.take(Token.LBRACKET)
    cursor.skip_ws_and_docs()
    errors: list[Node] = []
    while cursor.kind != Token.RBRACKET:
        errors.append(take_shape_id(cursor))
        cursor.skip_ws_and_docs()
    cursor.advance()
    return errors


def _take_io(statement: Statement, operation: ShapeDefinition, suffix: str, trait: str) -> str:
    cursor = statement.cursor
    cursor.expect(Token.COLON, Token.WALRUS)
    if cursor.kind == Token.COLON:
        cursor.advance()
        cursor.skip_ws_and_docs()
        return take_shape_id(cursor)
    cursor.advance()
    if operation.version is Version.V1:
        cursor.fail(
            "Inlined operation inputs and outputs can only be used with Smithy version 2 or later. "
            f"Attempted to use inlined IO with version `{operation.version}`.",
            shape=operation.id,
        )
    cursor.docs.clear()
    applications = take_docs_and_traits(cursor)
    place = cursor.place
    definition = statement.define(ShapeType.STRUCTURE, name_of(operation.id) + suffix, place)
    take_bound_resource(statement, definition)
    take_mixins(statement, definition)
    take_members(statement, definition)
    statement.add(definition, [*applications, TraitApplication("", trait, {}, place)])
    return definition.id
