"""What the parsers of statements share: the cursor, the file being filled and what the file has said so far."""

from collections.abc import Iterable

from msgspec import Struct, field

from formwork.smithy.definitions import ModelFile, ShapeDefinition, TraitApplication, Version
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.errors import UnusableFileError
from formwork.smithy.idl.shape_ids import take_shape_id
from formwork.smithy.idl.tokens import Token
from formwork.smithy.places import SourcePlace
from formwork.smithy.shapes import ShapeType


class Statement(Struct):
    """The reading of one file, statement by statement."""

    cursor: TokenCursor
    file: ModelFile
    input_suffix: str = "Input"
    output_suffix: str = "Output"
    # The values of members of the definition being read; where that turns out to be none they are values of nothing.
    of_members: list[tuple[str, list[TraitApplication]]] = field(default_factory=list)

    @property
    def version(self) -> Version:
        """The version of the file."""
        return self.file.version

    def define(self, shape_type: ShapeType, name: str, place: SourcePlace) -> ShapeDefinition:
        """Start a definition; it joins the file only when it has been read whole."""
        file = self.file
        if name in file.uses:
            imported = file.uses[name][0]
            message = f"Shape name `{name}` conflicts with imported shape `{imported}`"
            raise UnusableFileError(message, place)
        return ShapeDefinition(f"{file.namespace}#{name}", shape_type, place, file.version)

    def add(self, definition: ShapeDefinition, applications: list[TraitApplication]) -> None:
        """A definition that was read whole, with its traits and its members' values."""
        self.file.definitions.append(definition)
        self.apply(definition.id, applications)
        for name, each in self.of_members:
            self.apply(f"{definition.id}${name}", each)
        self.of_members.clear()

    def apply(self, target: str, applications: Iterable[TraitApplication]) -> None:
        """Traits of `target`, a shape or a member."""
        for application in applications:
            application.target = target
            self.file.applications.append(application)


def take_bound_resource(statement: Statement, definition: ShapeDefinition) -> None:
    """Parse an optional `for Resource`."""
    cursor = statement.cursor
    cursor.skip_spaces()
    if cursor.kind != Token.IDENTIFIER or cursor.lexeme != "for":
        return
    if definition.version is Version.V1:
        cursor.fail(
            "Structures can only be bound to resources with Smithy version 2 or later. "
            f"Attempted to bind a structure to a resource with version `{definition.version}`.",
            shape=definition.id,
        )
    cursor.advance()
    cursor.take_spaces()
    definition.bound_resource = take_shape_id(cursor)


def take_mixins(statement: Statement, definition: ShapeDefinition) -> None:
    """Parse an optional `with [A, B]`."""
    cursor = statement.cursor
    cursor.skip_spaces()
    if cursor.kind != Token.IDENTIFIER or cursor.lexeme != "with":
        return
    if definition.version is Version.V1:
        cursor.fail(
            "Mixins can only be used with Smithy version 2 or later. "
            f"Attempted to use mixins with version `{definition.version}`.",
            shape=definition.id,
        )
    cursor.advance()
    cursor.skip_ws_and_docs()
    cursor.take(Token.LBRACKET)
    cursor.skip_ws_and_docs()
    while True:
        definition.mixins.append(take_shape_id(cursor))
        cursor.skip_ws_and_docs()
        if cursor.kind == Token.RBRACKET:
            break
    cursor.take(Token.RBRACKET)
