"""What a page consists of, before it is HTML or Markdown; all texts are plain and come from anywhere."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A text with paragraphs."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeExample:
    """A program or template; `label` is its language, for people."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PropertyNode:
    """A property in a tree: `path` is its place, `marks` are one word each, `facts` are labels with values."""

    name: str
    path: str
    type: str
    description: str
    marks: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    children: tuple["PropertyNode", ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyTree:
    """Properties and what they consist of."""

    nodes: tuple[PropertyNode, ...]


@dataclass(frozen=True, slots=True)
class CellTable:
    """Rows of cells; those of the columns in `code` are names and values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    code: frozenset[int] = frozenset()


Block: TypeAlias = Heading | Prose | CodeExample | PropertyTree | CellTable
