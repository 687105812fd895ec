"""Whole models to IDL: a text for each namespace."""

from collections.abc import Iterator

from formwork.smithy.idl.printing.names import Names
from formwork.smithy.idl.printing.nodes import INDENT, NodeWriter, fits_comment, key
from formwork.smithy.idl.printing.services import resource_body, service_body
from formwork.smithy.model import Model
from formwork.smithy.nodes import Node
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import (
    SIMPLE_TYPES,
    MemberShape,
    OperationShape,
    ResourceShape,
    ServiceShape,
    Shape,
    ShapeType,
)

_VERSION = '$version: "2.0"\n'
_ORDER = (
    ShapeType.SERVICE,
    ShapeType.RESOURCE,
    ShapeType.OPERATION,
    ShapeType.STRUCTURE,
    ShapeType.UNION,
    ShapeType.LIST,
    ShapeType.SET,
    ShapeType.MAP,
)
_HIDDEN = frozenset(("smithy.api#box",))
_DOCUMENTATION = "smithy.api#documentation"
_DEFAULT = "smithy.api#default"
_ENUM_VALUE = "smithy.api#enumValue"


def print_idl(model: Model, *, exclude: frozenset[str] = frozenset((PRELUDE,))) -> dict[str, str]:
    """File name → text: `<namespace>.smithy` for each namespace but `exclude`, and `metadata.smithy` for metadata."""
    texts: dict[str, str] = {}
    if model.metadata:
        writer = NodeWriter(model, Names(model, ""))
        lines = (f"metadata {key(name)} = {writer.value(model.metadata[name])}" for name in sorted(model.metadata))
        texts["metadata.smithy"] = _VERSION + "\n" + "\n".join(lines) + "\n"
    namespaces = sorted({shape.namespace for shape in model.shapes.values()} - exclude)
    for namespace in namespaces:
        texts[f"{namespace}.smithy"] = _NamespacePrinter(model, namespace).text()
    return texts


class _NamespacePrinter:
    def __init__(self, model: Model, namespace: str) -> None:
        self.model = model
        self.namespace = namespace
        self.names = Names(model, namespace)
        self.nodes = NodeWriter(model, self.names)
        shapes = [shape for shape in model.shapes.values() if shape.namespace == namespace]
        self.inlined = self._find_inlined(shapes)
        self.shapes = sorted((each for each in shapes if each.id not in self.inlined), key=_order)

    def text(self) -> str:
        blocks = ["\n".join(block) for shape in self.shapes for block in self._blocks(shape)]
        uses = "".join(f"use {shape_id}\n" for shape_id in self.names.uses())
        head = f"{_VERSION}\nnamespace {self.namespace}\n" + (f"\n{uses}" if uses else "")
        return head + "".join(f"\n{block}\n" for block in blocks)

    def _find_inlined(self, shapes: list[Shape]) -> dict[str, str]:
        """Inputs and outputs that are written inside their operation: shape id → which of both."""
        found: dict[str, str] = {}
        for operation in shapes:
            if not isinstance(operation, OperationShape):
                continue
            for side, target_id in (("input", operation.input), ("output", operation.output)):
                target = self.model.get(target_id)
                if target is None or target_id != f"{operation.id}{side.capitalize()}":
                    continue
                inherits_nothing_odd = not any(each.mixins and each.own_traits for each in target.members.values())
                is_plain = target.own_traits.get(f"smithy.api#{side}") == {} and target.type is ShapeType.STRUCTURE
                if is_plain and inherits_nothing_odd:
                    found[target_id] = side
        return found

    def _blocks(self, shape: Shape) -> Iterator[list[str]]:
        yield [*self._traits(shape, ""), *self._statement(shape)]
        for member in shape.members.values():
            if member.mixins and member.own_traits:
                yield self._apply(member)

    def _traits(self, shape: Shape, indent: str, *, without: frozenset[str] = _HIDDEN) -> Iterator[str]:
        documentation = shape.own_traits.get(_DOCUMENTATION)
        as_comment = fits_comment(documentation)
        if as_comment and isinstance(documentation, str):
            yield from self.nodes.documentation(documentation, indent)
        for trait in sorted(shape.own_traits):
            if trait in without or (trait == _DOCUMENTATION and as_comment):
                continue
            yield indent + self.nodes.trait(trait, shape.own_traits[trait], indent)

    def _apply(self, member: MemberShape) -> list[str]:
        target = f"apply {self.names.short(member.id)}"
        traits = [trait for trait in sorted(member.own_traits) if trait not in _HIDDEN]
        if len(traits) == 1:
            return [f"{target} {self.nodes.trait(traits[0], member.own_traits[traits[0]])}"]
        lines = (INDENT + self.nodes.trait(trait, member.own_traits[trait], INDENT) for trait in traits)
        return [f"{target} {{", *lines, "}"]

    def _statement(self, shape: Shape) -> list[str]:
        as_type = ShapeType.LIST if shape.type is ShapeType.SET else shape.type
        head = f"{as_type} {shape.name}{self._with(shape)}"
        match shape:
            case ServiceShape():
                return [f"{head} {{", *service_body(shape, self.names), "}"]
            case ResourceShape():
                return [f"{head} {{", *resource_body(shape, self.names), "}"]
            case OperationShape():
                return [f"{head} {{", *self._operation(shape), "}"]
            case _ if shape.type in SIMPLE_TYPES - {ShapeType.ENUM, ShapeType.INT_ENUM}:
                return [head]
            case _:
                return self._members(head, shape, "")

    def _with(self, shape: Shape, indent: str = "") -> str:
        names = [self.names.short(each) for each in shape.mixins]
        if len(names) > 1:
            lines = "".join(f"{indent}{INDENT}{name}\n" for name in names)
            return f" with [\n{lines}{indent}]"
        return f" with [{names[0]}]" if names else ""

    def _members(self, head: str, shape: Shape, indent: str) -> list[str]:
        own = [member for member in shape.members.values() if not member.mixins or self._is_redefined(shape, member)]
        if not own:
            return [f"{head} {{}}"]
        inner = indent + INDENT
        lines = [line for member in own for line in self._member(shape, member, inner)]
        return [f"{head} {{", *lines, f"{indent}}}"]

    def _is_redefined(self, shape: Shape, member: MemberShape) -> bool:
        """Whether a member of several mixins stands in the shape too: else it had the traits of the later ones."""
        is_enum = shape.type in (ShapeType.ENUM, ShapeType.INT_ENUM)
        return len(member.mixins) > 1 and not member.own_traits and not is_enum

    def _member(self, shape: Shape, member: MemberShape, indent: str) -> Iterator[str]:
        if member.mixins:
            yield f"{indent}${member.member_name}"
            return
        if shape.type in (ShapeType.ENUM, ShapeType.INT_ENUM):
            yield from self._traits(member, indent, without=_HIDDEN | {_ENUM_VALUE})
            value = (
                f" = {self.nodes.value(member.own_traits[_ENUM_VALUE], indent)}"
                if _ENUM_VALUE in member.own_traits
                else ""
            )
            yield f"{indent}{member.member_name}{value}"
            return
        sugar = shape.type is ShapeType.STRUCTURE and _DEFAULT in member.own_traits
        yield from self._traits(member, indent, without=_HIDDEN | {_DEFAULT} if sugar else _HIDDEN)
        default: Node = member.own_traits.get(_DEFAULT)
        value = f" = {self.nodes.value(default, indent)}" if sugar else ""
        yield f"{indent}{member.member_name}: {self.names.short(member.target)}{value}"

    def _operation(self, shape: OperationShape) -> Iterator[str]:
        for side, target_id in (("input", shape.input), ("output", shape.output)):
            target = self.model.get(target_id)
            if target_id in self.inlined and target is not None:
                yield from self._inline(side, target)
            else:
                yield f"{INDENT}{side}: {self.names.short(target_id)}"
        if shape.own_errors:
            yield f"{INDENT}errors: ["
            yield from (f"{INDENT}{INDENT}{self.names.short(each)}" for each in shape.own_errors)
            yield f"{INDENT}]"

    def _inline(self, side: str, target: Shape) -> Iterator[str]:
        own_line = INDENT * 2
        traits = list(self._traits(target, own_line, without=_HIDDEN | {f"smithy.api#{side}"}))
        mixins = self._with(target, own_line if traits else INDENT).lstrip()
        if not traits:
            yield from self._members(f"{INDENT}{side} :={' ' if mixins else ''}{mixins}", target, INDENT)
            return
        yield f"{INDENT}{side} :="
        yield from traits
        head, *rest = self._members(f"{own_line}{mixins}" if mixins else "", target, own_line)
        yield head if mixins else own_line + head.lstrip()
        yield from rest


def _order(shape: Shape) -> tuple[bool, int, str]:
    place = _ORDER.index(shape.type) if shape.type in _ORDER else len(_ORDER)
    return (not shape.has_trait("trait"), 0 if shape.has_trait("trait") else place, shape.id)
