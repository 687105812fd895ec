"""What a rule sees of a schema, and what it answers."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from formwork.diagnostics import PointerError, Severity, get_at, parse_pointer
from formwork.documents import Document
from formwork.documents.refs import SELF_REFERENCE, ReferenceError_, follow_ref, split_local_ref
from formwork.extensions import ExtensionKind
from formwork.schema.findings import Path
from formwork.schema.paths import PropertyPath
from formwork.schema.view import SchemaView, Subschema

if TYPE_CHECKING:  # imported where there is something to look at
    from formwork.patterns.syntax import Pattern, PatternError
    from formwork.schema.following import ReferenceFault
    from formwork.schema.references import DocumentLoader

POINTER_LISTS = (
    "primaryIdentifier",
    "readOnlyProperties",
    "writeOnlyProperties",
    "createOnlyProperties",
    "conditionalCreateOnlyProperties",
    "nonPublicProperties",
    "deprecatedProperties",
)
# The top-level keywords that hold schemas of properties.
_HOLDERS = frozenset({"properties", "definitions", "allOf", "anyOf", "oneOf", "typeConfiguration"})


class Problem(Struct, frozen=True):
    """One thing a rule found: at `path`, or with `key` at the name of that member."""

    path: Path
    message: str
    expected: str | None = None
    hint: str | None = None
    key: bool = False
    severity: Severity | None = None  # where it isn't the rule's own


class Pointer(Struct, frozen=True):
    """An entry of a semantic list: its place, its text, the property path it means, whether that exists."""

    at: Path
    text: str
    path: PropertyPath
    found: bool


class Checked(Struct):
    """A schema that is valid against its meta-schema, with cached facts that several rules need."""

    document: Document
    kind: ExtensionKind
    value: Mapping[str, Any]
    view: SchemaView
    # Every property schema, parents before children.
    nodes: list[Subschema]
    # How to look at other documents; None where that can't be done.
    references: "DocumentLoader | None" = None
    _pointers: dict[str, list[Pointer]] = field(default_factory=dict)
    _refs: dict[str, str | None] = field(default_factory=dict)
    _reference_faults: "list[ReferenceFault] | None" = None

    def pointers(self, keyword: str) -> list[Pointer]:
        """Return the entries of the semantic list `keyword`; of additionalIdentifiers those of all its lists."""
        if keyword not in self._pointers:
            self._pointers[keyword] = list(self._read_pointers(keyword))
        return self._pointers[keyword]

    def _read_pointers(self, keyword: str) -> Iterator[Pointer]:
        entries = self.value.get(keyword)
        if not isinstance(entries, list):
            return
        nested = keyword == "additionalIdentifiers"
        for index, entry in enumerate(entries):
            if nested and isinstance(entry, list):
                for inner, text in enumerate(entry):
                    yield self.pointer((keyword, index, inner), text)
            elif isinstance(entry, str):
                yield self.pointer((keyword, index), entry)

    def pointer(self, at: Path, text: str) -> Pointer:
        """Return the parsed property pointer `text`, which is written at `at`, and whether its target exists."""
        try:
            tokens = parse_pointer(text)
        except PointerError:
            return Pointer(at, text, (text,), found=False)
        path, found = self.view.normalise(tokens)
        return Pointer(at, text, path, found and tokens[:1] == ("properties",))

    def paths(self, keyword: str) -> set[PropertyPath]:
        """Return the property paths of the semantic list `keyword`."""
        return {each.path for each in self.pointers(keyword)}

    def ref_fault(self, ref: str) -> str | None:
        """Why the reference `ref` into this document can't be followed, or None; other documents are not checked."""
        if ref not in self._refs:
            self._refs[ref] = self._follow(ref)
        return self._refs[ref]

    def _follow(self, ref: str) -> str | None:
        try:
            if split_local_ref(ref) is None:
                return None
            target, path = follow_ref({"$ref": ref}, self.value)
        except ReferenceError_ as error:
            return str(error)
        if path is None or (len(path) == 2 and path[0] in ("definitions", "properties")) or not path:
            return None  # the meta-schema has accepted it
        from formwork.schema.property_shape import find_misshapen  # noqa: PLC0415 - few references lead elsewhere

        finding = find_misshapen(target)
        if finding is None and path[0] in _HOLDERS:
            return None
        return f'"{ref}" leads to no schema' + (f": {finding.message}" if finding else "")

    def has_external_refs(self) -> bool:
        """Return whether a `$ref` of the schema looks as if it led into another document."""
        return any(not _is_local(str(node.value["$ref"])) for node in self.nodes if "$ref" in node)

    def reference_faults(self) -> "list[ReferenceFault]":
        """Return the faults of references into other documents; empty if these cannot be read."""
        if self._reference_faults is None:
            self._reference_faults = self._follow_documents()
        return self._reference_faults

    def _follow_documents(self) -> "list[ReferenceFault]":
        if self.references is None or not self.has_external_refs():
            return []
        from formwork.schema.following import find_reference_faults  # noqa: PLC0415 - few schemas refer to others

        return find_reference_faults(self.value, self.references)

    def pattern(self, text: str) -> "Pattern | None":
        """Return the regular expression `text`, parsed; None if it can't be."""
        return _read_pattern(text)[0]

    def pattern_fault(self, text: str) -> "PatternError | None":
        """Return why the regular expression `text` can't be parsed, or None."""
        return _read_pattern(text)[1]


def _is_local(ref: str) -> bool:
    return ref.startswith(("#", f"{SELF_REFERENCE}#"))


@lru_cache(maxsize=8192)
def _read_pattern(text: str) -> "tuple[Pattern | None, PatternError | None]":
    from formwork.patterns.parser import parse_pattern  # noqa: PLC0415 - see above
    from formwork.patterns.syntax import PatternError  # noqa: PLC0415 - see above

    try:
        return parse_pattern(text), None
    except PatternError as error:
        return None, error


def list_patterns(path: Path, node: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """The regular expressions of the property schema `node` with their paths; for keys of maps the member's path."""
    if isinstance(node.get("pattern"), str):
        yield (*path, "pattern"), node["pattern"]
    keys = node.get("patternProperties")
    for text in keys if isinstance(keys, dict) else ():
        yield (*path, "patternProperties", text), text


def list_nodes(view: SchemaView) -> list[Subschema]:
    """Return every property schema in a document: of list's input, of the type configuration, of the resource."""
    root, found = view.root.value, list[Subschema]()
    for path in (("handlers", "list", "handlerSchema"), ("typeConfiguration",)):
        written = get_at(root, path)
        if isinstance(written, dict):
            found += view.node(written, path).walk()
    return found + list(view.root.walk())
