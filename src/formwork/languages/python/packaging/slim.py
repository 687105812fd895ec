"""Selects the installed dependencies for the package, and reports what is left out and why.

Lambda's Python runtimes include boto3 and its dependencies, and handlers on this machine get the same, so these
are left out. Distributions that the author's requirements pin are included with their dependencies, as resolved
together; so are those that another packaged distribution pins, and its other requirements.

The reasons are in docs/decisions/0601.
"""

import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from formwork.languages.python.packaging.distributions import Distribution, follow_needs
from formwork.languages.python.packaging.resolving import roots_of
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import RequirementLine
from formwork.languages.python.runtime_packages import lambda_distributions
from formwork.package.archive import ArchiveMember
from formwork.package.provider import LeftOut

# Packages of the runtime that are left out unless pinned. The runtime's others are left out only if no packaged
# distribution needs them, since the runtime's version may not fit.
_SDK = frozenset({"boto3", "botocore", "s3transfer"})
# Needed for installing, not at run time, unless a file imports it.
INSTALLERS = {"setuptools": ("setuptools", "pkg_resources"), "pip": ("pip",), "wheel": ("wheel",)}
_TESTS = frozenset({"tests", "test"})
_KEPT_OF_DIST_INFO = re.compile(
    r"METADATA|entry_points\.txt|(.*/)?(LICEN[SC]E|COPYING|NOTICE|AUTHORS)[^/]*|licenses/.*", re.IGNORECASE
)
_IMPORTS_TESTS = re.compile(rb"^\s*(?:from|import)\s[^\n#]*\btests?\b", re.MULTILINE)


def choose_members(
    folder: Path, distributions: Mapping[str, Distribution], lines: Sequence[RequirementLine], target: Target
) -> tuple[list[ArchiveMember], list[LeftOut]]:
    """Return the members of the package from the distributions in `folder`, and what was left out."""
    needed = _needed(folder, distributions, lines, target)
    left_out = [
        LeftOut(f"{each.name} {each.version}", _reason(name), _size(folder, each.files))
        for name, each in sorted(distributions.items())
        if name not in needed
    ]
    owned = {file for name, each in distributions.items() if name not in needed for file in each.files}
    kept: list[ArchiveMember] = []
    small: dict[str, int] = {}
    importing_tests = _packages_that_import_tests(folder)
    for name, path in _files(folder):
        reason = None if name in owned else _reason_for_file(name, importing_tests)
        if reason is not None:
            small[reason] = small.get(reason, 0) + path.stat().st_size
        elif name not in owned:
            kept.append(ArchiveMember(name, path, executable=bool(path.stat().st_mode & stat.S_IXUSR)))
    return kept, [*left_out, *(LeftOut(what, "not read at run time", size) for what, size in small.items())]


def _needed(
    folder: Path, distributions: Mapping[str, Distribution], lines: Sequence[RequirementLine], target: Target
) -> frozenset[str]:
    cut = _SDK & lambda_distributions(target.python) | frozenset(INSTALLERS)
    pinned = {each.name for each in lines if each.name is not None and each.pinned}
    pinned |= _pinned_by(_reached(lines, distributions, target, cut), distributions, target)
    while pinned & cut:
        # A pinned distribution is included with its dependencies, since the runtime has other versions.
        cut -= follow_needs([(name, frozenset()) for name in pinned & cut], distributions, target).names
        pinned = _pinned_by(_reached(lines, distributions, target, cut), distributions, target)
    needed = _reached(lines, distributions, target, cut)
    files = [folder / file for name in needed for file in distributions[name].files if file.endswith(".py")]
    imported = {name for name, modules in INSTALLERS.items() if name in cut and _any_imports(files, modules)}
    return needed | (imported & distributions.keys())


def _reached(
    lines: Sequence[RequirementLine],
    distributions: Mapping[str, Distribution],
    target: Target,
    cut: frozenset[str],
) -> frozenset[str]:
    roots = [root for root in roots_of(lines, distributions) if root[0] not in cut]
    return follow_needs(roots, distributions, target, cut=cut).names


def _pinned_by(names: Iterable[str], distributions: Mapping[str, Distribution], target: Target) -> set[str]:
    """Return the packages of the SDK that the distributions `names` need in versions that Lambda's may not satisfy."""
    requirements = (each for name in names for each in distributions[name].requires)
    return {
        name
        for each in requirements
        if (name := canonicalize_name(each.name)) in _SDK
        and (
            name in distributions
            and _refuses_later(each, distributions[name].version)
            and (each.marker is None or each.marker.evaluate(target.markers | {"extra": ""}))
        )
    }


def _refuses_later(requirement: Requirement, installed: str) -> bool:
    """Return whether it is an exact pin, or an upper bound below the next major version of the installed one."""
    return requirement.url is not None or not requirement.specifier.contains(f"{Version(installed).major}.9999")


def _any_imports(files: Iterable[Path], modules: Sequence[str]) -> bool:
    pattern = re.compile(
        rb"^\s*(?:from|import)\s+(?:%s)\b" % b"|".join(each.encode() for each in modules), re.MULTILINE
    )
    return any(pattern.search(each.read_bytes()) for each in files if each.name != "setup.py" and each.is_file())


def _reason(name: str) -> str:
    if name in _SDK:
        return "included in Lambda"
    return "not imported" if name in INSTALLERS else "needed only by packages that are left out"


def _size(folder: Path, files: Iterable[str]) -> int:
    return sum((folder / each).stat().st_size for each in files if (folder / each).is_file())


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), path


def _packages_that_import_tests(folder: Path) -> frozenset[str]:
    """Return the top-level packages in which a file outside of `tests` folders imports a module named tests."""
    return frozenset(
        PurePosixPath(name).parts[0]
        for name, path in _files(folder)
        if name.endswith(".py")
        and not _TESTS & set(PurePosixPath(name).parts)
        and _IMPORTS_TESTS.search(path.read_bytes())
    )


def _reason_for_file(name: str, importing_tests: frozenset[str]) -> str | None:
    parts = PurePosixPath(name).parts
    if parts[0].endswith(".dist-info"):
        return None if _KEPT_OF_DIST_INFO.fullmatch("/".join(parts[1:])) else "installation records"
    if "__pycache__" in parts or name.endswith((".pyc", ".pyo")):
        return "compiled files"
    if name.endswith((".pyi", "py.typed")):
        return "type stubs"
    if parts[0] == "bin":
        return "scripts"
    if _TESTS & set(parts[:-1]) and parts[0] not in importing_tests:
        return "tests"
    return None
