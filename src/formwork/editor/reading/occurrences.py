"""Where a property of a schema is named: its declaration, lists of the schema, pointers, inputs and overrides."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from formwork.diagnostics import PointerError, get_at, parse_pointer, render_pointer
from formwork.documents import Document
from formwork.editor.kinds import DocumentKind
from formwork.editor.reading.place import CursorPlace, Tokens
from formwork.editor.reading.pointers import is_pointer_place, referred
from formwork.editor.reading.view import DocumentView
from formwork.extensions import ExtensionKind
from formwork.project.inputs import INPUTS_FOLDER
from formwork.project.overrides import OVERRIDES_FILE
from formwork.schema.checking import POINTER_LISTS
from formwork.schema.view import SchemaView, Subschema

_LISTS = (*POINTER_LISTS, "additionalIdentifiers")


class Occurrence(Struct, frozen=True):
    """A text in a document that names a property: a key, or a value; `steps` are the tokens of a pointer that do."""

    document: Document
    path: Tokens
    key: bool = False
    steps: tuple[int, ...] = ()
    transform: bool = False

    def renamed(self, text: str, old: str, new: str) -> str:
        """Return `text`, which stands here, with the property called `new`."""
        if self.transform:
            return _identifier(old).sub(new, text)
        if not self.steps:
            return new
        if text.startswith("#"):
            return "#" + self.renamed(text[1:], old, new)
        slash = "" if text.startswith("/") else "/"
        tokens = list(parse_pointer(slash + unquote(text)))
        for step in self.steps:
            tokens[step] = new
        return render_pointer(tokens).removeprefix(slash)


def property_at_cursor(view: DocumentView, cursor: CursorPlace) -> Subschema | None:
    """Return the property that the word at a cursor names, None where it names none."""
    if view.schema is None or not isinstance(view.schema.value, dict):
        return None
    tree = SchemaView(view.schema.value)
    match view.kind:
        case DocumentKind.SCHEMA:
            return _in_schema(tree, view.schema.value, cursor)
        case DocumentKind.INPUTS if cursor.in_key:
            return _in_model(tree, cursor.path)
        case DocumentKind.OVERRIDES if cursor.in_key and isinstance(cursor.key, str):
            return next((found for _, found in reversed(list(pointer_steps(tree, _tokens(cursor.key))))), None)
        case _:
            return None


def _in_schema(tree: SchemaView, value: Any, cursor: CursorPlace) -> Subschema | None:
    path = cursor.path
    if cursor.in_key and path[-2:-1] == ("properties",) and is_declaration(path):
        return _node(tree, path)
    if (cursor.in_key and path[:1] == ("propertyTransform",)) or (not cursor.in_key and is_pointer_place(path)):
        steps = [*pointer_steps(tree, _tokens(cursor.word))]
        return steps[-1][1] if steps else None
    if not cursor.in_key and path[-2:-1] == ("required",):
        return _node(tree, (*_holder(value, path[:-2]), "properties", cursor.word))
    return None


def is_declaration(path: Tokens) -> bool:
    """Return whether a schema's path ends with the name of a property, rather than a keyword called `properties`."""
    depth = 0
    for step in reversed(path[:-1]):
        if step != "properties":
            break
        depth += 1
    return depth % 2 == 1


def _node(tree: SchemaView, path: Tokens) -> Subschema | None:
    value = get_at(tree.root.value, path)
    return tree.node(value, path) if isinstance(value, dict) else None


def _holder(value: Any, path: Tokens) -> Tokens:
    """Return the schema whose properties a `required` list at `path` names: of a combined one, its holder."""
    while path and not isinstance(get_at(value, (*path, "properties")), dict) and len(path) >= 2:
        if path[-2] not in ("allOf", "anyOf", "oneOf"):
            break
        path = path[:-2]
    return path


def _in_model(tree: SchemaView, path: Tokens) -> Subschema | None:
    node: Subschema | None = tree.root
    for step in path:
        node = node.child("*" if isinstance(step, int) else step) if node is not None else None
    return node


def _tokens(text: str) -> tuple[str, ...]:
    slashed = unquote(text)
    try:
        return parse_pointer(slashed if slashed.startswith("/") else f"/{slashed}")
    except PointerError:
        return ()


def pointer_steps(tree: SchemaView, tokens: Sequence[str]) -> Iterator[tuple[int, Subschema]]:
    """Yield the properties that a pointer passes, each with the number of its token, as `normalise` reads it."""
    node: Subschema = tree.root
    for number, token in enumerate(tokens):
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        if token == "properties" and following is not None and node.child(following) is not None:  # noqa: S105 - a keyword
            continue
        child = node.child(token)
        if child is None and (token in ("items", "*") or token.isdecimal()):
            child = node.child("*")
            if child is not None:
                node = child
                continue
        if child is None:
            inner = node.child("*")
            child = inner.child(token) if inner is not None else None
        if child is None:
            return
        if child.path[-2:-1] == ("properties",):
            yield number, child
        node = child


def list_occurrences(view: DocumentView, declared: Tokens) -> Iterator[Occurrence]:
    """Yield every place in the schema, the inputs and the overrides that names the property declared at `declared`."""
    schema = view.schema
    if schema is None or not isinstance(schema.value, dict):
        return
    tree = SchemaView(schema.value)
    yield Occurrence(schema, declared, key=True)
    yield from _required(schema, declared)
    yield from _pointers(schema, tree, declared)
    yield from _references(schema, declared)
    if view.project is None or view.project.kind is not ExtensionKind.RESOURCE:
        return
    for document in _inputs(view, view.project.root):
        yield from _members(document, (), document.value, tree.root, declared)
    overrides = view.load(view.project.root / OVERRIDES_FILE)
    if overrides is not None and isinstance(overrides.value, dict):
        for action, values in overrides.value.items():
            for text in values if isinstance(values, dict) else ():
                steps = _steps(tree, _tokens(text), declared)
                if steps:
                    yield Occurrence(overrides, (action, text), key=True, steps=steps)


def _inputs(view: DocumentView, root: Path) -> Iterator[Document]:
    for file in sorted((root / INPUTS_FOLDER).glob("*.json")):
        document = view.load(file)
        if document is not None and isinstance(document.value, dict):
            yield document


def _members(
    document: Document, path: Tokens, value: Any, node: Subschema | None, declared: Tokens
) -> Iterator[Occurrence]:
    if node is None:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            child = node.child(name)
            if child is not None and child.path == declared:
                yield Occurrence(document, (*path, name), key=True)
            yield from _members(document, (*path, name), member, child or node.child("*"), declared)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _members(document, (*path, number), each, node.child("*"), declared)


def _required(schema: Document, declared: Tokens) -> Iterator[Occurrence]:  # noqa: C901 - one place after the other
    holder, name = declared[:-2], declared[-1]
    pending: list[Tokens] = [holder]
    while pending:
        path = pending.pop()
        node = get_at(schema.value, path)
        if not isinstance(node, dict):
            continue
        listed = node.get("required")
        for number, each in enumerate(listed if isinstance(listed, list) else ()):
            if each == name:
                yield Occurrence(schema, (*path, "required", number))
        for combiner in ("allOf", "anyOf", "oneOf"):
            parts = node.get(combiner)
            for number, part in enumerate(parts if isinstance(parts, list) else ()):
                if isinstance(part, dict) and "properties" not in part:
                    pending.append((*path, combiner, number))
        dependencies = node.get("dependencies")
        for key, each in dependencies.items() if isinstance(dependencies, dict) else ():
            if key == name:
                yield Occurrence(schema, (*path, "dependencies", key), key=True)
            for number, other in enumerate(each if isinstance(each, list) else ()):
                if other == name:
                    yield Occurrence(schema, (*path, "dependencies", key, number))


def _pointers(schema: Document, tree: SchemaView, declared: Tokens) -> Iterator[Occurrence]:
    value = schema.value
    for keyword in _LISTS:
        for path, text in _texts(value.get(keyword), (keyword,)):
            if steps := _steps(tree, _tokens(text), declared):
                yield Occurrence(schema, path, steps=steps)
    tagged = get_at(value, ("tagging", "tagProperty"))
    if isinstance(tagged, str) and (steps := _steps(tree, _tokens(tagged), declared)):
        yield Occurrence(schema, ("tagging", "tagProperty"), steps=steps)
    transforms = value.get("propertyTransform")
    for text, expression in transforms.items() if isinstance(transforms, dict) else ():
        if steps := _steps(tree, _tokens(text), declared):
            yield Occurrence(schema, ("propertyTransform", text), key=True, steps=steps)
        parent = [found for _, found in pointer_steps(tree, _tokens(text))][-1:]
        same = any(found.path[:-1] == declared[:-1] for found in parent)
        if same and isinstance(expression, str) and _identifier(str(declared[-1])).search(expression):
            yield Occurrence(schema, ("propertyTransform", text), transform=True)


def _references(schema: Document, declared: Tokens) -> Iterator[Occurrence]:
    """Yield the `$ref`s that lead through the property."""
    from formwork.schema.references import list_references  # noqa: PLC0415 - on first use

    written = tuple(map(str, declared))
    for path, ref in list_references(schema.value):
        tokens = referred(ref)
        if tokens is not None and ref.startswith("#") and tokens[: len(written)] == written:
            yield Occurrence(schema, (*path, "$ref"), steps=(len(written) - 1,))


def _texts(value: Any, path: Tokens) -> Iterator[tuple[Tokens, str]]:
    for number, each in enumerate(value if isinstance(value, list) else ()):
        if isinstance(each, str):
            yield (*path, number), each
        elif isinstance(each, list):
            yield from _texts(each, (*path, number))


def _steps(tree: SchemaView, tokens: Sequence[str], declared: Tokens) -> tuple[int, ...]:
    return tuple(number for number, found in pointer_steps(tree, tokens) if found.path == declared)


def _identifier(name: str) -> re.Pattern[str]:
    """Return what finds a name as a word of its own in a JSONata expression, outside texts as far as quotes tell."""
    return re.compile(rf"(?<![\w$\"'.]){re.escape(name)}(?![\w\"'(])")
