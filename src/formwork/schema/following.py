"""Following a schema's references through every document that they lead to, as far as they are used.

Only what is reached counts: an unused definition of another document may refer to what it likes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import PointerError, expect_at, render_pointer
from formwork.documents.refs import ReferenceError_
from formwork.schema.findings import Path
from formwork.schema.property_shape import find_misshapen
from formwork.schema.references import DocumentLoader, document_base, list_external, list_references, resolve_reference
from formwork.schema.view import COMBINERS


class ReferenceFault(Struct, frozen=True):
    """A reference that cannot be followed: `at` is the node that leads there; `circular` marks a loop."""

    at: Path
    message: str
    expected: str
    hint: str | None = None
    circular: bool = False


class _Target(Struct, frozen=True):
    """A node of another document."""

    uri: str
    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.uri}#{render_pointer(self.tokens)}"


class _Step(Struct, frozen=True):
    """A reference to follow: the node of the main schema that led here, the reference, and where it is written."""

    origin: Path
    target: _Target
    place: str


def find_reference_faults(value: Mapping[str, Any], loader: DocumentLoader) -> list[ReferenceFault]:
    """Return the faults of references from the schema `value` into other documents, and of references in these.

    Every fault is reported once, at the first reference of `value` that leads to it.
    """
    return list(_Walk(loader).run(value))


class _Walk:
    def __init__(self, loader: DocumentLoader) -> None:
        self._loader = loader
        self._origins: dict[_Target, Path] = {}
        # The targets that a target stands for, or that are parts or alternatives of it.
        self._leads: dict[_Target, list[_Target]] = {}

    def run(self, value: Mapping[str, Any]) -> Iterator[ReferenceFault]:
        pending = [_Step(path, _Target(uri, tokens), "") for path, uri, tokens in list_external(value)]
        pending.reverse()
        while pending:
            step = pending.pop()
            if step.target in self._origins:
                continue
            self._origins[step.target] = step.origin
            fault = self._look_at(step, pending)
            if fault is not None:
                yield fault
        yield from self._loops()

    def _look_at(self, step: _Step, pending: list[_Step]) -> ReferenceFault | None:
        uri, tokens = step.target.uri, step.target.tokens
        try:
            document = self._loader.load(uri)
            node = expect_at(document.value, tokens)
        except ReferenceError_ as error:
            hint = getattr(error, "hint", None)
            return ReferenceFault(step.origin, f"{step.place}{error}", "a document that can be read", hint)
        except PointerError:
            words = f'{step.place}the reference leads nowhere in "{uri}"'
            return ReferenceFault(step.origin, words, "a definition or property that exists")
        finding = find_misshapen(node)
        if finding is not None:
            words = f'{step.place}"{step.target}{render_pointer(finding.path)}": {finding.message}'
            return ReferenceFault(step.origin, words, finding.expected)
        return self._follow(step, node, document_base(document.value) or uri, pending)

    def _follow(self, step: _Step, node: dict[str, Any], base: str, pending: list[_Step]) -> ReferenceFault | None:
        leads = self._leads[step.target] = []
        for path, ref in list_references(node):
            place = f'"{step.target.uri}", at {render_pointer((*step.target.tokens, *path)) or "its top"}: '
            try:
                uri, tokens = resolve_reference(base, ref)
            except ReferenceError_ as error:
                return ReferenceFault(step.origin, f"{place}{error}", "a pointer such as #/definitions/Name")
            target = _Target(uri or step.target.uri, tokens)
            if all(isinstance(each, int) or each in COMBINERS for each in path):
                leads.append(target)
            pending.append(_Step(step.origin, target, place))
        return None

    def _loops(self) -> Iterator[ReferenceFault]:
        told: set[_Target] = set()
        for start in self._leads:
            loop = self._reached(start) if start not in told else set()
            if start in loop:
                told |= {each for each in loop if start in self._reached(each)}
                words = f'"{start}" leads back to itself'
                yield ReferenceFault(self._origins[start], words, "a chain that ends in a schema", circular=True)

    def _reached(self, start: _Target) -> set[_Target]:
        """Return the targets that `start` leads to; itself only where it leads back."""
        found: set[_Target] = set()
        pending = list(self._leads.get(start, ()))
        while pending:
            target = pending.pop()
            if target not in found:
                found.add(target)
                pending += self._leads.get(target, ())
        return found
