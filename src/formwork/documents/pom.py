"""Maven's pom.xml files as trees: one, and its parents that are files here.

What can't be read counts as missing: Maven, which runs what such a file says, has the words for what is wrong.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

POM = "pom.xml"
# A chain of parents that is longer than any real one is a circle.
_DEEPEST = 8


def read_pom(path: Path) -> "Element | None":
    """Return the tree of the file at `path`, without namespaces; None where it can't be read."""
    from xml.etree.ElementTree import ParseError, parse  # noqa: PLC0415 - only Java projects have any

    try:
        tree = parse(path).getroot()  # noqa: S314 - the author's own: Maven runs what it says
    except (OSError, ParseError, ValueError, LookupError):
        return None
    for each in tree.iter():
        each.tag = str(each.tag).rpartition("}")[2]
    return tree


def pom_and_parents(path: Path) -> "Iterator[tuple[Path, Element]]":
    """Yield the file at `path` and those above it that are files here, the nearest first, with their trees."""
    for _ in range(_DEEPEST):
        tree = read_pom(path)
        if tree is None:
            return
        yield path, tree
        relative = tree.findtext("parent/relativePath", "../pom.xml").strip()
        if tree.find("parent") is None or not relative:  # an empty one means: from a repository
            return
        path = pom_at(path.parent / relative)


def pom_at(place: Path) -> Path:
    """The file that Maven reads where a `relativePath` or `module` names `place`: a folder, or the file itself."""
    return place / POM if place.is_dir() else place


def text_of(element: "Element", name: str) -> str:
    """Return the text of the child `name`, without the white space around it; "" where there is none."""
    return (element.findtext(name) or "").strip()
