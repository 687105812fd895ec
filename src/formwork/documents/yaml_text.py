"""YAML text to value, composed by us from libyaml's event stream.

PyYAML's own composer recurses in C and dies on deep input; the event parser keeps its state on the heap, so pulling
events one at a time and counting as they come lets no input crash, hang or blow up. Scalars follow YAML 1.2's core
schema: dates, yes/no and 0123 stay strings (CloudFormation's dialect, `short_tags`, adds yes/no/on/off).
"""

import re
from collections.abc import Sequence
from typing import Any, NoReturn

import yaml

from formwork.diagnostics import BadInputError, Diagnostic, Location, Position, render_pointer
from formwork.documents.bounds import MAX_ALIASES, MAX_DEPTH, MAX_NODES, too_deep, too_many
from formwork.documents.json_text import duplicate_key
from formwork.documents.short_tags import expand_short_tag

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_HEX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_OLD_BOOLEANS = {
    form: truth
    for word, truth in {"yes": True, "on": True, "no": False, "off": False}.items()
    for form in (word, word.capitalize(), word.upper())
}
_CORE = "tag:yaml.org,2002:"
_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)  # only its event parser is used: it constructs nothing


class _Node:
    """A value with its place; `children` by key or index for containers. `size` counts values, aliases expanded."""

    __slots__ = ("children", "end", "keys", "open", "size", "start", "value")

    def __init__(self, value: Any, start: Position, end: Position) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.children: dict[str, _Node] = {}
        self.keys: dict[str, _Node] = {}
        self.size = 1
        self.open = False


class YamlMap:
    """Places in a composed YAML document."""

    def __init__(self, root: _Node) -> None:
        self._root = root

    def span(self, tokens: Sequence[str | int], *, key: bool) -> tuple[Position, Position]:
        """See `SourceMap.span`."""
        node, named = self._root, None
        for token in tokens:
            child = node.children.get(str(token))
            if child is None:
                named = None
                break
            named = node.keys.get(str(token))
            node = child
        shown = named if key and named is not None else node
        return shown.start, shown.end


def parse_yaml(text: str, name: str, *, short_tags: bool, aliases: bool) -> tuple[Any, YamlMap]:
    """Return the value of `text` and its source map.

    Raises:
        BadInputError: no YAML, more than one document, out of bounds, a key twice or not a string, an unknown tag, a
            self-containing alias, any alias where they are not allowed, NaN or infinity.
    """
    composer = _Composer(name, short_tags=short_tags, most_aliases=MAX_ALIASES if aliases else 0)
    try:
        loader = _LOADER(text)
        try:
            root = composer.compose(loader)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _syntax(text, name, error) from None
    if composer.duplicates:
        raise BadInputError(composer.duplicates)
    return root.value, YamlMap(root)


def _syntax(text: str, name: str, error: yaml.YAMLError) -> BadInputError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    position = Position(mark.line + 1, mark.column + 1) if mark is not None else None
    hint = None
    if position is not None:
        lines = text.splitlines()
        line = lines[position.line - 1] if position.line <= len(lines) else ""
        if "\t" in line[: len(line) - len(line.lstrip())]:
            hint = "indent with spaces: YAML allows no tab there"
        elif ": " in line.partition(": ")[2]:
            hint = 'put a string that contains ": " in quotes'
    context = getattr(error, "context", None)
    message = f"{context}: {problem}" if context else str(problem)
    return BadInputError.of(
        "document.syntax", message, location=Location(name, position), expected="one YAML document", hint=hint
    )


class _Composer:
    """Builds nodes from events without recursion."""

    def __init__(self, name: str, *, short_tags: bool, most_aliases: int) -> None:
        self._name = name
        self._short_tags = short_tags
        self._anchors: dict[str, _Node] = {}
        self._aliases = 0
        self._most_aliases = most_aliases
        self.duplicates: list[Diagnostic] = []
        # One entry for each open container: its node, its tag, the key waiting for a value, its merges.
        self._stack: list[_Frame] = []
        self._done: _Node | None = None

    def compose(self, loader: Any) -> _Node:
        documents = 0
        while loader.check_event():
            event = loader.get_event()
            match event:
                case yaml.DocumentStartEvent():
                    documents += 1
                    if documents > 1:
                        self._fail("document.syntax", "a second document in the file", event, "one document per file")
                case yaml.ScalarEvent():
                    self._add(self._scalar(event), event)
                case yaml.AliasEvent():
                    self._add(self._alias(event), event)
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    self._open(event)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self._close(event)
                case _:
                    pass
        if self._done is None:
            raise BadInputError.of(
                "document.syntax", "the document is empty", location=Location(self._name), expected="one YAML document"
            )
        return self._done

    def _open(self, event: Any) -> None:
        is_map = isinstance(event, yaml.MappingStartEvent)
        node = _Node({} if is_map else [], _start(event), _end(event))
        node.open = True
        if event.anchor:
            self._anchors[event.anchor] = node
        self._stack.append(_Frame(node, event.tag))
        if len(self._stack) > MAX_DEPTH:
            raise too_deep(Location(self._name, node.start))

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        node = frame.node
        node.open = False
        node.end = _end(event)
        for merged in frame.merges:
            for key, child in merged.children.items():
                if key not in node.children:
                    node.children[key] = child
                    node.keys[key] = merged.keys[key]
                    node.value[key] = child.value
                    node.size += child.size
        self._check_count(node)
        self._apply_tag(node, frame.tag, event)
        self._add(node, event)

    def _add(self, node: _Node, event: Any) -> None:
        if not self._stack:
            self._done = node
            return
        frame = self._stack[-1]
        parent = frame.node
        if isinstance(parent.value, list):
            parent.children[str(len(parent.value))] = node
            parent.value.append(node.value)
        elif frame.key is None:
            frame.key = self._key(node, event)
            return
        else:
            key, frame.key = frame.key, None
            if key.value == "<<" and self._merge(frame, node):
                return
            self._member(parent, key, node)
        parent.size += node.size
        self._check_count(parent)

    def _member(self, parent: _Node, key: _Node, node: _Node) -> None:
        name = key.value
        if name in parent.value:
            path = [len(each.node.value) if each.key is None else each.key.value for each in self._stack[:-1]]
            pointer = render_pointer((*path, name))
            self.duplicates.append(duplicate_key(name, Location(self._name, key.start, key.end, pointer)))
        parent.value[name] = node.value
        parent.children[name] = node
        parent.keys[name] = key

    def _merge(self, frame: "_Frame", node: _Node) -> bool:
        sources = list(node.children.values()) if isinstance(node.value, list) else [node]
        if not all(isinstance(each.value, dict) for each in sources):
            return False
        frame.merges += sources
        return True

    def _key(self, node: _Node, event: Any) -> _Node:
        if isinstance(node.value, str):
            return node
        if not isinstance(event, yaml.ScalarEvent):
            self._fail("document.key-not-string", "a key that is not a plain string", event, "a string as key")
        return _Node(str(event.value), node.start, node.end)  # `404:` names the member "404", as in JSON

    def _alias(self, event: Any) -> _Node:
        self._aliases += 1
        if not self._most_aliases:
            self._fail("document.alias", "an alias", event, "the value itself")
        if self._aliases > self._most_aliases:
            raise too_many("aliases", self._most_aliases, Location(self._name, _start(event)))
        node = self._anchors.get(event.anchor)
        if node is None:
            self._fail(
                "document.syntax", f'the alias "*{event.anchor}" has no anchor', event, f"&{event.anchor} before it"
            )
        if node.open:
            self._fail("document.cycle", f'the alias "*{event.anchor}" contains itself', event, "values without cycles")
        if isinstance(node.value, (dict, list)) and len(self._stack) + _height(node) > MAX_DEPTH:
            raise too_deep(Location(self._name, _start(event)))
        return node

    def _check_count(self, node: _Node) -> None:
        if node.size > MAX_NODES:
            raise too_many("values", MAX_NODES, Location(self._name, node.start))

    def _scalar(self, event: Any) -> _Node:
        node = _Node(self._scalar_value(event), _start(event), _end(event))
        if event.tag and not event.tag.startswith(_CORE) and event.tag != "!":
            self._apply_tag(node, event.tag, event)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _scalar_value(self, event: Any) -> Any:
        text, tag = str(event.value), event.tag
        if tag == _CORE + "str" or tag == "!" or (tag is None and event.style is not None and event.style != ""):
            return text
        if tag is not None and not tag.startswith(_CORE):
            return text
        if tag is None:
            return self._resolve(text, event)
        wanted = {"int": int, "float": float, "bool": bool, "null": type(None)}.get(tag.removeprefix(_CORE))
        if wanted is None:
            self._fail("document.unknown-tag", f'the tag "!!{tag.removeprefix(_CORE)}"', event, "a plain value")
        value = self._resolve(text, event)
        if wanted is float and type(value) is int:
            return float(value)
        if type(value) is not wanted:
            self._fail(
                "document.syntax", f'"{text}" is not {tag.removeprefix(_CORE)}', event, "a value of its tag's type"
            )
        return value

    def _resolve(self, text: str, event: Any) -> Any:
        if text in _NULLS:
            return None
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        if self._short_tags and text in _OLD_BOOLEANS:
            return _OLD_BOOLEANS[text]
        if text[0] not in "+-.0123456789" or _LEADING_ZERO.match(text):
            return text
        try:
            return self._number(text, event)
        except (ValueError, OverflowError):  # over 4,300 digits
            self._fail("document.bad-number", f'"{text[:40]}…" has too many digits', event, "a shorter number")

    def _number(self, text: str, event: Any) -> Any:
        if _INT.fullmatch(text):
            return int(text)
        if _HEX.fullmatch(text):
            return int(text, 0)
        if _NOT_FINITE.fullmatch(text):
            self._fail("document.bad-number", f'"{text}" is not a number that JSON can hold', event, "a finite number")
        if _FLOAT.fullmatch(text):
            value = float(text)
            if value in (float("inf"), float("-inf")):
                self._fail("document.bad-number", f'"{text[:40]}" is too large', event, "a finite number")
            return value
        return text

    def _apply_tag(self, node: _Node, tag: str | None, event: Any) -> None:
        if tag is None or tag in ("!", _CORE + "map", _CORE + "seq"):
            return
        expanded = expand_short_tag(tag, node.value) if self._short_tags else None
        if expanded is None:
            shown = "!!" + tag.removeprefix(_CORE) if tag.startswith(_CORE) else tag
            known = "CloudFormation's short tags" if self._short_tags else "a plain value"
            self._fail("document.unknown-tag", f'unknown tag "{shown}"', event, known)
        key, value = expanded
        inner = _Node(value, node.start, node.end)
        inner.children, inner.keys = node.children, node.keys
        node.value, node.children, node.keys = {key: value}, {key: inner}, {key: inner}
        node.size += 1

    def _fail(self, code: str, message: str, event: Any, expected: str) -> NoReturn:
        location = Location(self._name, _start(event), _end(event))
        raise BadInputError.of(code, message, location=location, expected=expected)


class _Frame:
    """An open container while composing."""

    __slots__ = ("key", "merges", "node", "tag")

    def __init__(self, node: _Node, tag: str | None) -> None:
        self.node = node
        self.tag = tag
        self.key: _Node | None = None
        self.merges: list[_Node] = []


def _height(node: _Node) -> int:
    """How many containers deep `node` is; the tree below it is within the depth bound, aliases seen once each."""
    heights: dict[int, int] = {}
    pending = [(node, False)]
    while pending:
        each, ready = pending.pop()
        if id(each) in heights:
            continue
        below = [child for child in each.children.values() if child.children]
        if ready:
            heights[id(each)] = 1 + max((heights[id(child)] for child in below), default=0)
        else:
            pending.append((each, True))
            pending += [(child, False) for child in below if id(child) not in heights]
    return heights[id(node)]


def _start(event: Any) -> Position:
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)


def _end(event: Any) -> Position:
    return Position(event.end_mark.line + 1, event.end_mark.column + 1)
