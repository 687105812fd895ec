"""Shape and apply statements."""

from formwork.smithy.definitions import ShapeDefinition, TraitApplication, Version
from formwork.smithy.events import describe_unknown_properties, model_warning
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.members import take_members
from formwork.smithy.idl.nodes import take_object
from formwork.smithy.idl.operations import take_operation_body
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.statement import Statement, take_bound_resource, take_mixins
from formwork.smithy.idl.tokens import Token
from formwork.smithy.idl.traits import is_only_documentation, take_docs_and_traits, take_trait
from formwork.smithy.places import SourcePlace
from formwork.smithy.shapes import AGGREGATE_TYPES, ShapeType

_TYPES = {str(each): each for each in ShapeType if each is not ShapeType.MEMBER}

# What service and resource statements may say; everything else is a warning.
KNOWN_PROPERTIES = {
    ShapeType.SERVICE: ("errors", "operations", "rename", "resources", "type", "version"),
    ShapeType.RESOURCE: (
        "collectionOperations", "create", "delete", "identifiers", "list", "operations", "properties", "put", "read",
        "resources", "type", "update",
    ),
}  # fmt: skip


def take_statement(statement: Statement) -> None:
    """Pass one shape or apply statement with the traits before it; documentation at the end of the file is none."""
    cursor = statement.cursor
    statement.of_members.clear()
    applications = take_docs_and_traits(cursor)
    if cursor.kind == Token.EOF and not applications:
        cursor.report_loose_docs()
        return
    cursor.expect(Token.IDENTIFIER)
    keyword, place = cursor.lexeme, cursor.place
    if keyword == "apply":
        if not is_only_documentation(applications):
            cursor.fail("Traits applied to apply statement")
        _take_apply(statement)
    elif keyword in _TYPES:
        cursor.advance()
        _take_shape(statement, _TYPES[keyword], place, applications)
    else:
        cursor.fail(f"Unknown shape type: {keyword}")
    cursor.take_break()
    cursor.skip_ws()


def _take_shape(
    statement: Statement, shape_type: ShapeType, place: SourcePlace, applications: list[TraitApplication]
) -> None:
    cursor = statement.cursor
    cursor.take_spaces()
    name = cursor.take_identifier()
    definition = statement.define(shape_type, name, place)
    if shape_type in AGGREGATE_TYPES:
        take_bound_resource(statement, definition)
    take_mixins(statement, definition)
    if shape_type in (ShapeType.SERVICE, ShapeType.RESOURCE):
        cursor.skip_ws_and_docs()
        _take_properties(statement, definition)
    elif shape_type is ShapeType.OPERATION:
        take_operation_body(statement, definition)
    elif shape_type in (ShapeType.ENUM, ShapeType.INT_ENUM):
        take_members(statement, definition, enum=True)
    elif shape_type in AGGREGATE_TYPES:
        take_members(statement, definition)
    statement.add(definition, applications)


def _take_properties(statement: Statement, definition: ShapeDefinition) -> None:
    cursor = statement.cursor
    place = cursor.place
    first = len(cursor.references)
    cursor.expect(Token.LBRACE)
    definition.properties = take_object(cursor)
    if definition.type is ShapeType.RESOURCE and "properties" in definition.properties:
        _check_version_of_properties(cursor, definition)
    # Bare ids and quoted ids in these objects resolve alike, later, with the definition.
    del cursor.references[first:]
    unknown = sorted(definition.properties.keys() - set(KNOWN_PROPERTIES[definition.type]))
    if unknown:
        message = describe_unknown_properties(KNOWN_PROPERTIES[definition.type], unknown)
        cursor.events.append(model_warning(message, shape=definition.id, place=place))


def _check_version_of_properties(cursor: TokenCursor, definition: ShapeDefinition) -> None:
    if definition.version is Version.V1:
        cursor.fail(
            "Resource properties can only be used with Smithy version 2 or later. "
            f"Attempted to use resource properties with version `{definition.version}`.",
            shape=definition.id,
        )


def _take_apply(statement: Statement) -> None:
    cursor = statement.cursor
    cursor.advance()
    cursor.take_whitespace()
    cursor.docs.clear()
    target = take_shape_id(cursor, member=True)
    cursor.take_whitespace()
    cursor.expect(Token.AT, Token.LBRACE)
    if cursor.kind == Token.AT:
        statement.apply(target, [take_trait(cursor)])
        return
    cursor.advance()
    cursor.skip_ws_and_docs()
    applications: list[TraitApplication] = []
    while cursor.kind not in (Token.RBRACE, Token.EOF):
        applications.append(take_trait(cursor))
        cursor.skip_ws_and_docs()
    cursor.take(Token.RBRACE)
    statement.apply(target, applications)
