"""Values, traits and whatever stands in brackets."""

from collections.abc import Callable, Iterable, Sequence

from formwork.smithy.idl.formatting.layout import HARD, Indent, Layout, LayoutGroup, Soft, joined
from formwork.smithy.idl.formatting.pieces import Comment
from formwork.smithy.idl.formatting.walk import Walk
from formwork.smithy.idl.strings import text_block_lines
from formwork.smithy.idl.tokens import Token
from formwork.smithy.shape_ids import is_identifier

_CLOSERS = {Token.LBRACE: Token.RBRACE, Token.LBRACKET: Token.RBRACKET, Token.LPAREN: Token.RPAREN}
_QUOTES = '"""'


def shown(comments: Iterable[Comment]) -> list[Layout]:
    """Comments that document nothing, each a line."""
    return [comment.demoted().shown() for comment in comments]


def lines_of(parts: Iterable[Layout]) -> list[Layout]:
    """Return each of some layouts with the end of its line."""
    return [each for part in parts for each in (part, HARD)]


def take_value(walk: Walk, *, in_array: bool = False) -> Layout:
    """Any value."""
    match walk.kind:
        case Token.LBRACE:
            return take_object(walk, broken=in_array and not _is_empty(walk))
        case Token.LBRACKET:
            return take_array(walk)
        case Token.TEXT_BLOCK:
            return _text_block(walk.take())
        case Token.IDENTIFIER:
            return walk.take_shape_id()
        case _:
            return walk.take(Token.STRING, Token.NUMBER)


def _is_empty(walk: Walk) -> bool:
    following = walk.pieces[walk.index + 1]
    return following.kind is _CLOSERS[walk.kind] and not following.before


def take_array(walk: Walk, *, broken: bool = False) -> Layout:
    """Return an array; `broken` wants its items on lines of their own."""
    broken = broken or _must_break(walk)
    return bracketed("[", take_items(walk, lambda: take_value(walk, in_array=True)), "]", broken=broken)


def take_object(walk: Walk, *, broken: bool = False, entry: Callable[[Walk], Layout] | None = None) -> Layout:
    """Return an object; `broken` wants its members on lines of their own, `entry` reads a member in another way."""
    broken = broken or _must_break(walk)
    read = entry or take_entry
    return bracketed("{", take_items(walk, lambda: read(walk)), "}", broken=broken)


def take_items(walk: Walk, item: Callable[[], Layout]) -> list[Layout]:
    """Return what stands between the bracket where the walk stands and its partner: items, and comments among them."""
    closer = _CLOSERS[walk.kind]
    walk.take()
    items: list[Layout] = []
    while True:
        items += shown(walk.comments())
        if walk.kind is closer:
            walk.take()
            return items
        items.append(item())


def _must_break(walk: Walk) -> bool:
    """Return whether anything between the bracket where the walk stands and its partner needs lines of its own."""
    depth = 0
    for index in range(walk.index, len(walk.pieces)):
        piece = walk.pieces[index]
        if depth and (piece.before or piece.kind in (Token.TEXT_BLOCK, Token.LBRACE, Token.LBRACKET)):
            return True
        if depth and piece.kind is Token.STRING and "\n" in piece.text:
            return True
        depth += (piece.kind in _CLOSERS) - (piece.kind in _CLOSERS.values())
        if depth <= 0:
            return False
    return False


def bracketed(opener: str, items: Sequence[Layout], closer: str, *, broken: bool) -> Layout:
    """Items between brackets, each on a line of its own where they don't fit one."""
    if not items:
        return opener + closer
    if broken:
        return (opener, Indent((HARD, joined(HARD, items))), HARD, closer)
    if opener == "{":
        edge: Layout = Soft(" ")
    else:
        edge = Soft("") if len(items) > 1 else ""
    return LayoutGroup((opener, Indent((edge, joined(Soft(", "), items))), edge, closer))


def take_entry(walk: Walk, value: Callable[[], Layout] | None = None) -> Layout:
    """Return a key and its value; comments among them go above."""

    def read() -> Layout:
        key = take_key(walk)
        walk.take(Token.COLON)
        is_block = walk.kind is Token.TEXT_BLOCK
        content = (value or (lambda: take_value(walk)))()
        return (f"{key}: ", Indent(content) if is_block else content)

    return walk.hoist(read)


def take_key(walk: Walk) -> str:
    """Return a key, without quotes where it needs none."""
    text = walk.take(Token.IDENTIFIER, Token.STRING)
    return text[1:-1] if text.startswith('"') and is_identifier(text[1:-1]) else text


def _text_block(lexeme: str) -> Layout:
    """Return a text block whose lines begin where the line it stands on does."""
    lines = text_block_lines(lexeme)
    below = len(lines) > 1 and not lines[-1]
    if below:
        lines.pop()
    shown_lines = [*lines, _QUOTES] if below else [*lines[:-1], lines[-1] + _QUOTES]
    return joined(HARD, [_QUOTES, *shown_lines])


def take_traits(walk: Walk) -> list[Layout]:
    """Format traits and the comments after each, one per line; comments before the first are left to the caller."""
    lines: list[Layout] = []
    while walk.kind is Token.AT:
        lines.append(take_trait(walk))
        lines += shown(walk.comments())
    return lines


def take_trait(walk: Walk) -> Layout:
    """One trait; comments in empty parentheses go above."""

    def read() -> Layout:
        walk.take(Token.AT)
        name = walk.take_shape_id()
        return (f"@{name}", _take_trait_body(walk) if walk.kind is Token.LPAREN else "")

    return walk.hoist(read)


def _take_trait_body(walk: Walk) -> Layout:
    broken = _must_break(walk)
    following = walk.pieces[walk.index + 1 : walk.index + 3]
    if following[0].kind is Token.RPAREN:
        walk.take()
        walk.take(Token.RPAREN)
        return ""
    if following[1].kind is Token.COLON:
        return bracketed("(", take_items(walk, lambda: take_entry(walk)), ")", broken=broken)
    holds_brackets = following[0].kind in (Token.LBRACE, Token.LBRACKET)
    items = take_items(walk, lambda: take_value(walk))
    if len(items) == 1 and holds_brackets:
        return LayoutGroup(("(", items[0], ")"))
    return bracketed("(", items, ")", broken=broken)
