"""What a page consists of, before it is HTML or Markdown; all texts are plain and come from anywhere."""

from typing import TypeAlias

from msgspec import Struct


class Heading(Struct, frozen=True):
    """The title of a section."""

    text: str


class Prose(Struct, frozen=True):
    """A text with paragraphs."""

    text: str


class CodeExample(Struct, frozen=True):
    """A program or template; `label` is its language, for people."""

    label: str
    text: str


class PropertyNode(Struct, frozen=True):
    """A property in a tree: `path` is its place, `marks` are one word each, `facts` are labels with values."""

    name: str
    path: str
    type: str
    description: str
    marks: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    children: tuple["PropertyNode", ...] = ()


class PropertyTree(Struct, frozen=True):
    """Properties and what they consist of."""

    nodes: tuple[PropertyNode, ...]


class CellTable(Struct, frozen=True):
    """Rows of cells; those of the columns in `code` are names and values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    code: frozenset[int] = frozenset()


Block: TypeAlias = Heading | Prose | CodeExample | PropertyTree | CellTable
