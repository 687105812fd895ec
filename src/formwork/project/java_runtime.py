"""Which version of AWS's Java runtime a project is built with: what is generated for it must fit that version.

The project's pom.xml says it (Maven's POM reference: dependencies, properties, parents, ranges of versions).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_RUNTIME = "aws-cloudformation-rpdk-java-plugin"
_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
# A chain of properties or parents that is longer than any real one is a circle, and so is what grows.
_DEEPEST = 8
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class RuntimeVersion:
    """The version that is built with, or, with `below`, the newest before it."""

    numbers: tuple[int, ...]
    below: bool = False

    def has(self, since: tuple[int, ...]) -> bool:
        """Whether what came with the version `since` is there."""
        wanted, own = _padded(since), _padded(self.numbers)
        return wanted < own if self.below else wanted <= own


def find_runtime_version(root: Path) -> RuntimeVersion | None:
    """The version for the project in the folder `root`; None where its pom.xml leaves it open, which is the newest."""
    return parse_version_range(declared_runtime_version(root))


def declared_runtime_version(root: Path) -> str:
    """The version as pom.xml or its parents write it, with properties put in; "" where none of them names one."""
    poms = [pom for _, pom in _poms(root / "pom.xml")]
    for pom in poms:
        for dependency in pom.iter("dependency"):
            version = _text(dependency, "version")
            if _text(dependency, "artifactId") == _RUNTIME and version:
                return _with_properties(version, poms)
    return ""


def parse_version_range(text: str) -> RuntimeVersion | None:
    """What Maven takes of a version or a range of them; None where nothing limits it."""
    last = text.rsplit(",", maxsplit=1)[-1].strip()
    numbers = re.match(r"[\[(]?(\d+(?:\.\d+)*)", last)
    if numbers is None:
        return None
    return RuntimeVersion(tuple(map(int, numbers[1].split("."))), last.endswith(")"))


def parent_poms(root: Path) -> tuple[Path, ...]:
    """The parents of the project's pom.xml that are files here: what they say is built with, too."""
    return tuple(path for path, _ in _poms(root / "pom.xml"))[1:]


def _poms(path: Path) -> Iterator[tuple[Path, "Element"]]:
    """The pom.xml at `path` and those above it that are files here, with their trees without namespaces."""
    from xml.etree.ElementTree import ParseError, parse  # noqa: PLC0415 - only Java projects have any

    for _ in range(_DEEPEST):
        try:
            tree = parse(path).getroot()  # noqa: S314 - the author's own: Maven runs what it says
        except (OSError, ParseError, ValueError, LookupError):
            return  # Maven has the words for what is wrong
        for each in tree.iter():
            each.tag = str(each.tag).rpartition("}")[2]
        yield path, tree
        parent = tree.find("parent")
        if parent is None:
            return
        place = path.parent / (_text(parent, "relativePath") or "../pom.xml")
        path = place / "pom.xml" if place.is_dir() else place


def _with_properties(text: str, poms: list["Element"]) -> str:
    found: dict[str, str] = {}
    for pom in reversed(poms):
        for properties in pom.findall("properties"):
            found |= {each.tag: (each.text or "").strip() for each in properties}
    for _ in range(_DEEPEST):
        if len(text) > _LONGEST:
            return ""
        text = _PROPERTY.sub(lambda name: found.get(name[1], ""), text)
    return text.strip()


def _text(element: "Element", name: str) -> str:
    return (element.findtext(name) or "").strip()


def _padded(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (*numbers, 0, 0, 0)[:3]
