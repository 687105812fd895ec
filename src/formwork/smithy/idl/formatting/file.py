"""A whole file: its sections in order, and the empty lines and comments between statements."""

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from formwork.smithy.idl.formatting.layout import Layout, render
from formwork.smithy.idl.formatting.pieces import Comment, read_pieces
from formwork.smithy.idl.formatting.statements import take_statement
from formwork.smithy.idl.formatting.values import take_key, take_value
from formwork.smithy.idl.formatting.walk import Walk
from formwork.smithy.idl.tokens import Token

WIDTH = 120


class _Statement(Struct):
    """A statement on its way: the comments above it, its text, those beside and right below it."""

    text: str
    above: list[Comment] = field(default_factory=list)
    after: list[Comment] = field(default_factory=list)
    below: list[Comment] = field(default_factory=list)
    imports: str = ""  # the shape id that a `use` imports

    def lines(self) -> str:
        """Return all of it."""
        beside = "".join(f" {comment.shown()}" for comment in self.after)
        return "\n".join(
            [*(each.shown() for each in self.above), self.text + beside, *(each.shown() for each in self.below)]
        )


def format_file(text: str) -> str:
    """Return the formatted text of a file that has no syntax errors.

    Raises:
        UnexpectedPieceError: it has one.
    """
    return _File(Walk(read_pieces(text))).format()


class _File:
    """Reads a file once, statement by statement; the comments between two statements wait in `pending`."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.pending: list[Comment] = []
        self.sections: list[str] = []

    def format(self) -> str:
        """Return the text."""
        walk = self.walk
        top = [each.shown() for each in _demoted(walk.comments())]
        self._add_section(self._take_section(lambda: walk.kind is Token.DOLLAR, _take_control))
        self._add_section(self._take_section(lambda: walk.is_word("metadata"), _take_metadata))
        if walk.is_word("namespace"):
            self._take_shapes()
        if self.pending:
            self.sections.append("\n".join(each.shown() for each in _demoted(self.pending)))
        return "".join(f"{each}\n" for each in (*top, *(["\n\n".join(self.sections)] if self.sections else ())))

    def _take_section(self, more: Callable[[], bool], take: Callable[[Walk], Layout]) -> list[_Statement]:
        statements: list[_Statement] = []
        while more():
            statement = self._take(take)
            statement.after, self.pending = _demoted(statement.after), _demoted(self.pending)
            statements.append(statement)
        return statements

    def _take(self, take: Callable[[Walk], Layout], *, sticky: bool = False) -> _Statement:
        """Return a statement with the comments that belong to it; those of the next one become pending."""
        above, self.pending = self.pending, []
        statement = _Statement(render(self.walk.hoist(lambda: take(self.walk)), WIDTH), above)
        line = self.walk.last_line
        for comment in self.walk.comments():
            if comment.line == self.walk.last_line:
                statement.after.append(comment)
            elif sticky and not comment.documents and not self.pending and comment.line == line + 1:
                statement.below.append(comment)
                line = comment.line
            else:
                self.pending.append(comment)
        return statement

    def _add_section(self, statements: Iterable[_Statement]) -> None:
        """Statements line by line, with empty lines around those of several lines."""
        text = ""
        was_long = False
        for statement in statements:
            lines = statement.lines()
            is_long = "\n" in lines
            if text:
                text += "\n\n" if is_long or was_long else "\n"
            text += lines
            was_long = is_long
        if text:
            self.sections.append(text)

    def _take_shapes(self) -> None:
        namespace = self._take(_take_namespace)
        uses = self._take_uses()
        statements = self._take_statements()
        self.sections.append(namespace.lines())
        kept = [each for each in uses if each.imports.partition("#")[2] in self.walk.names]
        self._add_section(sorted(kept, key=lambda each: each.imports))
        self.sections += statements

    def _take_uses(self) -> list[_Statement]:
        uses: list[_Statement] = []
        while self.walk.is_word("use"):
            self.pending = _demoted(self.pending)
            if uses:
                uses[-1].after = _demoted(uses[-1].after)
            start = self.walk.index
            use = self._take(_take_use)
            use.imports = "".join(piece.text for piece in self.walk.pieces[start + 1 : self.walk.index])
            uses.append(use)
        return uses

    def _take_statements(self) -> list[str]:
        texts: list[str] = []
        walk = self.walk
        previous: _Statement | None = None
        while walk.kind is not Token.EOF:
            if previous is not None and (walk.is_word("apply") or self._has_loose_banner()):
                self.pending, previous.after = _demoted(self.pending), _demoted(previous.after)
            elif walk.is_word("apply"):
                self.pending = _demoted(self.pending)
            if previous is not None:
                texts.append(previous.lines())
            previous = self._take(take_statement, sticky=True)
        if previous is not None:
            # What follows the last statement documents nothing, and stands right below it.
            previous.after = _demoted(previous.after)
            previous.below += _demoted(self.pending)
            self.pending = []
            texts.append(previous.lines())
        return texts

    def _has_loose_banner(self) -> bool:
        """Return whether a line of slashes documents nothing because an empty line follows the comments."""
        comments = self.walk.piece.before
        is_apart = bool(comments) and self.walk.piece.line > comments[-1].line + 1
        return is_apart and any(comment.documents and comment.is_banner for comment in comments)


def _demoted(comments: Iterable[Comment]) -> list[Comment]:
    return [comment.demoted() for comment in comments]


def _take_control(walk: Walk) -> Layout:
    walk.take(Token.DOLLAR)
    key = take_key(walk)
    walk.take(Token.COLON)
    return (f"${key}: ", take_value(walk))


def _take_metadata(walk: Walk) -> Layout:
    walk.take()
    key = take_key(walk)
    walk.take(Token.EQUAL)
    return (f"metadata {key} = ", take_value(walk))


def _take_namespace(walk: Walk) -> Layout:
    walk.take()
    parts = [walk.take(Token.IDENTIFIER)]
    while walk.kind is Token.DOT:
        parts += (walk.take(), walk.take(Token.IDENTIFIER))
    return f"namespace {''.join(parts)}"


def _take_use(walk: Walk) -> Layout:
    walk.take()
    return f"use {walk.take_shape_id()}"
