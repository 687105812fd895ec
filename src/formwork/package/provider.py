"""What a language puts into a package, and what builds it: `formwork.languages` implements it for each language."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from formwork.package.archive import ArchiveMember
from formwork.package.template import Architecture
from formwork.project import Project


class LeftOut(Struct, frozen=True):
    """Files that are not packaged: a description, the reason, and their size in bytes."""

    what: str
    reason: str
    size: int


class Provider(Struct, frozen=True):
    """The members that a language adds to the package.

    `archive` is the name of the archive that Lambda unpacks, `members` what is in it, sorted by name; where there is
    none (Java's jar is one already), `members` is empty and the jar stands among `sources`, the members beside it.
    `metadata` is the language's part of `.cfn_metadata.json`; `unpacked` what Lambda unpacks, in bytes, by default the
    size of the members. `target` names what it was built for, and `remarks` are lines about it for the user.
    """

    archive: str | None
    members: tuple[ArchiveMember, ...]
    sources: tuple[ArchiveMember, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    unpacked: int | None = None
    target: str = ""
    remarks: tuple[str, ...] = ()


class ProviderBuild(Protocol):
    """How projects of one language are built for Lambda."""

    def provide(self, project: Project) -> Provider:
        """Build `project`.

        Raises:
            BadInputError: its code or requirements have errors; a compiler's are its own lines.
            EnvironmentProblemError: a tool is missing, or it, the index or the disk fails.
        """
        ...


class PackagingSettings(Struct, frozen=True):
    """How projects are packaged.

    Attributes:
        environment: the user's, for the tools of the language.
        cache: the folder that keeps what was built and downloaded.
        say: called with lines for the user.
        architecture: of the machines that the handlers will run on.
        refresh: use nothing that the cache holds.
        aws_runtime: keep AWS's handler library where ours would stand in for it.
    """

    environment: Mapping[str, str]
    cache: Path
    say: Callable[[str], None]
    architecture: Architecture
    refresh: bool = False
    aws_runtime: bool = False
