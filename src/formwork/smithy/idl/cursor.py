"""A position in a file's tokens, and the expectations that statements are built from."""

from typing import NoReturn

from formwork.smithy.definitions import UnresolvedId
from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.idl.errors import SmithySyntaxError
from formwork.smithy.idl.strings import describe_bad_string, string_value, text_block_value
from formwork.smithy.idl.tokens import Token, display_expected, display_found, tokenize
from formwork.smithy.places import SourcePlace, SourceText

MAX_DEPTH = 64

_SPACE = Token.SPACE.value
_COMMENT = Token.COMMENT.value
_DOC = Token.DOC_COMMENT.value
_EOF = Token.EOF.value


class TokenCursor:
    """A reader of tokens that keeps passed documentation comments until a statement takes them."""

    __slots__ = ("depth", "docs", "events", "index", "kinds", "mark", "references", "source", "starts", "text")

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.text = source.text
        self.kinds, self.starts = tokenize(source.text)
        self.index = 0
        self.depth = 0
        self.docs: list[int] = []
        self.events: list[Event] = []
        self.references: list[UnresolvedId] = []
        # How many references the statements read whole had; those of a broken one are forgotten.
        self.mark = 0

    @property
    def kind(self) -> int:
        """The kind of the current token."""
        return self.kinds[self.index]

    @property
    def lexeme(self) -> str:
        """The text of the current token."""
        return self.text[self.starts[self.index] : self.starts[self.index + 1]] if self.kind != _EOF else ""

    @property
    def place(self) -> SourcePlace:
        """The place at which the current token starts."""
        return SourcePlace(self.source, self.starts[self.index])

    @property
    def column(self) -> int:
        """The column of the current token, 1 at the start of a line."""
        start = self.starts[self.index]
        return 1 if start == 0 or self.text[start - 1] in "\r\n" else 2

    def string(self) -> str:
        """Return the value of the current STRING, TEXT_BLOCK or IDENTIFIER."""
        kind = self.kinds[self.index]
        if kind == Token.STRING:
            return string_value(self.lexeme)
        return text_block_value(self.lexeme) if kind == Token.TEXT_BLOCK else self.lexeme

    def advance(self) -> None:
        """Advance to the next token; a passed documentation comment is kept for the statement that takes it."""
        kind = self.kinds[self.index]
        if kind == _DOC:
            self.docs.append(self.index)
        if kind != _EOF:
            self.index += 1

    def skip_spaces(self) -> None:
        """Skip blanks on this line."""
        while self.kinds[self.index] == _SPACE:
            self.index += 1

    def skip_ws(self) -> None:
        """Skip whitespace (blanks, line ends, commas, comments) up to a documentation comment."""
        kinds, index = self.kinds, self.index
        while kinds[index] <= _COMMENT:
            index += 1
        self.index = index

    def skip_ws_and_docs(self) -> None:
        """Skip whitespace and documentation comments."""
        kinds, index = self.kinds, self.index
        while kinds[index] <= _DOC:
            if kinds[index] == _DOC:
                self.docs.append(index)
            index += 1
        self.index = index

    def expect(self, *kinds: Token) -> None:
        """Raise unless the current token is of one of `kinds`."""
        if self.kinds[self.index] not in kinds:
            self.refuse(*kinds)

    def take(self, kind: Token) -> None:
        """Pass a token of that kind."""
        if self.kinds[self.index] != kind:
            self.refuse(kind)
        self.index += 1

    def take_identifier(self) -> str:
        """Pass an identifier and return it."""
        if self.kinds[self.index] != Token.IDENTIFIER:
            self.refuse(Token.IDENTIFIER)
        start = self.starts[self.index]
        self.index += 1
        return self.text[start : self.starts[self.index]]

    def take_spaces(self) -> None:
        """Pass blanks, at least one."""
        self.take(Token.SPACE)
        self.skip_spaces()

    def take_break(self) -> None:
        """Pass the end of a statement: a line end, a comment or the end of the file.

        A documentation comment behind the statement documents nothing.
        """
        self.skip_spaces()
        if self.kinds[self.index] == _DOC:
            self.docs.append(self.index)
        self.report_loose_docs()
        if self.kinds[self.index] in (Token.NEWLINE, Token.COMMENT, Token.DOC_COMMENT):
            self.index += 1
        elif self.kinds[self.index] != _EOF:
            self.fail(f"Expected a line break, but found {self.found()}")

    def take_whitespace(self) -> None:
        """Pass whitespace, at least one token of it."""
        if self.kinds[self.index] > _DOC:
            self.fail(f"Expected one or more whitespace characters, but found {self.found()}")
        self.skip_ws_and_docs()

    def found(self) -> str:
        """Return the current token as messages name it."""
        return display_found(Token(self.kind), self.lexeme)

    def take_docs(self) -> str | None:
        """Return the text of the documentation comments passed since the last call, or None."""
        if not self.docs:
            return None
        lines = [self._doc_line(index) for index in self.docs]
        self.docs.clear()
        return "\n".join(lines)

    def _doc_line(self, index: int) -> str:
        line = self.text[self.starts[index] + 3 : self.starts[index + 1]].rstrip("\r\n")
        return line.removeprefix(" ")

    def report_loose_docs(self) -> None:
        """Warn about passed documentation comments that no statement took, and drop them."""
        lines = self.take_docs()
        if lines is None:
            return
        message = (
            "Found documentation comments ('///') attached to nothing. Documentation comments must appear on their own "
            "lines, directly before shapes and members, and before any traits. The invalid comments were: " + lines
        )
        self.events.append(Event("Model.BadDocumentationComment", EventSeverity.WARNING, message, None, self.place))

    def enter(self) -> None:
        """Enter a nested value; refuse one that is nested too deep."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"Parser exceeded maximum allowed depth of {MAX_DEPTH}")

    def leave(self) -> None:
        """Leave a nested value."""
        self.depth -= 1

    def refuse(self, *kinds: Token) -> NoReturn:
        """Raise because the current token is of none of `kinds`."""
        if self.kinds[self.index] == Token.ERROR:
            raise SmithySyntaxError(self.describe_error_token(), self.place)
        names = ", ".join(map(display_expected, kinds))
        if len(kinds) == 1:
            self.fail(f"Expected {names} but found {self.found()}")
        self.fail(f"Expected one of {names}; but found {self.found()}")

    def fail(self, message: str, *, shape: str | None = None) -> NoReturn:
        """Raise a syntax error at the current token."""
        raise SmithySyntaxError(message, self.place, shape=shape)

    def describe_error_token(self) -> str:
        """Return what is wrong with the current ERROR token."""
        lexeme = self.lexeme
        if lexeme[0] == '"':
            problem = describe_bad_string(lexeme)
            what = "text block" if lexeme.startswith('"""') else "quoted string"
            unclosed = SmithySyntaxError("Expected: '\"', but found '[EOF]'", self._end_of_text())
            return problem or f"Error parsing {what}: {unclosed}"
        if lexeme[0] in "-0123456789":
            return _describe_number(lexeme)
        if lexeme[0] == "_":
            after = lexeme.lstrip("_") or "[EOF]"
            place = SourcePlace(self.source, self.starts[self.index] + len(lexeme) - (1 if after != "[EOF]" else 0))
            return str(SmithySyntaxError(f"Expected a valid identifier character, but found '{after}'", place))
        return f"Unexpected character: '{lexeme}'"

    def _end_of_text(self) -> SourcePlace:
        return SourcePlace(self.source, len(self.text))


def _describe_number(lexeme: str) -> str:
    match lexeme[-1]:
        case "-" if len(lexeme) == 1:
            need = "'-'"
        case ".":
            need = "'.'"
        case _:
            need = "'e', '+', and '-'"
    return f"Invalid number '{lexeme}': {need} must be followed by a digit"
