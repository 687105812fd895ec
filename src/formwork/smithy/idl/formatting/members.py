"""Bodies of shapes: members, and what operations have."""

from msgspec import Struct, field

from formwork.smithy.idl.formatting.layout import HARD, Indent, Layout, LayoutGroup, Soft, joined
from formwork.smithy.idl.formatting.pieces import Comment
from formwork.smithy.idl.formatting.values import bracketed, lines_of, shown, take_items, take_traits, take_value
from formwork.smithy.idl.formatting.walk import UnexpectedPieceError, Walk
from formwork.smithy.idl.tokens import Token


class _Member(Struct):
    """A member, or what an operation has: itself, the comments above it, and the one on its line."""

    content: Layout
    above: list[Comment]
    end_line: int
    assigned: bool  # whether it has a value: a comment on its line always stays there
    is_airy: bool  # whether traits or comments inside want empty lines around it
    beside: Comment | None = None


class _Body(Struct):
    """What stands between braces."""

    members: list[_Member] = field(default_factory=list)
    below: list[Comment] = field(default_factory=list)

    @property
    def is_airy(self) -> bool:
        """Whether empty lines part the members: where one has traits, or a comment of its own above or below."""
        previous: _Member | None = None
        for member in self.members:
            if member.is_airy or any(not _belongs_to(previous, comment) for comment in member.above):
                return True
            previous = member
        return any(not _belongs_to(previous, comment) for comment in self.below)


def _belongs_to(member: _Member | None, comment: Comment) -> bool:
    """Return whether a comment right below a member with a value is about that member."""
    return member is not None and member.assigned and comment.line == member.end_line + 1


def take_members(walk: Walk) -> Layout:
    """Return the body of a structure, union, list, map or enum: its brace and what follows, with the blank before."""
    return _take_body(walk, operation=False)


def take_operation(walk: Walk) -> Layout:
    """Return the body of an operation, likewise."""
    return _take_body(walk, operation=True)


def _take_body(walk: Walk, *, operation: bool) -> Layout:
    walk.take(Token.LBRACE)
    body = _Body()
    while True:
        comments = walk.comments()
        if body.members and comments and comments[0].line == body.members[-1].end_line:
            body.members[-1].beside = comments.pop(0).demoted()
            walk.quiet += body.members[-1].assigned
        if walk.kind is Token.RBRACE:
            walk.take()
            body.below = [comment.demoted() for comment in comments]
            return _render(body)
        body.members.append(_take_member(walk, comments, operation=operation))


def _take_member(walk: Walk, above: list[Comment], *, operation: bool) -> _Member:
    start, quiet = walk.index, walk.quiet
    content = walk.hoist(
        (lambda: _take_property(walk)) if operation else (lambda: _take_definition(walk)), kept=operation
    )
    pieces = walk.pieces[start : walk.index]
    comments = sum(len(piece.before) for piece in pieces[1:]) - (walk.quiet - quiet)
    is_airy = comments > 0 or any(piece.kind is Token.AT for piece in pieces)
    assigned = not operation and any(piece.kind is Token.EQUAL for piece in pieces)
    return _Member(content, above, walk.last_line, assigned, is_airy)


def _take_definition(walk: Walk) -> Layout:
    traits = take_traits(walk)
    name = walk.take() if walk.kind is Token.DOLLAR else ""
    name += walk.take(Token.IDENTIFIER)
    if walk.kind is Token.COLON:
        walk.take()
        name += f": {walk.take_shape_id()}"
    if walk.kind is not Token.EQUAL:
        return (*lines_of(traits), name)
    walk.take()
    return (*lines_of(traits), f"{name} = ", take_value(walk))


def _take_property(walk: Walk) -> Layout:
    name = walk.take(Token.IDENTIFIER)
    if walk.kind is Token.WALRUS:
        return (name, _take_inline(walk))
    walk.take(Token.COLON)
    if walk.kind is not Token.LBRACKET:
        return f"{name}: {walk.take_shape_id()}"
    items = take_items(walk, walk.take_shape_id)
    return (f"{name}: ", bracketed("[", items or [""], "]", broken=True))


def _take_inline(walk: Walk) -> Layout:
    walk.take(Token.WALRUS)
    above = [comment.shown() for comment in walk.comments()]
    traits = take_traits(walk)
    header, strays = _take_header(walk)
    body = take_members(walk)
    if not above and not traits and not strays:
        return (joined(" ", (" :=", *header)), LayoutGroup((_SPACE, body)))
    lines = lines_of([*above, *shown(strays), *traits])
    return (" :=", Indent((HARD, *lines, joined(" ", header), LayoutGroup((_SPACE, body)))))


def _take_header(walk: Walk) -> tuple[list[Layout], list[Comment]]:
    """`for` and `with` of a structure inside an operation, and the comments among them and before its brace."""
    outer, walk.strays = walk.strays, []
    header = [*take_for(walk), *take_mixins(walk)]
    if walk.kind is not Token.LBRACE:
        raise UnexpectedPieceError(walk.piece.text)
    strays = [*walk.strays, *walk.comments()]
    walk.strays = outer
    return header, strays


def take_for(walk: Walk) -> list[Layout]:
    """`for Resource`, if it is there."""
    if not walk.is_word("for"):
        return []
    walk.take()
    return [f"for {walk.take_shape_id()}"]


def take_mixins(walk: Walk) -> list[Layout]:
    """`with [Mixins]`, if it is there."""
    if not walk.is_word("with") or walk.pieces[walk.index + 1].kind is not Token.LBRACKET:
        return []
    walk.take()
    closing = next(index for index in range(walk.index, len(walk.pieces)) if walk.pieces[index].kind is Token.RBRACKET)
    broken = any(piece.before for piece in walk.pieces[walk.index + 1 : closing + 1])
    return [("with ", bracketed("[", take_items(walk, walk.take_shape_id), "]", broken=broken))]


_SPACE = Soft(" ")


def _render(body: _Body) -> Layout:
    is_airy = body.is_airy
    blocks: list[Layout] = []
    below = list(body.below)
    for number, member in enumerate(body.members):
        is_last = number == len(body.members) - 1
        beside = member.beside
        if beside is not None and is_last and is_airy and not member.assigned:
            below.insert(0, beside)
            beside = None
        above = [comment.shown() for comment in member.above]
        after = f" {beside.shown()}" if beside is not None else ""
        blocks.append((*lines_of(above), member.content, after))
    if below:
        blocks.append(joined(HARD, shown(below)))
    if not blocks:
        return "{}"
    separator: Layout = (HARD, HARD) if is_airy else HARD
    return ("{", Indent((HARD, joined(separator, blocks))), HARD, "}")
