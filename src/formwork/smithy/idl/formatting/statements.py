"""Statements about shapes: definitions and `apply`."""

from formwork.smithy.idl.formatting.layout import HARD, Indent, Layout, LayoutGroup, Soft, joined
from formwork.smithy.idl.formatting.members import take_for, take_members, take_mixins, take_operation
from formwork.smithy.idl.formatting.values import lines_of, take_array, take_entry, take_object, take_trait, take_traits
from formwork.smithy.idl.formatting.walk import UnexpectedPieceError, Walk
from formwork.smithy.idl.tokens import Token

_WITH_MEMBERS = ("structure", "union", "list", "set", "map", "enum", "intEnum")
# Of services and resources: always an item a line.
_LISTS = ("resources", "operations", "collectionOperations", "errors")
_OBJECTS = ("identifiers", "properties", "rename")


def take_statement(walk: Walk) -> Layout:
    """One statement, from its first trait or keyword on."""
    if walk.is_word("apply"):
        return walk.hoist(lambda: _take_apply(walk))
    traits = take_traits(walk)
    return (*lines_of(traits), walk.hoist(lambda: _take_shape(walk)))


def _take_apply(walk: Walk) -> Layout:
    walk.take()
    target = walk.take_shape_id()
    if walk.kind is not Token.LBRACE:
        walk.strays += walk.comments()
        return (f"apply {target} ", take_trait(walk))
    walk.take()
    walk.strays += walk.comments()
    traits = take_traits(walk)
    walk.take(Token.RBRACE)
    if not traits:
        return (f"apply {target} {{", HARD, "}")
    return (f"apply {target} {{", Indent((HARD, joined(HARD, traits))), HARD, "}")


def _take_shape(walk: Walk) -> Layout:
    kind = walk.take(Token.IDENTIFIER)
    name = walk.take(Token.IDENTIFIER)
    header = joined(" ", (kind, name, *take_for(walk), *take_mixins(walk)))
    if kind in ("service", "resource"):
        return (header, LayoutGroup((Soft(" "), _take_entity(walk))))
    if walk.kind is Token.LBRACE:
        walk.strays += walk.comments()
        body = take_operation(walk) if kind == "operation" else take_members(walk)
        return (header, LayoutGroup((Soft(" "), body)))
    if kind in (*_WITH_MEMBERS, "operation"):
        raise UnexpectedPieceError(walk.piece.text)
    return header


def _take_entity(walk: Walk) -> Layout:
    walk.strays += walk.comments()
    if walk.kind is not Token.LBRACE:
        raise UnexpectedPieceError(walk.piece.text)
    start = walk.index
    body = take_object(walk, entry=_take_entity_entry)
    # A name in quotes is a name as any other: what it was imported by stays.
    walk.names.update(
        piece.text[1:-1].partition("$")[0] for piece in walk.pieces[start : walk.index] if piece.kind is Token.STRING
    )
    return body


def _take_entity_entry(walk: Walk) -> Layout:
    key = walk.piece.text.strip('"')
    following = walk.pieces[walk.index + 2].kind
    if key in _LISTS and following is Token.LBRACKET:
        return take_entry(walk, lambda: take_array(walk, broken=True))
    if key in _OBJECTS and following is Token.LBRACE:
        return take_entry(walk, lambda: take_object(walk, broken=True))
    return take_entry(walk)
