"""The formatter: the same statements, members and comments on the same lines, laid out one way.

What it settles: four blanks a level, one blank between tokens where one belongs, no commas at line ends, no empty
parentheses, one empty line between statements and none doubled, sorted `use` statements, none of them unused. Line
breaks stay where the author put them, and so do comments, but for those of a `use` that goes. Formatting twice changes
nothing.
"""

from dataclasses import dataclass, field

from formwork.smithy.idl.tokens import Token, tokenize

_INDENT = "    "
_OPENERS = (Token.LBRACE, Token.LBRACKET, Token.LPAREN)
_CLOSERS = (Token.RBRACE, Token.RBRACKET, Token.RPAREN)
_COMMENTS = (Token.COMMENT, Token.DOC_COMMENT)
_GLUED_AFTER = frozenset((Token.AT, Token.DOT, Token.POUND, Token.DOLLAR, Token.LPAREN, Token.LBRACKET))
_GLUED_BEFORE = frozenset(
    (Token.DOT, Token.POUND, Token.COMMA, Token.COLON, Token.RPAREN, Token.RBRACKET, Token.LPAREN)
)
# A blank before `:` of a key would be no error, but nobody writes one.
_STATEMENT_GROUPS = ("$", "use", "metadata")
_SHORTEST_USE = 4  # use a#b

Piece = tuple[Token, str]


@dataclass(slots=True)
class _Line:
    """One line: its tokens without blanks; none for an empty line."""

    pieces: list[Piece] = field(default_factory=list)
    level: int = 0
    ends_trait: bool = False  # with the bracket that a trait's line opened


def format_idl(text: str) -> str:
    """The formatted text of a file; what it means is the same.

    The text must be free of syntax errors: where a token is none, the text comes back as it is.
    """
    pieces = _pieces(text)
    if any(kind is Token.ERROR for kind, _ in pieces):
        return text
    lines = _without_unused(_lines(pieces))
    _set_levels(lines)
    rendered = _sort_uses(_space_out(lines))
    return "\n".join(rendered).strip("\n") + "\n" if rendered else ""


def _pieces(text: str) -> list[Piece]:
    kinds, starts = tokenize(text)
    return [
        (Token(kind), text[start:end])
        for kind, start, end in zip(kinds, starts, starts[1:], strict=False)
        if kind != Token.EOF
    ]


def _lines(pieces: list[Piece]) -> list[_Line]:
    lines = [_Line()]
    for kind, lexeme in pieces:
        match kind:
            case Token.SPACE:
                continue
            case Token.NEWLINE:
                lines.append(_Line())
            case Token.COMMENT | Token.DOC_COMMENT:
                # Blanks at the end of documentation are part of it.
                shown = lexeme.rstrip("\r\n") if kind is Token.DOC_COMMENT else lexeme.rstrip()
                lines[-1].pieces.append((kind, shown))
                if lexeme.endswith(("\n", "\r")):
                    lines.append(_Line())
            case Token.STRING | Token.TEXT_BLOCK:
                lines[-1].pieces.append((kind, lexeme.replace("\r\n", "\n").replace("\r", "\n")))
            case _:
                lines[-1].pieces.append((kind, lexeme))
    for line in lines:
        line.pieces = _without_outer_commas(_without_empty_parentheses(line.pieces))
    return lines


def _without_empty_parentheses(pieces: list[Piece]) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        if piece[0] is Token.RPAREN and kept and kept[-1][0] is Token.LPAREN:
            kept.pop()
        else:
            kept.append(piece)
    return kept


def _without_unused(lines: list[_Line]) -> list[_Line]:
    """The lines without `use` statements whose name stands nowhere else, and without the comments right above these."""
    uses = {index: name for index, line in enumerate(lines) if (name := _used_name(line)) is not None}
    elsewhere = {
        lexeme
        for index, line in enumerate(lines)
        if index not in uses
        for kind, lexeme in line.pieces
        if kind is Token.IDENTIFIER
    }
    dropped = {index for index, name in uses.items() if name not in elsewhere}
    for index in sorted(dropped):
        above = index - 1
        while above >= 0 and lines[above].pieces and lines[above].pieces[0][0] is Token.COMMENT:
            dropped.add(above)
            above -= 1
    return [line for index, line in enumerate(lines) if index not in dropped]


def _used_name(line: _Line) -> str | None:
    """The name that a line imports; None for one that is no whole `use` statement."""
    code = [piece for piece in line.pieces if piece[0] not in _COMMENTS]
    if len(code) < _SHORTEST_USE or code[0] != (Token.IDENTIFIER, "use") or code[-2][0] is not Token.POUND:
        return None
    return code[-1][1]


def _without_outer_commas(pieces: list[Piece]) -> list[Piece]:
    kept: list[Piece] = []
    for index, piece in enumerate(pieces):
        if piece[0] is Token.COMMA:
            following = pieces[index + 1] if index + 1 < len(pieces) else None
            if not kept or following is None or following[0] in (*_COMMENTS, *_CLOSERS, Token.COMMA):
                continue
        kept.append(piece)
    return kept


def _set_levels(lines: list[_Line]) -> None:
    """A level for each line that opened something which is still open; an inline structure below `:=` is one more."""
    stack: list[tuple[Token, int]] = []
    for number, line in enumerate(lines):
        leading = True
        line.level = _level(stack)
        for kind, _ in line.pieces:
            if kind in _COMMENTS:
                continue
            line.ends_trait = False
            if kind in _CLOSERS:
                if stack:
                    opener = lines[stack.pop()[1]]
                    line.ends_trait = opener is not line and opener.pieces[0][0] is Token.AT
                if leading:
                    line.level = _level(stack)
                if stack and stack[-1][0] is Token.WALRUS and kind is Token.RBRACE:
                    stack.pop()
                continue
            leading = False
            if kind in _OPENERS:
                stack.append((kind, number))
        code = [kind for kind, _ in line.pieces if kind not in _COMMENTS]
        if code and code[-1] is Token.WALRUS:
            stack.append((Token.WALRUS, number))


def _level(stack: list[tuple[Token, int]]) -> int:
    return len({line for _, line in stack})


def _space_out(lines: list[_Line]) -> list[str]:
    """Lines of text with empty lines where they belong."""
    rendered: list[str] = []
    previous: _Line | None = None
    empty_before = False
    for line in lines:
        if not line.pieces:
            empty_before = True
            continue
        if previous is not None and _wants_empty(previous, line, empty_before=empty_before):
            rendered.append("")
        rendered.append(_INDENT * line.level + _render(line.pieces))
        previous, empty_before = line, False
    return rendered


def _wants_empty(previous: _Line, line: _Line, *, empty_before: bool) -> bool:
    if line.level == 0 and _ends_statement(previous) and line.pieces[0][0] not in _CLOSERS:
        first, before = line.pieces[0], previous.pieces[0]
        grouped = first[1] in _STATEMENT_GROUPS and before[1] == first[1]
        return empty_before or (not grouped and previous.level == 0 and _starts_statement(line))
    opened = previous.pieces[-1][0] in _OPENERS
    closes = line.pieces[0][0] in _CLOSERS
    return empty_before and not opened and not closes


def _ends_statement(line: _Line) -> bool:
    """Whether a line at the left margin can be the last of a statement."""
    if line.level > 0 or line.ends_trait:
        return False
    code = [piece for piece in line.pieces if piece[0] not in _COMMENTS]
    if not code:
        return False
    balance = sum((kind in _OPENERS) - (kind in _CLOSERS) for kind, _ in code)
    return balance <= 0 and code[0][0] is not Token.AT and code[-1][0] not in (Token.WALRUS, Token.EQUAL, Token.COLON)


def _starts_statement(line: _Line) -> bool:
    return line.pieces[0][0] in (Token.IDENTIFIER, Token.AT, Token.DOC_COMMENT, Token.COMMENT, Token.DOLLAR)


def _sort_uses(lines: list[str]) -> list[str]:
    """Runs of `use` statements in order, each with the comment on its line."""
    found = [index for index, line in enumerate(lines) if line.startswith("use ")]
    result = list(lines)
    start = 0
    while start < len(found):
        end = start
        while end + 1 < len(found) and found[end + 1] == found[end] + 1:
            end += 1
        run = found[start : end + 1]
        result[run[0] : run[-1] + 1] = sorted(lines[run[0] : run[-1] + 1])
        start = end + 1
    return result


def _render(pieces: list[Piece]) -> str:
    text = ""
    before: Piece | None = None
    for index, piece in enumerate(pieces):
        if before is not None and _blank_between(before, piece, pieces[index - 2][0] if index > 1 else None):
            text += " "
        text += piece[1]
        before = piece
    return text


def _blank_between(before: Piece, piece: Piece, two_before: Token | None) -> bool:
    if piece[0] in _COMMENTS:
        return True
    if before[0] in _GLUED_AFTER:
        return False
    if piece[0] is Token.DOLLAR:
        # `$name` elides a target, `Shape$name` names a member.
        return before[0] is not Token.IDENTIFIER or two_before is None
    if piece[0] is Token.LPAREN:
        return before[0] is not Token.IDENTIFIER
    if before[0] is Token.LBRACE and piece[0] is Token.RBRACE:
        return False
    return piece[0] not in _GLUED_BEFORE
