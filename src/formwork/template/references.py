"""The references of an expression: parameters, resources, their attributes, conditions, mappings."""

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from formwork.template.expressions import Call, Expression, Items, Members, Path, ScalarExpression, literal, walk

# In Fn::Sub a "${!Name}" is the literal text "${Name}".
_SUBSTITUTION = re.compile(r"\$\{(!?)([^{}]*)\}")


class ReferenceKind(StrEnum):
    """The kind of a reference's target."""

    NAME = "name"  # Ref: a parameter, a pseudo parameter or a resource
    ATTRIBUTE = "attribute"  # GetAtt: an attribute of a resource
    CONDITION = "condition"
    MAPPING = "mapping"


class Reference(Struct, frozen=True):
    """One reference, made by `function`; `attribute` is None unless it is one of an attribute that is written out."""

    kind: ReferenceKind
    name: str
    path: Path
    attribute: str | None = None
    function: str = "Ref"


class SubText(Struct, frozen=True):
    """A literal part of an Fn::Sub string."""

    text: str


class SubVariable(Struct, frozen=True):
    """A `${name}` or `${name.attribute}` of an Fn::Sub string."""

    name: str
    attribute: str | None


def parse_sub(text: str) -> tuple[SubText | SubVariable, ...]:
    """Return the parts of an Fn::Sub string: `"a${B.C}"` gives (SubText("a"), SubVariable("B", "C"))."""
    parts: list[SubText | SubVariable] = []
    end = 0
    for found in _SUBSTITUTION.finditer(text):
        if found.start() > end:
            parts.append(SubText(text[end : found.start()]))
        if found[1]:
            parts.append(SubText("${" + found[2] + "}"))
        else:
            name, dot, attribute = found[2].strip().partition(".")
            parts.append(SubVariable(name, attribute if dot else None))
        end = found.end()
    if end < len(text):
        parts.append(SubText(text[end:]))
    return tuple(parts)


def references_in(expression: Expression) -> Iterator[Reference]:
    """Everything that the expression refers to, in order of appearance; names that are computed are left out."""
    for each in walk(expression):
        if isinstance(each, Call):
            yield from _references_of(each)


def _references_of(call: Call) -> Iterator[Reference]:
    argument, path = call.argument, call.argument.path
    match call.function:
        case "Ref" | "Condition":
            kind = ReferenceKind.NAME if call.function == "Ref" else ReferenceKind.CONDITION
            if (name := literal(argument)) is not None:
                yield Reference(kind, name, path)
        case "Fn::If" | "Fn::FindInMap":
            kind = ReferenceKind.CONDITION if call.function == "Fn::If" else ReferenceKind.MAPPING
            if (name := _first(argument)) is not None:
                yield Reference(kind, name, (*path, 0))
        case "Fn::GetAtt":
            yield from _attribute(argument)
        case "Fn::Sub":
            yield from _sub_references(argument)
        case _:
            return


def _first(argument: Expression) -> str | None:
    return literal(argument.items[0]) if isinstance(argument, Items) and argument.items else None


def _attribute(argument: Expression) -> Iterator[Reference]:
    if isinstance(argument, ScalarExpression):  # the string form, in JSON: {"Fn::GetAtt": "Name.Attribute"}
        name, _, attribute = (literal(argument) or "").partition(".")
        if name:
            yield Reference(ReferenceKind.ATTRIBUTE, name, argument.path, attribute or None, "Fn::GetAtt")
    elif (name_text := _first(argument)) is not None and isinstance(argument, Items):
        parts = [literal(each) for each in argument.items[1:]]
        known = ".".join(part for part in parts if part is not None) if None not in parts else None
        yield Reference(ReferenceKind.ATTRIBUTE, name_text, argument.path, known or None, "Fn::GetAtt")


def _sub_references(argument: Expression) -> Iterator[Reference]:
    template, own = argument, frozenset[str]()
    if isinstance(argument, Items) and argument.items:
        template = argument.items[0]
        if len(argument.items) > 1 and isinstance(argument.items[1], Members):
            own = frozenset(argument.items[1].members)
    for part in parse_sub(literal(template) or ""):
        if not isinstance(part, SubVariable) or part.name in own or not part.name:
            continue
        whole = part.name if part.attribute is None else f"{part.name}.{part.attribute}"
        if whole in own:
            continue
        kind = ReferenceKind.NAME if part.attribute is None else ReferenceKind.ATTRIBUTE
        yield Reference(kind, part.name, template.path, part.attribute, "Fn::Sub")
