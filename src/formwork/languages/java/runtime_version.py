"""The version of AWS's Java runtime that a project is built with, which generated code must fit.

It is read from the project's pom.xml (Maven's POM reference: dependencies, properties, parents, ranges of versions).
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.documents.pom import POM, pom_and_parents, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_RUNTIME = "aws-cloudformation-rpdk-java-plugin"
_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
# Limits against cycles: the longest chain of properties that is followed, and the longest value.
_DEEPEST = 8
_LONGEST = 200


class RuntimeVersion(Struct, frozen=True):
    """A version of the runtime; with `below`, the newest version before it."""

    numbers: tuple[int, ...]
    below: bool = False

    def has(self, since: tuple[int, ...]) -> bool:
        """Return whether this version is `since` or newer."""
        wanted, own = _padded(since), _padded(self.numbers)
        return wanted < own if self.below else wanted <= own


def find_runtime_version(root: Path) -> RuntimeVersion | None:
    """Return the version for the project in the folder `root`; None, the newest, if its pom.xml leaves it open."""
    return parse_version_range(declared_runtime_version(root))


def declared_runtime_version(root: Path) -> str:
    """Return the version in pom.xml or its parents, with properties resolved; "" if none of them has one."""
    poms = [pom for _, pom in pom_and_parents(root / POM)]
    for pom in poms:
        for dependency in pom.iter("dependency"):
            version = text_of(dependency, "version")
            if text_of(dependency, "artifactId") == _RUNTIME and version:
                return _with_properties(version, poms)
    return ""


def parse_version_range(text: str) -> RuntimeVersion | None:
    """Return the version that Maven chooses for a version or range; None if any is possible."""
    last = text.rsplit(",", maxsplit=1)[-1].strip()
    numbers = re.match(r"[\[(]?(\d+(?:\.\d+)*)", last)
    if numbers is None:
        return None
    return RuntimeVersion(tuple(map(int, numbers[1].split("."))), last.endswith(")"))


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


def _padded(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (*numbers, 0, 0, 0)[:3]
