"""Reads `requirements.txt` like pip, as far as local runs and packages need its content.

Format: https://pip.pypa.io/en/stable/reference/requirements-file-format/
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from formwork.diagnostics import BadInputError, Location, Position
from formwork.documents import read_text

REQUIREMENTS_FILE = "requirements.txt"
# The names on the package index of AWS's handler library and of ours: both install `cloudformation_cli_python_lib`.
AWS_LIBRARY = "cloudformation-cli-python-lib"
OWN_LIBRARY = "formwork-cfn-runtime"
HANDLER_LIBRARIES = frozenset({AWS_LIBRARY, OWN_LIBRARY})

_COMMENT = re.compile(r"(^|\s+)#.*$")
_INCLUDES = frozenset({"-r", "--requirement"})
_FILES = frozenset({"-c", "--constraint"})
_EDITABLE = frozenset({"-e", "--editable"})
_LINKS = frozenset({"-f", "--find-links"})
_HASH = re.compile(r"\s--hash[= ]")
# A path, followed by extras and a marker.
_LOCAL = re.compile(r"(?P<path>\.{0,2}/[^\s;\[]*|\.{1,2}(?![^\s;\[]))(?P<rest>.*)")


class RequirementLine(Struct, frozen=True):
    """A line for pip, with absolute paths.

    `name` is the canonical name of the distribution, None for a path, a URL or an option; `pinned` says whether the
    author restricts the version. `portable` lines have the same meaning on all machines.
    `location` is the file and line that it comes from.
    """

    text: str
    name: str | None = None
    extras: frozenset[str] = frozenset()
    pinned: bool = False
    portable: bool = True
    location: Location | None = None

    @property
    def hashed(self) -> bool:
        """Whether it has a hash; pip then requires hashes for all lines."""
        return _HASH.search(self.text) is not None

    @property
    def is_option(self) -> bool:
        """Whether it installs nothing by itself."""
        return self.text.startswith("-")


def read_requirements(path: Path, markers: Mapping[str, str] | None = None) -> list[RequirementLine]:
    """Return the lines of the requirements file at `path`, with those of the files that it includes.

    Args:
        path: the file.
        markers: the environment of another machine. Lines whose markers exclude it are left out, and the markers of
            others are removed, since pip would evaluate them for its own machine.

    Raises:
        BadInputError: a file can't be read, or includes itself.
    """
    return list(_read(path, markers, ()))


def _read(path: Path, markers: Mapping[str, str] | None, above: tuple[Path, ...]) -> Iterator[RequirementLine]:
    if path.resolve() in above:
        raise BadInputError.of(
            "package.requirements-circle",
            f'"{path}" includes itself',
            location=Location(str(path)),
            hint="remove the -r",
        )
    whole = read_text(path)
    if "\0" in whole:
        raise BadInputError.of("package.requirements-binary", f'"{path}" is not a text', location=Location(str(path)))
    for number, text in _logical_lines(whole):
        location = Location(str(path), Position(number, 1))
        option, value = _option(text)
        if option in _INCLUDES and not ("://" in value and markers is None):
            file = path.parent / value
            if not os.path.isfile(file):  # noqa: PTH113 - Path's raises for names that are too long
                raise BadInputError.of("package.requirements-missing", f'"{value}" is not a file', location=location)
            yield from _read(file, markers, (*above, path.resolve()))
        elif option in _INCLUDES | _FILES | _LINKS:
            yield RequirementLine(f"{option} {_absolute(value, path.parent)}", portable=False, location=location)
        elif option in _EDITABLE:  # --target does not install editable projects
            yield RequirementLine(_absolute(value, path.parent), portable=False, location=location)
        elif option:
            yield RequirementLine(text, location=location)
        else:
            yield from _requirement(text, location, path.parent, markers)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    number, joined = 1, ""
    for current, line in enumerate(text.splitlines(), start=1):
        number = number if joined else current
        if line.endswith("\\") and not line.lstrip().startswith("#"):
            joined += line[:-1].strip() + " "
            continue
        whole, joined = _COMMENT.sub("", joined + line).strip(), ""
        if whole:
            yield number, whole


def _option(text: str) -> tuple[str, str]:
    if not text.startswith("-"):
        return "", ""
    name, _, value = text.replace("=", " ", 1).partition(" ") if text.startswith("--") else (text[:2], "", text[2:])
    try:
        return name, " ".join(shlex.split(value))
    except ValueError:
        return name, value.strip()


def _absolute(value: str, folder: Path) -> str:
    if "://" in value:
        return value
    path, bracket, extras = value.partition("[")
    return f"{(folder / path).resolve()}{bracket}{extras}"


def _requirement(
    text: str, location: Location, folder: Path, markers: Mapping[str, str] | None
) -> Iterator[RequirementLine]:
    words, *options = re.split(r"\s+(?=--)", text)
    try:
        parsed = Requirement(words)
    except InvalidRequirement:
        local = _LOCAL.fullmatch(text)
        if local is not None:
            text = f"{(folder / local['path']).resolve()}{local['rest']}"
        elif os.path.exists(folder / words):  # noqa: PTH110 - Path's raises for names that are too long
            text = str((folder / words).resolve())
        yield RequirementLine(text, portable=False, location=location)
        return
    if markers is not None:
        if parsed.marker is not None and not parsed.marker.evaluate({**markers, "extra": ""}):
            return
        parsed.marker = None
    yield RequirementLine(
        " ".join([str(parsed), *options]),
        canonicalize_name(parsed.name),
        frozenset(parsed.extras),
        pinned=bool(parsed.specifier) or parsed.url is not None,
        portable=parsed.url is None or "://" in parsed.url,
        location=location,
    )
