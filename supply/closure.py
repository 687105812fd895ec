"""What the installed distributions require, for every platform and Python that `make install` is for."""

import functools
import importlib.metadata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_MINORS = (11, 12, 13, 14)
_MACHINES = ("x86_64", "aarch64", "arm64")
_SYSTEMS = (("linux", "Linux"), ("darwin", "Darwin"))


@dataclass(frozen=True, slots=True)
class Need:
    """`requirement` is asked for by `by`: a distribution's name, or a part of pyproject.toml."""

    requirement: Requirement
    by: str

    @property
    def key(self) -> str:
        """The name as indexes compare it."""
        return canonicalize_name(self.requirement.name)


def environments() -> Iterator[Mapping[str, str]]:
    """The values of environment markers on each of them."""
    for minor in _MINORS:
        for system, platform in _SYSTEMS:
            for machine in _MACHINES:
                yield {
                    "implementation_name": "cpython",
                    "implementation_version": f"3.{minor}.0",
                    "os_name": "posix",
                    "platform_machine": machine,
                    "platform_python_implementation": "CPython",
                    "platform_release": "",
                    "platform_system": platform,
                    "platform_version": "",
                    "python_full_version": f"3.{minor}.0",
                    "python_version": f"3.{minor}",
                    "sys_platform": system,
                }


def closure(requirements: Iterable[Requirement], by: str) -> frozenset[Need]:
    """All that is needed for `requirements`, directly or not, on at least one of the environments."""
    found: set[Need] = set()
    for environment in environments():
        found |= _closure([Need(each, by) for each in requirements], environment)
    return frozenset(found)


def _closure(wanted: list[Need], environment: Mapping[str, str]) -> set[Need]:
    found: set[Need] = set()
    while wanted:
        need = wanted.pop()
        if need in found:
            continue
        found.add(need)
        wanted += (
            Need(each, need.requirement.name)
            for each in _requirements(need.key)
            if _applies(each, need.requirement.extras, environment)
        )
    return found


@functools.cache
def _requirements(key: str) -> tuple[Requirement, ...]:
    try:
        texts = importlib.metadata.requires(key) or []
    except importlib.metadata.PackageNotFoundError:  # what is not installed is not locked: the caller finds out
        return ()
    return tuple(map(Requirement, texts))


def _applies(requirement: Requirement, extras: Iterable[str], environment: Mapping[str, str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in ("", *extras))
