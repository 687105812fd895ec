"""A file as the formatter sees it: tokens that mean something, each with the comments before it."""

import re

from msgspec import Struct, field

from formwork.smithy.idl.tokens import Token, tokenize

_LINE_END = re.compile(r"\r\n?|\n")
_BANNER = "////"


class Comment(Struct, frozen=True):
    """A comment: its text without the line's end, the line it stands on, whether it can be documentation."""

    text: str
    line: int
    documents: bool

    @property
    def is_banner(self) -> bool:
        """Whether it is a line of slashes, more than documentation has."""
        return self.text.startswith(_BANNER)

    def demoted(self) -> "Comment":
        """Return the same as a comment that documents nothing."""
        if not self.documents:
            return self
        return Comment(self.text if self.is_banner else self.text[1:], self.line, documents=False)

    def shown(self) -> str:
        """Return the text with a blank after its slashes.

        Blanks at the end of documentation are part of what it says, and stay.
        """
        start = "///" if self.documents else "//"
        content = self.text[len(start) :] if self.documents else self.text[len(start) :].rstrip()
        kept = not content or content[0] in (" \t/" if self.documents else " \t")
        return start + content if kept else f"{start} {content}"


class Piece(Struct):
    """A token other than whitespace; `before` are the comments between it and the piece before."""

    kind: Token
    text: str
    line: int
    end_line: int
    glued: bool
    before: list[Comment] = field(default_factory=list)


def read_pieces(text: str) -> list[Piece]:
    """Return the pieces of a text; the last one is of kind EOF. Line ends in strings are those of Unix."""
    kinds, starts = tokenize(text)
    pieces: list[Piece] = []
    comments: list[Comment] = []
    line, glued = 1, False
    for number, kind, start, end in zip(range(len(kinds) - 1), kinds, starts, starts[1:], strict=False):
        lexeme = text[start:end]
        lines = 0 if kind in (Token.SPACE, Token.IDENTIFIER) else len(_LINE_END.findall(lexeme))
        match kind:
            case Token.COMMENT | Token.DOC_COMMENT:
                comments.append(Comment(lexeme.rstrip("\r\n"), line, kind == Token.DOC_COMMENT))
            case Token.SPACE | Token.NEWLINE | Token.COMMA:
                pass
            case _:
                shown = _LINE_END.sub("\n", lexeme) if lines else lexeme
                pieces.append(Piece(Token(kind), shown, line, line + lines, glued, comments))
                comments = []
        glued = kind > Token.DOC_COMMENT
        line += lines
        if kind == Token.EOF and number:
            break
    return pieces
