"""The distributions that pip installed into a folder: their requirements and their files."""

import csv
import email.parser
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from formwork.languages.python.packaging.target import Target

# Extension modules of any platform.
BINARY_SUFFIXES = frozenset({".so", ".pyd", ".dylib", ".dll"})


class Distribution(Struct, frozen=True):
    """One distribution; `files` are posix paths below the folder, `tags` its wheel's (`py3-none-any`)."""

    name: str
    version: str
    requires: tuple[Requirement, ...]
    tags: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def is_pure(self) -> bool:
        """Whether it runs on all platforms: its wheel's tags say so, and it has no extension modules."""
        binary = any(PurePosixPath(each).suffix in BINARY_SUFFIXES for each in self.files)
        return not binary and all(each.endswith("-any") for each in self.tags)

    def runs_on(self, target: Target) -> bool:
        """Return whether its wheel is for `target` (pip checks that only for downloads)."""
        platforms = {platform for tag in self.tags for platform in tag.rsplit("-", 1)[1].split(".")}
        return self.is_pure or not platforms or bool(platforms & set(target.platforms))


def read_distributions(folder: Path) -> dict[str, Distribution]:
    """Return the distributions in `folder` by canonical name."""
    found = (_read(each) for each in sorted(folder.glob("*.dist-info")) if each.is_dir())
    return {each.name: each for each in found}


class Needs(Struct, frozen=True):
    """The distributions that some requirements need, and the requirements that no installed distribution meets."""

    names: frozenset[str]
    missing: tuple[str, ...]


def follow_needs(
    roots: Iterable[tuple[str, frozenset[str]]],
    distributions: Mapping[str, Distribution],
    target: Target,
    *,
    cut: frozenset[str] = frozenset(),
) -> Needs:
    """Follow requirements from `roots` (names and extras) on `target`; distributions in `cut` are left out."""
    missing: dict[str, None] = {}
    seen: set[tuple[str, str]] = set()
    pending = [(name, extra) for name, extras in roots for extra in ("", *sorted(extras))]
    while pending:
        name, extra = pending.pop()
        if (name, extra) in seen or name not in distributions:
            continue
        seen.add((name, extra))
        for each in distributions[name].requires:
            wanted = canonicalize_name(each.name)
            if wanted in cut or (each.marker and not each.marker.evaluate(target.markers | {"extra": extra})):
                continue
            # pip evaluates markers for its own Python, so that a requirement for `target` may be absent, or have
            # another version.
            if wanted not in distributions or not _meets(distributions[wanted], each):
                missing[_without_marker(each)] = None
            pending += [(wanted, one) for one in ("", *sorted(each.extras))]
    return Needs(frozenset(name for name, _ in seen), tuple(missing))


def _meets(distribution: Distribution, requirement: Requirement) -> bool:
    return requirement.specifier.contains(distribution.version, prereleases=True)


def _without_marker(requirement: Requirement) -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    place = f" @ {requirement.url}" if requirement.url else str(requirement.specifier)
    return f"{requirement.name}{extras}{place}"


def _read(info: Path) -> Distribution:
    metadata = email.parser.HeaderParser().parsestr((info / "METADATA").read_text(encoding="utf-8", errors="replace"))
    name, version = metadata["Name"] or info.name.partition("-")[0], metadata["Version"] or ""
    return Distribution(
        canonicalize_name(name),
        version,
        tuple(_requirements(metadata.get_all("Requires-Dist") or [])),
        tuple(_wheel_tags(info / "WHEEL")),
        tuple(_recorded(info / "RECORD")),
    )


def _requirements(lines: Iterable[str]) -> Iterator[Requirement]:
    for line in lines:
        try:
            yield Requirement(line)
        # a requirement of an old distribution that is not in the standard form; pip has installed it
        except InvalidRequirement:
            continue


def _wheel_tags(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return email.parser.HeaderParser().parsestr(path.read_text(encoding="utf-8")).get_all("Tag") or []


def _recorded(path: Path) -> Iterator[str]:
    if not path.is_file():
        return
    for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"))):
        if row and not row[0].startswith(("/", "..")):
            yield row[0]
