"""Resolves dependencies for Lambda with pip on any machine: wheels for the target, without Docker.

A requirement without a wheel is built from source, and used if the result is pure Python. pip evaluates markers of
dependencies for the Python that it runs on; requirements that are missing for the target are added in a second run.
"""

import functools
import operator
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from formwork.diagnostics import BadInputError, EnvironmentProblemError, FormworkError
from formwork.languages.python.packaging.distributions import (
    BINARY_SUFFIXES,
    Distribution,
    follow_needs,
    read_distributions,
)
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import RequirementLine
from formwork.toolchain.pip import Pip, PipRun

_ROUNDS = 40
_NO_MATCH = re.compile(r"No matching distribution found for (?P<what>[^\n]+?)(?: \(from [^\n]*\))?\s*$", re.MULTILINE)
# pip's message after it has tried several versions of a requirement's parent.
_UNMATCHED = re.compile(r"no matching distributions available for your environment:\n\s+(?P<name>\S+)")
_DEPENDS = re.compile(r"^\s+\S+ \S+ depends on (?P<what>[^\n]+?)\s*$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NETWORK = re.compile(
    r"connection broken|Max retries|Failed to establish|name resolution|ConnectTimeout|ReadTimeout|ProxyError|SSLError"
)


class StandIn(Struct, frozen=True):
    """A distribution of the toolkit that replaces another: the canonical name and the folder with its wheel.

    `for_versions` writes a wheel there whose version satisfies other requirements, and returns the line for it.
    """

    name: str
    wheels: Path
    for_versions: Callable[[SpecifierSet], str | None]


def install_for(  # noqa: PLR0913 - what is installed, for what, where and how
    target: Target,
    lines: Sequence[RequirementLine],
    work: Path,
    pip: Pip,
    *,
    library: StandIn | None,
    say: Callable[[str], None],
) -> tuple[Path, dict[str, Distribution]]:
    """Install `lines` for `target` into a folder below `work`; `library` is the stand-in, `say` takes lines for users.

    Raises:
        BadInputError: a requirement can't be met there, with the reason and its name.
        EnvironmentProblemError: pip can't be run, or can't reach an index.
    """
    built = work / "built"
    built.mkdir()
    requirements, find_links = work / "requirements.txt", [built, *([library.wheels] if library else [])]
    pip = pip.working_in(work / "tmp")
    asked, tried = [each.text for each in lines], set[str]()
    for number in range(_ROUNDS):
        folder = work / f"site{number}"
        requirements.write_text("\n".join([*asked, ""]), encoding="utf-8")
        done = pip.run(*_install_options(target, requirements, folder, find_links))
        if not done.succeeded:
            if library is not None and library.name not in tried and (line := _other_line(done, library)) is not None:
                tried.add(library.name)
                asked = [line if _asked_name(each) == library.name else each for each in asked]
                continue
            wanted = _without_wheel(done)
            if wanted is None or wanted in tried:
                raise _failure(done)
            tried.add(wanted)
            say(f"{wanted}: no wheel for {target}; building it from source")
            _build_pure(wanted, built, done, pip, target)
            continue
        distributions = read_distributions(folder)
        _check_platform(distributions, target)
        missing = _missing(lines, distributions, target)
        if not missing:
            return folder, distributions
        asked += missing
    raise BadInputError.of("package.requirements", "the requirements could not be resolved", hint="pin them")


def _other_line(done: PipRun, library: StandIn) -> str | None:
    """Return the line for another version of `library` if other requirements exclude the current one."""
    demanded = _demanded_versions(done, library.name)
    return library.for_versions(demanded) if demanded is not None else None


def _install_options(target: Target, requirements: Path, folder: Path, find_links: Iterable[Path]) -> list[str]:
    options = ["install", "--no-compile", "--only-binary=:all:", f"--target={folder}", *target.pip_options]
    return [*options, *(f"--find-links={each}" for each in find_links), f"--requirement={requirements}"]


def _without_wheel(done: PipRun) -> str | None:
    """Return the requirement without a wheel if that was pip's error; several versions of a parent may need it."""
    if _NETWORK.search(done.output):
        return None
    found = _NO_MATCH.search(done.output)
    if found is not None:
        return found["what"].strip()
    unmatched = _UNMATCHED.search(done.output)
    if unmatched is None:
        return None
    name = unmatched["name"]
    demands = [
        each["what"] for each in _DEPENDS.finditer(done.output) if _asked_name(each["what"]) == canonicalize_name(name)
    ]
    return demands[0] if demands else name


def _asked_name(requirement: str) -> str:
    """Return the canonical name of a requirement, "" if it is not valid."""
    named = _NAME.match(requirement)
    return canonicalize_name(named[0]) if named else ""


def _demanded_versions(done: PipRun, name: str) -> SpecifierSet | None:
    """Return the versions of `name` that other requirements need, if that was pip's error."""
    demands = [each["what"] for each in _DEPENDS.finditer(done.output) if _asked_name(each["what"]) == name]
    try:
        sets = [Requirement(each).specifier for each in demands]
    except InvalidRequirement:
        return None
    return functools.reduce(operator.and_, sets) if sets else None


def _failure(done: PipRun) -> FormworkError:
    if "No module named pip" in done.output:
        return EnvironmentProblemError("pip is not installed beside Formwork", hint="python -m ensurepip")
    requirement = done.failure.requirement
    if _NETWORK.search(done.output):
        at = "" if requirement is None else f' for "{requirement}"'
        return EnvironmentProblemError(
            f"pip can't reach the package index{at}", notes=done.failure.reasons, hint="check the network connection"
        )
    return BadInputError.of(
        "package.requirements",
        "pip can't install the requirements" + ("" if requirement is None else f': it failed at "{requirement}"'),
        notes=done.failure.reasons,
        hint="fix requirements.txt",
    )


def _build_pure(wanted: str, built: Path, first: PipRun, pip: Pip, target: Target) -> None:
    named = _NAME.match(wanted)
    if named is None:
        raise _failure(first)
    before = set(built.iterdir())
    done = pip.run(
        "wheel",
        "--no-deps",
        f"--no-binary={named[0]}",
        f"--wheel-dir={built}",
        f"--find-links={built}",
        wanted,
    )
    if not done.succeeded:
        if _without_wheel(done) is not None:  # the package does not exist: the first message is clearer
            raise _failure(first)
        if _NETWORK.search(done.output):
            raise _failure(done)
        raise _no_wheel(named[0], target, "and it can't be built from source here", done.failure.reasons)
    for wheel in set(built.iterdir()) - before:
        if not _is_pure_wheel(wheel):
            wheel.unlink()
            raise _no_wheel(
                named[0], target, "and a build from source is for this machine only", (f"built {wheel.name}",)
            )


def _is_pure_wheel(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        binary = any(PurePosixPath(name).suffix in BINARY_SUFFIXES for name in archive.namelist())
    return path.stem.endswith("-any") and not binary


def _no_wheel(name: str, target: Target, why: str, notes: tuple[str, ...]) -> BadInputError:
    return BadInputError.of(
        "package.no-wheel",
        f'"{name}" has no wheel for {target}, {why}',
        notes=notes,
        hint=f"require a version of {name} that has one, choose another Python or architecture, or remove it",
    )


def _check_platform(distributions: Mapping[str, Distribution], target: Target) -> None:
    for each in distributions.values():
        if not each.runs_on(target):
            raise _no_wheel(each.name, target, "and a build from source is for this machine only", each.tags)


def _missing(
    lines: Sequence[RequirementLine], distributions: Mapping[str, Distribution], target: Target
) -> tuple[str, ...]:
    return follow_needs(roots_of(lines, distributions), distributions, target).missing


def roots_of(
    lines: Sequence[RequirementLine], distributions: Mapping[str, Distribution]
) -> list[tuple[str, frozenset[str]]]:
    """Return the distributions that the lines name, or all if a line is a path or URL without a name."""
    if any(each.name is None and not each.is_option for each in lines):
        return [(name, frozenset[str]()) for name in distributions]
    return [(each.name, each.extras) for each in lines if each.name is not None]
