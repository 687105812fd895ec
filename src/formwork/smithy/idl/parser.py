"""The IDL parser: the text of one .smithy file to its definitions, with recovery from syntax errors."""

from formwork.smithy.definitions import VERSIONS, MetadataEntry, ModelFile
from formwork.smithy.events import model_error, model_warning
from formwork.smithy.idl.cursor import TokenCursor
from formwork.smithy.idl.errors import SmithySyntaxError, UnusableFileError
from formwork.smithy.idl.nodes import take_node
from formwork.smithy.idl.shape_ids import take_absolute_shape_id, take_namespace
from formwork.smithy.idl.shape_statements import take_statement
from formwork.smithy.idl.statement import Statement
from formwork.smithy.idl.tokens import Token
from formwork.smithy.nodes import Node, render_node
from formwork.smithy.places import SourceText

_STATEMENT_STARTS = (Token.IDENTIFIER, Token.DOC_COMMENT, Token.AT, Token.DOLLAR)


def parse_idl(text: str, *, name: str) -> ModelFile:
    """Return what the file `name` with that text says; never raises for its content: what is wrong is in `events`."""
    source = SourceText(name, text)
    cursor = TokenCursor(source)
    file = ModelFile(source, events=cursor.events, references=cursor.references)
    try:
        _take_file(Statement(cursor, file))
    except SmithySyntaxError as error:
        file.events.append(model_error(str(error), shape=error.shape, place=error.place))
        del cursor.references[cursor.mark :]
    except UnusableFileError as error:
        file.events.append(model_error(str(error), place=error.place))
        del cursor.references[cursor.mark :]
    return file


def _take_file(statement: Statement) -> None:
    cursor = statement.cursor
    cursor.skip_ws_and_docs()
    defined: set[str] = set()
    while cursor.kind == Token.DOLLAR:
        try:
            _take_control(statement, defined)
        except SmithySyntaxError as error:
            _recover(cursor, error)
            cursor.skip_ws_and_docs()
    while cursor.kind == Token.IDENTIFIER and cursor.lexeme == "metadata":
        try:
            _take_metadata(statement)
        except SmithySyntaxError as error:
            _recover(cursor, error)
            cursor.skip_ws_and_docs()
    if cursor.kind == Token.EOF:
        return
    if cursor.lexeme != "namespace":
        cursor.fail(f"Expected a namespace definition but found {cursor.found()}")
    _take_namespace(statement)
    while cursor.kind != Token.EOF:
        cursor.mark = len(cursor.references)
        try:
            take_statement(statement)
        except SmithySyntaxError as error:
            _recover(cursor, error)


def _recover(cursor: TokenCursor, error: SmithySyntaxError) -> None:
    """Record the error and go to the next line that looks like the start of a statement."""
    if cursor.kind == Token.EOF:
        raise error
    cursor.events.append(model_error(str(error), shape=error.shape, place=error.place))
    del cursor.references[cursor.mark :]
    cursor.docs.clear()
    cursor.depth = 0
    while cursor.kind != Token.EOF:
        cursor.index += 1
        if cursor.kind in _STATEMENT_STARTS and cursor.column == 1:
            return


def _take_control(statement: Statement, defined: set[str]) -> None:
    cursor = statement.cursor
    cursor.advance()
    cursor.expect(Token.IDENTIFIER, Token.STRING)
    key = cursor.string()
    cursor.advance()
    cursor.skip_spaces()
    cursor.take(Token.COLON)
    cursor.skip_spaces()
    if key in defined:
        cursor.fail(f"Duplicate control statement `{key}`")
    defined.add(key)
    place = cursor.place
    entry = MetadataEntry(key, None, place)
    entry.value = take_node(cursor, entry, "value")
    _apply_control(statement, entry)
    cursor.take_break()
    cursor.skip_ws_and_docs()


def _apply_control(statement: Statement, entry: MetadataEntry) -> None:
    value: Node = entry.value
    if entry.key == "version":
        if not isinstance(value, str):
            message = f"The $version control statement must have a string value, but found {render_node(value)}"
            raise UnusableFileError(message, entry.place)
        if value not in VERSIONS:
            statement.cursor.fail(f"Unsupported Smithy version number: {value}")
        statement.file.version = VERSIONS[value]
    elif entry.key in ("operationInputSuffix", "operationOutputSuffix"):
        if not isinstance(value, str):
            raise UnusableFileError(f"Expected string, but found {render_node(value)}.", entry.place)
        if entry.key == "operationInputSuffix":
            statement.input_suffix = value
        else:
            statement.output_suffix = value
    else:
        message = f"Unknown control statement `{entry.key}` with value `{render_node(value)}`"
        statement.cursor.events.append(model_warning(message, place=entry.place))


def _take_metadata(statement: Statement) -> None:
    cursor = statement.cursor
    cursor.mark = len(cursor.references)
    cursor.advance()
    cursor.take_spaces()
    cursor.expect(Token.IDENTIFIER, Token.STRING)
    key = cursor.string()
    cursor.advance()
    cursor.skip_spaces()
    cursor.take(Token.EQUAL)
    cursor.skip_spaces()
    entry = MetadataEntry(key, None, cursor.place)
    entry.value = take_node(cursor, entry, "value")
    statement.file.metadata.append(entry)
    cursor.take_break()
    cursor.skip_ws_and_docs()


def _take_namespace(statement: Statement) -> None:
    cursor = statement.cursor
    cursor.advance()
    cursor.take_spaces()
    statement.file.namespace = take_namespace(cursor)
    cursor.take_break()
    cursor.skip_ws_and_docs()
    while cursor.kind == Token.IDENTIFIER and cursor.lexeme == "use":
        _take_use(statement)
    _step_back_to_docs(cursor)


def _take_use(statement: Statement) -> None:
    cursor = statement.cursor
    cursor.advance()
    cursor.take_spaces()
    place = cursor.place
    shape_id = take_absolute_shape_id(cursor)
    if cursor.kind == Token.DOLLAR:
        cursor.fail("Use statements cannot use members")
    name = shape_id.partition("#")[2]
    uses = statement.file.uses
    if name in uses:
        message = f"Cannot use name `{shape_id}` because it conflicts with `{uses[name][0]}`"
        raise UnusableFileError(message, place)
    uses[name] = (shape_id, place)
    cursor.take_break()
    cursor.skip_ws_and_docs()


def _step_back_to_docs(cursor: TokenCursor) -> None:
    """Documentation comments between the last `use` and the first shape are the shape's: read them again."""
    if cursor.docs:
        cursor.index = cursor.docs[0]
        cursor.docs.clear()
