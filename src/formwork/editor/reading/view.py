"""An open document with what features ask of it: its kind, project, value and schema."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, get_at
from formwork.documents import Document, DocumentFormat, load_document
from formwork.documents.opening import unsaved_texts
from formwork.editor.checking import CheckTarget, open_project
from formwork.editor.kinds import DocumentKind, kind_of, project_root
from formwork.editor.parsing import parse_once
from formwork.editor.protocol.addresses import address_of, path_of
from formwork.editor.protocol.positions import PositionIndex
from formwork.editor.protocol.texts import OpenText
from formwork.editor.reading.place import CursorPlace
from formwork.editor.session import EditorSession
from formwork.extensions import ExtensionKind
from formwork.project.project import Project
from formwork.schema import detect_kind

_SHORT_TAGS = frozenset({DocumentKind.TEMPLATE, DocumentKind.FRAGMENT, DocumentKind.FUNCTIONS})
_JSON = frozenset({DocumentKind.CONFIG, DocumentKind.INPUTS, DocumentKind.OVERRIDES, DocumentKind.TYPE_CONFIGURATION})


class DocumentView(Struct, frozen=True, dict=True):
    """One version of an open document, and its project."""

    session: EditorSession
    open: OpenText

    @property
    def text(self) -> str:
        """The text."""
        return self.open.text

    @property
    def index(self) -> PositionIndex:
        """The positions of the text."""
        return self.open.index

    @cached_property
    def path(self) -> Path | None:
        """The file, None for a document that is in none."""
        return path_of(self.open.uri)

    @cached_property
    def root(self) -> Path | None:
        """The folder of the project that the document belongs to."""
        return None if self.path is None else project_root(self.path, within=self.session.folders)

    @cached_property
    def project(self) -> Project | None:
        """The project, None where there is none or its configuration is broken."""
        if self.root is None:
            return None
        with unsaved_texts(self.session.unsaved()):
            return open_project(self.root, self.session.dependencies.remote)

    @cached_property
    def kind(self) -> DocumentKind:
        """What the document is."""
        return kind_of(self.path, self.text, language=self.open.language, root=self.root, project=self.project)

    @property
    def leaves_out_aws(self) -> bool:
        """Whether it is a template of which another server knows all but types that are not AWS's."""
        return self.session.dependencies.own_types_only and self.kind is DocumentKind.TEMPLATE

    @cached_property
    def document(self) -> Document | None:
        """The document, parsed; None where it is broken."""
        name = str(self.path) if self.path is not None else self.open.uri
        form = DocumentFormat.JSON if self.kind in _JSON else None
        try:
            return parse_once(self.text, name, form, short_tags=self.kind in _SHORT_TAGS)
        except BadInputError:
            return None

    @cached_property
    def value(self) -> Any:
        """The value; of a broken text the one that it had when it was last whole, {} where it never was."""
        self.remember()
        if self.document is not None:
            return self.document.value
        return self.session.remembered(self.open.uri)

    def remember(self) -> None:
        """Keep the value, if the text can be parsed."""
        if self.document is not None:
            self.session.remember(self.open.uri, self.document.value)

    def taken(self, cursor: CursorPlace) -> set[str]:
        """Return the other members of the object that the cursor is in: of a broken text, those before the cursor."""
        here = get_at(self.value, cursor.holder) if self.document is not None else None
        return {*cursor.siblings, *((set(here) - {cursor.word}) if isinstance(here, dict) else ())}

    @cached_property
    def extension(self) -> ExtensionKind:
        """The kind of extension that the document's project, or the schema itself, is about."""
        if self.project is not None:
            return self.project.kind
        return detect_kind(Document.of_value(self.value, "schema"))

    @cached_property
    def schema(self) -> Document | None:
        """The schema of the project, or the document itself where it is one; broken ones as they were last whole."""
        if self.kind is DocumentKind.SCHEMA:
            return self.document or Document.of_value(self.value, self.open.uri)
        if self.project is None or self.project.kind is ExtensionKind.MODULE:
            return None
        return self.load(self.project.schema_path)

    def load(self, path: Path, *, short_tags: bool = False) -> Document | None:
        """Return the document in a file, as the editor has it; None where it is missing or broken."""
        with unsaved_texts(self.session.unsaved()):
            try:
                return load_document(path, short_tags=short_tags)
            except BadInputError:
                return None

    def span(self, document: Document, tokens: Sequence[str | int], *, key: bool = False) -> dict[str, Any]:
        """Return the range of a value, or of its key, in `document`."""
        location = document.locate(tokens, key=key)
        index = self.index if document is self.document else PositionIndex(document.text, self.session.encoding)
        start = index.offset_of(location.start) if location.start else 0
        return index.range(start, index.offset_of(location.end) if location.end else start)

    def place(self, document: Document, tokens: Sequence[str | int], *, key: bool = False) -> dict[str, Any]:
        """Return the location of a value, or of its key, in a document of this workspace."""
        path = Path(document.name)
        uri = address_of(path) if path.is_absolute() else document.name
        own = self.open.uri if document is self.document else uri
        return {"uri": own, "range": self.span(document, tokens, key=key)}


def view_of(session: EditorSession, uri: str) -> DocumentView:
    """Return the view of an open document.

    Raises:
        ProtocolError: it is not open.
    """
    return DocumentView(session, session.expect(uri))


def remember_values(session: EditorSession, target: CheckTarget) -> None:
    """Keep the values of a target's documents that can be parsed, for when they can't be."""
    given = session.input()
    for file in given.files:
        text = session.get(file.uri)
        if text is not None and given.target_of(file) == target:
            DocumentView(session, text).remember()
