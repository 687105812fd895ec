"""What a language puts into a package, and the interface of what builds it.

`cfn package` chooses the builder by the project's language: `python_provider`, and one module a language beside it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from formwork.package.archive import Member
from formwork.package.slim import LeftOut
from formwork.package.target import Architecture
from formwork.project import Project


@dataclass(frozen=True, slots=True)
class Provider:
    """What a language puts into the package.

    `archive` is the name of the archive that Lambda unpacks, `members` what is in it, sorted by name; where there is
    none (Java's jar is one already), `members` is empty and the jar stands among `sources`, the members beside it.
    `metadata` is the language's part of `.cfn_metadata.json`; `unpacked` what Lambda unpacks, in bytes, by default the
    size of the members.
    """

    archive: str | None
    members: tuple[Member, ...]
    sources: tuple[Member, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    unpacked: int | None = None


class ProviderBuild(Protocol):
    """How projects of one language are built for Lambda."""

    def provide(self, project: Project) -> Provider:
        """Build `project`.

        Raises:
            BadInputError: its code or requirements have errors; a compiler's are its own lines.
            EnvironmentProblemError: a tool is missing, or it, the index or the disk fails.
        """
        ...


def _none(_project: Project) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class ToolchainSettings:
    """What builders of compiled languages need: the user's environment, the cache, whom to tell, what to build for.

    With `refresh` nothing that the cache holds is used. `sources` gives texts, by their path, that a build takes
    instead of the project's own files.
    """

    environment: Mapping[str, str]
    cache: Path
    say: Callable[[str], None]
    architecture: Architecture
    refresh: bool = False
    aws_runtime: bool = False
    sources: Callable[[Project], Mapping[str, str]] = _none
