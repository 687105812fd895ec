"""The state of one client's session: its folders, its open documents, and their checks."""

import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic
from formwork.documents.load import read_text
from formwork.documents.remote import RemoteDocuments
from formwork.editor.checking import CheckInput, CheckTarget, Findings, OpenFile, check_target
from formwork.editor.protocol.abilities import ClientAbilities
from formwork.editor.protocol.addresses import address_of, path_of
from formwork.editor.protocol.positions import PositionEncoding, PositionIndex
from formwork.editor.protocol.texts import OpenText
from formwork.editor.protocol.wire import ErrorCode, ProtocolError
from formwork.editor.rendering import render_diagnostics
from formwork.schema.at_hand import NO_SCHEMAS, SchemaCatalog

Publish = Callable[[dict[str, Any]], None]


class EditorDependencies(Struct, frozen=True):
    """What the server is given.

    How documents elsewhere are found, the schemas of the types on this machine, what the last run of `cfn test` in a
    project's folder came to (clause → "proved", "violated" or another state), and what runs `cfn test` there for a
    handler, and returns the lines that it wrote; None: the server runs no code of a project. `own_types_only`: another
    server has AWS's types and the structure of templates, and this one leaves them out.
    """

    remote: RemoteDocuments | None = None
    schemas: SchemaCatalog = NO_SCHEMAS
    last_clauses: Callable[[Path], Mapping[str, str]] = lambda _root: {}
    run_tests: Callable[[Path, str], str] | None = None
    own_types_only: bool = False


class EditorSession:
    """Open documents by address, and what was found in them and in the projects they belong to.

    Requests change it from one thread, checks read it from another: each takes the lock for what it copies.
    """

    def __init__(self, dependencies: EditorDependencies, publish: Publish) -> None:
        self.dependencies = dependencies
        self.encoding = PositionEncoding.UTF16
        self.client = ClientAbilities()
        self.folders: tuple[Path, ...] = ()
        self._publish = publish
        self._lock = threading.Lock()
        self._open: dict[str, OpenText] = {}
        self._shown: dict[CheckTarget, set[str]] = {}
        self._whole: dict[str, Any] = {}
        self._found: dict[str, list[Diagnostic]] = {}

    def open(self, text: OpenText) -> None:
        """Add a document, or replace it where a client opens it twice."""
        with self._lock:
            self._open[text.uri] = text

    def change(self, uri: str, version: int, changes: Any) -> None:
        """Change an open document.

        Raises:
            ProtocolError: it is not open, or a change is malformed.
        """
        changed = self.expect(uri).changed(version, changes)
        with self._lock:
            self._open[uri] = changed

    def close(self, uri: str) -> CheckTarget | None:
        """Forget an open document; return what is to be checked again."""
        with self._lock:
            closed = self._open.pop(uri, None)
            self._whole.pop(uri, None)
        if closed is None:
            return None
        target = self._input([closed]).target_of(_open_file(closed))
        if target.root is None:
            self._show(target, Findings(), self.opened())
        return target

    def expect(self, uri: str) -> OpenText:
        """Return an open document.

        Raises:
            ProtocolError: it is not open.
        """
        found = self.get(uri)
        if found is None:
            raise ProtocolError(ErrorCode.INVALID_PARAMS, "the document is not open")
        return found

    def get(self, uri: str) -> OpenText | None:
        """Return an open document, or None."""
        with self._lock:
            return self._open.get(uri)

    def remember(self, uri: str, value: Any) -> None:
        """Keep the value of a document that could be parsed, for when it can't be."""
        with self._lock:
            self._whole[uri] = value

    def remembered(self, uri: str) -> Any:
        """Return the last value of a document, {} where there is none."""
        with self._lock:
            return self._whole.get(uri, {})

    def opened(self) -> list[OpenText]:
        """Return all open documents."""
        with self._lock:
            return list(self._open.values())

    def unsaved(self) -> dict[Path, str]:
        """Return the texts of the open documents by path."""
        return {each.path: each.text for each in map(_open_file, self.opened()) if each.path is not None}

    def input(self) -> CheckInput:
        """Return what checks work with."""
        return self._input(self.opened())

    def target_of(self, uri: str) -> CheckTarget:
        """Return what is checked for an open document."""
        return self.input().target_of(_open_file(self.expect(uri)))

    def targets(self) -> set[CheckTarget]:
        """Return what is checked for all open documents."""
        given = self.input()
        return {given.target_of(each) for each in given.files}

    def check(self, target: CheckTarget, *, is_stale: Callable[[], bool] = lambda: False) -> None:
        """Check `target` and publish what was found, unless the documents have changed meanwhile."""
        texts = self.opened()
        given = self._input(texts)
        open_here = [each for each in given.files if given.target_of(each) == target]
        findings = check_target(target, given) if open_here else Findings()
        if not is_stale():
            self._show(target, findings, texts)

    def found_at(self, uri: str) -> list[Diagnostic]:
        """Return what the last check found in a document."""
        path = path_of(uri)
        with self._lock:
            return list(self._found.get(str(path) if path is not None else uri, ()))

    def _input(self, texts: Iterable[OpenText]) -> CheckInput:
        files = tuple(_open_file(each) for each in texts)
        given = self.dependencies
        return CheckInput(files, self.folders, given.remote, given.schemas, own_types_only=given.own_types_only)

    def _show(self, target: CheckTarget, findings: Findings, texts: Iterable[OpenText]) -> None:
        """Publish what was found in `texts`; documents that were open in them may have changed meanwhile."""
        named = {_open_file(each).name: each for each in texts}
        with self._lock:
            before = self._shown.get(target, set())
            self._shown[target] = set(findings.of)
            self._found |= findings.of
            for name in before - findings.of.keys():
                self._found.pop(name, None)
        for name in sorted(before | findings.of.keys()):
            self._publish(self._published(name, findings.of.get(name, []), named.get(name)))

    def _published(self, name: str, found: list[Diagnostic], text: OpenText | None) -> dict[str, Any]:
        path = Path(name)
        uri = address_of(path) if path.is_absolute() else name
        if text is not None:
            rendered = render_diagnostics(found, text.index)
            return {"uri": text.uri, "version": text.version, "diagnostics": rendered}
        return {"uri": uri, "diagnostics": render_diagnostics(found, self._saved_index(path, found))}

    def _saved_index(self, path: Path, found: list[Diagnostic]) -> PositionIndex:
        try:
            return PositionIndex(read_text(path) if found else "", self.encoding)
        except BadInputError:
            return PositionIndex("", self.encoding)


def _open_file(text: OpenText) -> OpenFile:
    return OpenFile(text.uri, path_of(text.uri), text.language, text.text)
