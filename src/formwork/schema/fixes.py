"""Fixes that are certain: what `cfn validate --fix` writes.

Only findings with one possible fix that keeps the author's meaning are fixed; everything else in the text, comments
too, stays as it is.
"""

from collections.abc import Callable

from msgspec import Struct

from formwork.diagnostics import Diagnostic, get_at, parse_pointer, render_pointer
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.documents.json_edit import Edit, Insert, Remove, Rename, Replace, edit_json
from formwork.extensions import ExtensionKind
from formwork.schema.load import detect_kind, validate_schema
from formwork.schema.node_types import type_of_value
from formwork.schema.view import SchemaView

_ROUNDS = 10  # a fix can uncover what another needs; real schemas take two or three

Tokens = tuple[str, ...]
_NUMERIC = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("minItems", "maxItems", "minProperties", "maxProperties", "timeoutInMinutes"),
    }
)


class Fixed(Struct, frozen=True):
    """A schema's text with the certain fixes made, and the findings that they are for.

    `left` are findings whose fix is certain and cannot be written, in YAML only: an alias shares the place, say.
    """

    text: str
    fixed: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...] = ()


def fix_schema(document: Document, *, kind: ExtensionKind | None = None) -> Fixed:
    """Fix what is certain in a schema document."""
    known = kind or detect_kind(document)
    fixed: list[Diagnostic] = []
    left: list[Diagnostic] = []
    for _ in range(_ROUNDS):
        found = validate_schema(document, kind=known)
        wanted = [(each, edits) for each in found if (edits := list_edits(document, each))]
        changed, made = _edit(document, [edits for _, edits in wanted])
        left = [each for (each, _), done in zip(wanted, made, strict=True) if not done]
        if changed.text == document.text:
            break
        fixed += [each for (each, _), done in zip(wanted, made, strict=True) if done]
        document = changed
    return Fixed(document.text, tuple(fixed), tuple(left))


def _edit(document: Document, groups: list[list[Edit]]) -> tuple[Document, list[bool]]:
    if not groups:
        return document, []
    if document.format is DocumentFormat.YAML:
        from formwork.documents.yaml_edit import edit_yaml_groups  # noqa: PLC0415 - YAML only

        return edit_yaml_groups(document, groups)
    text = edit_json(document.text, [edit for group in groups for edit in group])
    return parse_document(text, name=document.name, format=DocumentFormat.JSON), [True] * len(groups)


def list_edits(document: Document, diagnostic: Diagnostic) -> list[Edit]:
    """Return the edits that certainly fix `diagnostic`; none where there is more than one way."""
    fix = _FIXES.get(diagnostic.code)
    if fix is None or diagnostic.location.pointer is None:
        return []
    return fix(document, parse_pointer(diagnostic.location.pointer))


def _close_object(document: Document, path: Tokens) -> list[Edit]:
    node = get_at(document.value, path)
    missing = isinstance(node, dict) and "additionalProperties" not in node
    return [Insert(path, "additionalProperties", False)] if missing else []  # noqa: FBT003 - the member's value


def _rename_keyword(document: Document, path: Tokens) -> list[Edit]:
    from formwork.schema.vocabulary import known_names  # noqa: PLC0415 - reads the meta-schemas

    folded = {each.lower(): each for each in known_names(path[:-1])}
    better = folded.get(path[-1].lower())
    siblings = get_at(document.value, path[:-1], {})
    return [Rename(path, better)] if better is not None and better not in siblings else []


def _unquote(document: Document, path: Tokens) -> list[Edit]:
    if not path:  # the document as a whole is not an object
        return []
    value = get_at(document.value, path)
    if value in ("true", "false"):
        return [Replace(path, value == "true")]
    numeric = isinstance(value, str) and value.isascii() and value.isdecimal() and path[-1] in _NUMERIC
    return [Replace(path, int(value))] if numeric and len(value) < 10 else []


def _legacy(document: Document, path: Tokens) -> list[Edit]:
    if path[0] == "additionalIdentifiers":
        return [Replace(path, [get_at(document.value, path)])]
    written = document.value.get("identifiers")
    if not isinstance(written, list) or not written or "primaryIdentifier" in document.value:
        return []
    first, *others = [[each] if isinstance(each, str) else each for each in written]
    edits: list[Edit] = [Replace(path, first), Rename(path, "primaryIdentifier")]
    if others and "additionalIdentifiers" not in document.value:
        edits.append(Insert((), "additionalIdentifiers", others))
    return edits if not others or len(edits) == 3 else []


def _add_type(document: Document, path: Tokens) -> list[Edit]:
    node = get_at(document.value, path[:-1])
    if not isinstance(node, dict) or "type" in node:
        return []
    values = node.get("enum", [node.get("const")])
    if not isinstance(values, list):
        return []
    types = {type_of_value(each) for each in values}
    return [Insert(path[:-1], "type", types.pop())] if len(types) == 1 else []


def _remove(_document: Document, path: Tokens) -> list[Edit]:
    return [Remove(path)]


def _star_pointer(document: Document, path: Tokens) -> list[Edit]:
    text = get_at(document.value, path)
    normalised, found = SchemaView(document.value).normalise(parse_pointer(text))
    return [Replace(path, render_pointer(("properties", *normalised)))] if found else []


def _whole_pointer(document: Document, path: Tokens) -> list[Edit]:
    text = get_at(document.value, path)
    if not isinstance(text, str) or text.startswith("/properties/"):
        return []
    name = text.removeprefix("#").removeprefix("/").removeprefix("properties/")
    known = SchemaView(document.value).at(tuple(name.split("/"))) is not None
    return [Replace(path, f"/properties/{name}")] if known else []


def _taggable(document: Document, path: Tokens) -> list[Edit]:
    value, tagging = document.value["taggable"], document.value.get("tagging")
    if tagging is None:
        return [Replace(path, {"taggable": value}), Rename(path, "tagging")]
    return [Remove(path)] if tagging.get("taggable") == value else []


_FIXES: dict[str, Callable[[Document, Tokens], list[Edit]]] = {
    "schema.enum-without-type": _add_type,
    "schema.legacy-identifiers": _legacy,
    "schema.open-object": _close_object,
    "schema.pointer-not-found": _whole_pointer,
    "schema.pointer-through-array": _star_pointer,
    "schema.repeated-item": _remove,
    "schema.synchronous-timeout": _remove,
    "schema.taggable-deprecated": _taggable,
    "schema.undeclared-members": _close_object,
    "schema.unknown-keyword": _rename_keyword,
    "schema.wrong-type": _unquote,
}
