"""Version numbers of public types, as Semantic Versioning 2.0.0 has them."""

import re
from typing import Any, Self

from msgspec import Struct

_NUMBER = r"(?:0|[1-9]\d*)"
_PRE = rf"(?:{_NUMBER}|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_VERSION = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_PRE}(?:\.{_PRE})*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?",
    re.ASCII,
)


class SemanticVersion(Struct, frozen=True):
    """`MAJOR.MINOR.PATCH-pre+build`; `build` says nothing of the order."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: str = ""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the version that `text` writes; None where it is none."""
        found = _VERSION.fullmatch(text)
        if found is None:
            return None
        pre = tuple(found[4].split(".")) if found[4] else ()
        return cls(int(found[1]), int(found[2]), int(found[3]), pre, found[5] or "")

    @property
    def order(self) -> tuple[Any, ...]:
        """What to sort by: a pre-release comes before its release, numbers before words."""
        pre = tuple((0, int(each), "") if each.isdecimal() else (1, 0, each) for each in self.pre)
        return self.major, self.minor, self.patch, not self.pre, pre

    @property
    def next_minor(self) -> "SemanticVersion":
        """The next minor release."""
        return SemanticVersion(self.major, self.minor + 1, 0)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        text += f"-{'.'.join(self.pre)}" if self.pre else ""
        return f"{text}+{self.build}" if self.build else text


def order_of(text: str) -> tuple[Any, ...]:
    """Return the sort key of a valid semantic version's text."""
    version = SemanticVersion.parse(text)
    assert version is not None
    return version.order


def major_of(text: str) -> int:
    """Return the major version of such a text."""
    return int(text.partition(".")[0])
