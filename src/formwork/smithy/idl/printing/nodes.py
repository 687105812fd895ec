"""Node values and trait applications as IDL text."""

from collections.abc import Iterator

from formwork.smithy.idl.printing.names import Names
from formwork.smithy.model import Model
from formwork.smithy.nodes import Node, render_node
from formwork.smithy.shape_ids import is_identifier
from formwork.smithy.shapes import MemberShape, Shape, ShapeType

INDENT = "    "


def quote(text: str) -> str:
    """Return a quoted string of the IDL."""
    # Control characters other than line ends and tabs may only be written as escapes, which JSON writes as well.
    return render_node(text)


def key(text: str) -> str:
    """Return a key of an object."""
    return text if is_identifier(text) else quote(text)


class NodeWriter:
    """Writes values; strings that are known to be references to shapes become bare ids."""

    def __init__(self, model: Model, names: Names) -> None:
        self._model = model
        self._names = names

    def value(self, value: Node, indent: str = "", shape: Shape | None = None) -> str:
        """Return a value on as many lines as it needs; lines after the first start with `indent`."""
        target = self._target(shape)
        match value:
            case dict() if value:
                inner = indent + INDENT
                lines = (
                    f"{inner}{key(name)}: {self.value(each, inner, _member(target, name))}"
                    for name, each in value.items()
                )
                return "{\n" + "\n".join(lines) + f"\n{indent}}}"
            case list() if value:
                inner = indent + INDENT
                item = _member(target, "member")
                lines = (f"{inner}{self.value(each, inner, item)}" for each in value)
                return "[\n" + "\n".join(lines) + f"\n{indent}]"
            case str():
                return self._string(value, shape, target)
            case _:
                return render_node(value)

    def _string(self, value: str, shape: Shape | None, target: Shape | None) -> str:
        is_reference = any(each is not None and each.has_trait("idRef") for each in (shape, target))
        if is_reference and self._names.is_known(value):
            return self._names.short(value)
        return quote(value)

    def _target(self, shape: Shape | None) -> Shape | None:
        return self._model.target(shape) if isinstance(shape, MemberShape) else shape

    def trait(self, trait: str, value: Node, indent: str = "") -> str:
        """`@trait`, `@trait(value)` or `@trait(key: value …)`."""
        definition = self._model.get(trait)
        name = f"@{self._names.short(trait)}"
        if value == {} and isinstance(value, dict) and _takes_annotation(definition):
            return name
        if isinstance(value, dict) and value:
            inner = indent + INDENT
            lines = (
                f"{inner}{key(each)}: {self.value(value[each], inner, _member(definition, each))}" for each in value
            )
            return f"{name}(\n" + "\n".join(lines) + f"\n{indent})"
        return f"{name}({self.value(value, indent, definition)})"

    def documentation(self, text: str, indent: str) -> Iterator[str]:
        """Yield the lines of a documentation comment."""
        for line in text.split("\n"):
            yield f"{indent}/// {line}" if line else f"{indent}///"


def _takes_annotation(definition: Shape | None) -> bool:
    return definition is None or definition.type in (ShapeType.STRUCTURE, ShapeType.MAP, ShapeType.UNION)


def _member(shape: Shape | None, name: str) -> Shape | None:
    if shape is None:
        return None
    if shape.type is ShapeType.MAP:
        return shape.members.get("value")
    return shape.members.get(name)


def fits_comment(value: Node) -> bool:
    """Return whether a documentation text can be written as a comment."""
    return isinstance(value, str) and not any(character in value for character in "\r\u2028\u2029\x85\x0b\x0c")
