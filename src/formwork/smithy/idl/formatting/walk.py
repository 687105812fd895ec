"""A walk over the pieces of a file, on which no comment is lost."""

from collections.abc import Callable

from msgspec import Struct, field

from formwork.smithy.idl.formatting.layout import HARD, Layout
from formwork.smithy.idl.formatting.pieces import Comment, Piece
from formwork.smithy.idl.tokens import Token


class UnexpectedPieceError(Exception):
    """The text does not follow the grammar; the caller must check for syntax errors first."""


class Walk(Struct):
    """The position of the formatter in the pieces; `strays` are comments that still need a place in the output."""

    pieces: list[Piece]
    index: int = 0
    strays: list[Comment] = field(default_factory=list)
    quiet: int = 0  # comments that stand beside a member with a value
    taken: int = -1  # the last piece whose comments were taken
    names: set[str] = field(default_factory=set)  # of shapes, without their namespaces, as statements say them

    @property
    def piece(self) -> Piece:
        """The current piece."""
        return self.pieces[self.index]

    @property
    def kind(self) -> Token:
        """The kind of the current piece."""
        return self.pieces[self.index].kind

    @property
    def last_line(self) -> int:
        """The line on which the piece before ends; 0 at the start."""
        return self.pieces[self.index - 1].end_line if self.index else 0

    def is_word(self, *words: str) -> bool:
        """Return whether the current piece is one of some identifiers."""
        return self.kind is Token.IDENTIFIER and self.piece.text in words

    def comments(self) -> list[Comment]:
        """Return the comments before the current piece, which the caller puts somewhere."""
        if self.taken >= self.index:
            return []
        self.taken = self.index
        return list(self.piece.before)

    def take(self, *kinds: Token) -> str:
        """Pass a piece of one of `kinds`, any if none is given, and return its text."""
        piece = self.piece
        if (kinds and piece.kind not in kinds) or piece.kind is Token.EOF:
            raise UnexpectedPieceError(piece.text)
        self.strays += self.comments()
        self.index += 1
        return piece.text

    def take_shape_id(self) -> str:
        """Pass a shape id and return it."""
        parts = [self.take(Token.IDENTIFIER)]
        while self.piece.glued and self.kind in (Token.DOT, Token.POUND, Token.DOLLAR):
            parts.append(self.take())
            parts.append(self.take(Token.IDENTIFIER))
        if "." not in parts and "#" not in parts:
            self.names.add(parts[0])
        return "".join(parts)

    def hoist(self, read: Callable[[], Layout], *, kept: bool = False) -> Layout:
        """Return the layout of `read` below the comments it could not place; `kept` keeps documentation comments."""
        outer, self.strays = self.strays, []
        content = read()
        hoisted, self.strays = self.strays, outer
        return (
            *(each for comment in hoisted for each in ((comment if kept else comment.demoted()).shown(), HARD)),
            content,
        )
