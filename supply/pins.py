"""The pins in `constraints.txt`, and what pyproject.toml asks for."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parent.parent
CONSTRAINTS = REPOSITORY / "constraints.txt"
LOCK = REPOSITORY / "requirements.lock"
# What installs everything else, and what the dependency group and the build have in common with users' installations.
INSTALLER = "pip"


@dataclass(frozen=True, slots=True)
class Pin:
    """One distribution at one version; `name` as its authors write it."""

    name: str
    version: str

    @property
    def key(self) -> str:
        """The name as indexes compare it."""
        return canonicalize_name(self.name)


class PinError(ValueError):
    """A line of a file of pins is not `NAME==VERSION`; the message quotes it."""


def parse_pins(text: str) -> tuple[Pin, ...]:
    """The pins of a file like `constraints.txt`, in its order.

    Raises:
        PinError: a line is something else.
    """
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(_parse_pin(line) for line in lines if line)


def _parse_pin(line: str) -> Pin:
    name, separator, version = line.partition("==")
    if not separator or not version or any(each in line for each in " ;@*/:,"):
        raise PinError(f'"{line}" is not NAME==VERSION')
    return Pin(name, version)


def required_by(project: Path = REPOSITORY / "pyproject.toml") -> dict[str, tuple[Requirement, ...]]:
    """What pyproject.toml asks for: `base`, each extra, group (`dev`) and `build`, with its requirements."""
    tables = tomllib.loads(project.read_text(encoding="utf-8"))
    asked = {
        "base": tables["project"]["dependencies"],
        **tables["project"]["optional-dependencies"],
        **tables["dependency-groups"],
        "build": [*tables["build-system"]["requires"], INSTALLER],
    }
    return {part: tuple(map(Requirement, texts)) for part, texts in asked.items()}
