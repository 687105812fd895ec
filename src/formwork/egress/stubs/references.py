"""The files of an OpenAPI document, and `$ref` within and between them.

A reference leads into the same document or into a file in its folder or below; nothing is fetched.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, PointerError, Severity, expect_at, parse_pointer
from formwork.documents import Document, load_document

_MOST_FILES = 4_000  # one public document has 2,900
_LONGEST_CHAIN = 50
_EXPECTED = "a reference into this document, or into a file in its folder or below"
# Maps from names that the author chose: there "example" is a name as any other.
_NAMED = frozenset({"properties", "patternProperties", "definitions", "$defs", "schemas", "paths", "responses"})
_VALUES = frozenset({"example", "examples", "default", "enum", "const"})


class Located(Struct, frozen=True):
    """A value of a document: `file` names the document, `tokens` the place in it."""

    value: Any
    file: Path
    tokens: tuple[str, ...] = ()

    def child(self, *names: str) -> "Located":
        """Return the value below, None as its value where there is none."""
        value = self.value
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return Located(value, self.file, (*self.tokens, *names))

    def members(self) -> Iterator[tuple[str, "Located"]]:
        """Yield the members of an object, nothing for other values."""
        if isinstance(self.value, dict):
            for name in self.value:
                yield name, self.child(name)

    def items(self) -> Iterator["Located"]:
        """Yield the items of an array, nothing for other values."""
        if isinstance(self.value, list):
            for index, item in enumerate(self.value):
                yield Located(item, self.file, (*self.tokens, str(index)))


class LinkedDocuments:
    """An OpenAPI document with the files that it refers to, each read once."""

    def __init__(self, path: Path) -> None:
        """Read the document at `path`.

        Raises:
            BadInputError: it can't be read or parsed (`document.*`).
        """
        self._folder = path.absolute().parent.resolve()
        self._main = self._folder / path.name
        self._documents = {self._main: load_document(path)}

    @property
    def root(self) -> Located:
        """The whole document."""
        return Located(self._documents[self._main].value, self._main)

    @property
    def document(self) -> Document:
        """The document that was opened."""
        return self._documents[self._main]

    def diagnostic(self, at: Located, slug: str, message: str, expected: str) -> Diagnostic:
        """Return an error about the value at a place."""
        return Diagnostic(f"stub.{slug}", Severity.ERROR, message, self._documents[at.file].locate(at.tokens), expected)

    def follow(self, at: Located) -> Located:
        """Follow the references at `at` to the end, and return the place of the final value.

        Raises:
            BadInputError: `stub.reference`: one leads nowhere, out of the folder, to the network, or in a circle.
        """
        here = at
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(here.value, dict) or not isinstance(here.value.get("$ref"), str):
                return here
            here = self.target(here)
        raise self._fault(at, f'"{at.value["$ref"]}" refers to itself')

    def target(self, at: Located) -> Located:
        """Return the target of the reference at `at`, which may be a reference itself.

        Raises:
            BadInputError: as `follow`.
        """
        written = at.value["$ref"]
        name, _, fragment = written.partition("#")
        file = self._file(at, unquote(name)) if name else at.file
        try:
            tokens = parse_pointer(unquote(fragment))
            return Located(expect_at(self._documents[file].value, tokens), file, tokens)
        except PointerError:
            raise self._fault(at, f'"{written}" leads nowhere') from None

    def _file(self, at: Located, name: str) -> Path:
        if "://" in name or "\0" in name:
            raise self._fault(at, f'"{at.value["$ref"]}" leads out of the folder of the document')
        path = (at.file.parent / name).resolve()
        if not path.is_relative_to(self._folder):
            raise self._fault(at, f'"{at.value["$ref"]}" leads out of the folder of the document')
        if path not in self._documents:
            if len(self._documents) >= _MOST_FILES:
                raise self._fault(at, f"the document refers to more than {_MOST_FILES:,} files")
            self._documents[path] = load_document(path, name=str(Path(self.document.name).parent / name))
        return path

    def _fault(self, at: Located, message: str) -> BadInputError:
        return BadInputError([self.diagnostic(at, "reference", message, _EXPECTED)])

    def problems(self) -> list[Diagnostic]:
        """Return diagnostics about broken references in the document and in their targets."""
        found: list[Diagnostic] = []
        pending, seen = [(self.root, False)], set[tuple[Path, tuple[str, ...]]]()
        while pending:
            at, named = pending.pop()
            if (at.file, at.tokens) in seen:
                continue
            seen.add((at.file, at.tokens))
            if isinstance(at.value, dict) and isinstance(at.value.get("$ref"), str) and not named:
                try:
                    pending.append((self.target(at), False))
                    self.follow(at)
                except BadInputError as error:
                    found += error.diagnostics
            pending += ((item, False) for item in at.items())
            for name, member in at.members():
                if named or (name not in _VALUES and not name.startswith("x-")):
                    pending.append((member, name in _NAMED and not named))
        return found
