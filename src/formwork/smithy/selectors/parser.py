"""The text of a selector to its parts."""

import re
from typing import NoReturn

from formwork.smithy.selectors import nodes
from formwork.smithy.selectors.compare import COMPARATORS
from formwork.smithy.selectors.functions import FUNCTIONS, get_variable, set_variable
from formwork.smithy.selectors.nodes import Chain, ScopedComparison, ScopedValue, SelectorPart, Test

_IDENTIFIER = re.compile(r"_*[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_SHAPE_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*(?:#[A-Za-z_][A-Za-z0-9_]*(?:\$[A-Za-z_][A-Za-z0-9_]*)?)?", re.ASCII)
_PSEUDO = re.compile(r"\((?:keys|values|length)\)")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BLANK = re.compile(r"\s*")
_MAX_DEPTH = 100


class SelectorSyntaxError(Exception):
    """A text that is not a selector; the message contains the position."""


class _Reader:
    """Reads a selector from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def blank(self) -> None:
        """Skip blanks."""
        match = _BLANK.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def peek(self) -> str:
        """Return the next character, "" at the end."""
        return self.text[self.position : self.position + 1]

    def accept(self, token: str) -> bool:
        """Advance past `token`; raise where the text continues otherwise."""
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def expect(self, token: str) -> None:
        """Pass `token` after blanks."""
        self.blank()
        if not self.accept(token):
            self.fail(f"Expected: '{token}', but found '{self.peek() or '[EOF]'}'")

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        """Pass what a pattern matches."""
        match = pattern.match(self.text, self.position)
        if match is None:
            self.fail(f"Expected {what}, but found '{self.peek() or '[EOF]'}'")
        self.position = match.end()
        return match[0]

    def fail(self, message: str) -> NoReturn:
        """Raise with the place."""
        before = self.text[: self.position]
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        near = self.text[self.position :] or "[EOF]"
        raise SelectorSyntaxError(
            f"Syntax error at line {line} column {column}, near `{near}`: {message}; expression: {self.text}"
        )


def parse_chain(text: str) -> Chain:
    """Return the parts of the selector `text`.

    Raises:
        SelectorSyntaxError: it is none.
    """
    reader = _Reader(text)
    chain = _chain(reader)
    if reader.peek():
        reader.fail(f"Unexpected selector character: {reader.peek()}")
    return chain


def parse_selector(text: str) -> Chain:
    """Return the same, under the name that the package gives."""
    return parse_chain(text)


def _chain(reader: _Reader) -> Chain:
    reader.depth += 1
    if reader.depth > _MAX_DEPTH:
        reader.fail(f"Selectors may be nested {_MAX_DEPTH} deep")
    reader.blank()
    parts = [_part(reader)]
    reader.blank()
    while reader.peek() not in ("", ")", ","):
        parts.append(_part(reader))
        reader.blank()
    reader.depth -= 1
    return Chain(tuple(parts))


def _part(reader: _Reader) -> SelectorPart:  # noqa: C901, PLR0911 - one a kind of part
    if reader.accept(":"):
        return _function(reader)
    if reader.accept("["):
        return _scoped(reader) if reader.accept("@") else _attribute(reader)
    if reader.accept("~>"):
        return nodes.recursive()
    if reader.accept("-["):
        return nodes.forward(_relations(reader, "->"))
    if reader.accept("<-["):
        return nodes.reverse(_relations(reader, "-"))
    if reader.accept(">"):
        return nodes.forward()
    if reader.accept("<"):
        return nodes.reverse()
    if reader.accept("$"):
        return _variable(reader)
    if reader.accept("*"):
        return Test(lambda _environment, _shape: True)
    if not _IDENTIFIER.match(reader.text, reader.position):
        reader.fail(f"Unexpected selector character: {reader.peek() or '[EOF]'}")
    name = reader.take(_IDENTIFIER, "a selector")
    part = nodes.of_type(name)
    if part is None:
        reader.position -= len(name)
        reader.fail(f"Unknown shape type: {name}")
    return part


def _relations(reader: _Reader, end: str) -> tuple[str, ...]:
    names: list[str] = []
    while True:
        reader.blank()
        names.append(reader.take(_IDENTIFIER, "a relationship"))
        reader.blank()
        if not reader.accept(","):
            break
    reader.expect("]")
    if not reader.accept(end):
        reader.fail(f"Expected: '{end}', but found '{reader.peek() or '[EOF]'}'")
    return tuple(names)


def _function(reader: _Reader) -> SelectorPart:
    name = reader.take(_IDENTIFIER, "the name of a function")
    if name not in FUNCTIONS:
        reader.fail(f"Unknown selector function: {name}")
    make, least, most = FUNCTIONS[name]
    arguments = _arguments(reader)
    if len(arguments) < least or (most and len(arguments) > most):
        reader.fail(f"The :{name} function requires {least} selector{'s' if least > 1 else ''}")
    return make(arguments)


def _arguments(reader: _Reader) -> tuple[Chain, ...]:
    reader.expect("(")
    arguments = [_chain(reader)]
    while reader.accept(","):
        arguments.append(_chain(reader))
    reader.expect(")")
    return tuple(arguments)


def _variable(reader: _Reader) -> SelectorPart:
    if reader.accept("{"):
        reader.blank()
        name = reader.take(_IDENTIFIER, "the name of a variable")
        reader.expect("}")
        return get_variable(name)
    name = reader.take(_IDENTIFIER, "the name of a variable")
    reader.blank()
    reader.expect("(")
    selector = _chain(reader)
    reader.expect(")")
    return set_variable(name, selector)


def _path(reader: _Reader) -> tuple[str, ...]:
    path = [_key(reader)]
    while True:
        reader.blank()
        if not reader.accept("|"):
            return tuple(path)
        reader.blank()
        path.append(_key(reader))


def _key(reader: _Reader) -> str:
    reader.blank()
    if reader.peek() in ("'", '"'):
        return _quoted(reader)
    return reader.take(_PSEUDO if reader.peek() == "(" else _SHAPE_ID, "a key")


def _quoted(reader: _Reader) -> str:
    quote = reader.peek()
    end = reader.text.find(quote, reader.position + 1)
    if end < 0:
        reader.fail(f"Expected {quote} to close '{reader.text[reader.position + 1 :]}'")
    value = reader.text[reader.position + 1 : end]
    reader.position = end + 1
    return value


def _value(reader: _Reader) -> str:
    reader.blank()
    if reader.peek() in ("'", '"'):
        return _quoted(reader)
    if reader.peek() and reader.peek() in "-0123456789":
        return reader.take(_NUMBER, "a number")
    return reader.take(_SHAPE_ID, "a value")


def _comparator(reader: _Reader) -> str:
    reader.blank()
    for comparator in COMPARATORS:
        if reader.accept(comparator):
            return comparator
    return reader.fail(f"Expected a comparator, but found '{reader.peek() or '[EOF]'}'")


def _any_case(reader: _Reader) -> bool:
    reader.blank()
    if reader.peek() == "i" and not _IDENTIFIER.fullmatch(reader.text, reader.position, reader.position + 2):
        reader.position += 1
        return True
    return False


def _attribute(reader: _Reader) -> SelectorPart:
    path = _path(reader)
    if path[0] not in ("id", "service", "trait", "var"):
        reader.fail(f"Invalid shape selector attribute: {path[0]}")
    reader.blank()
    if reader.accept("]"):
        return nodes.has_attribute(path)
    comparator = _comparator(reader)
    values = [_value(reader)]
    reader.blank()
    while reader.accept(","):
        values.append(_value(reader))
        reader.blank()
    any_case = _any_case(reader)
    reader.expect("]")
    return nodes.compares(path, comparator, tuple(values), any_case=any_case)


def _scoped(reader: _Reader) -> SelectorPart:
    reader.blank()
    path = () if reader.peek() == ":" else _path(reader)
    reader.expect(":")
    comparisons = [_scoped_comparison(reader)]
    reader.blank()
    while reader.accept("&&"):
        comparisons.append(_scoped_comparison(reader))
        reader.blank()
    reader.expect("]")
    return nodes.scoped(path, tuple(comparisons))


def _scoped_comparison(reader: _Reader) -> ScopedComparison:
    left = _scoped_value(reader)
    comparator = _comparator(reader)
    right = [_scoped_value(reader)]
    reader.blank()
    while reader.accept(","):
        right.append(_scoped_value(reader))
        reader.blank()
    return ScopedComparison(left, comparator, tuple(right), _any_case(reader))


def _scoped_value(reader: _Reader) -> ScopedValue:
    reader.blank()
    if not reader.accept("@"):
        return False, (_value(reader),)
    reader.expect("{")
    path = _path(reader)
    reader.expect("}")
    return True, path
