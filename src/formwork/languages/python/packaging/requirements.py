"""`requirements.txt` as pip reads it, as far as a package needs to know what stands in it."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from formwork.diagnostics import BadInputError, Location, Position
from formwork.documents import read_text
from formwork.languages.python.packaging.target import Target

REQUIREMENTS_FILE = "requirements.txt"
_COMMENT = re.compile(r"(^|\s+)#.*$")
_FILE_OPTIONS = {"-r": "include", "--requirement": "include", "-c": "file", "--constraint": "file"}
_PATH_OPTIONS = {"-e": "path", "--editable": "path", "-f": "link", "--find-links": "link"}
_HASH = re.compile(r"\s--hash[= ]")


@dataclass(frozen=True, slots=True)
class RequirementLine:
    """A line for pip.

    `name` is the canonical name of what it asks for, None where it is a path, a URL or an option; `pinned` says
    whether the author cared about the version. `portable` lines mean the same whatever else is on this machine.
    """

    text: str
    name: str | None = None
    extras: frozenset[str] = frozenset()
    pinned: bool = False
    portable: bool = True

    @property
    def hashed(self) -> bool:
        """Whether it demands a hash; then pip demands one of every other line too."""
        return _HASH.search(self.text) is not None


def read_requirements(path: Path, target: Target) -> list[RequirementLine]:
    """The lines of `path`, the files it includes put in, those that markers exclude on `target` left out.

    Raises:
        BadInputError: a file can't be read, or includes itself.
    """
    return list(_read(path, target, ()))


def _read(path: Path, target: Target, above: tuple[Path, ...]) -> Iterator[RequirementLine]:
    if path.resolve() in above:
        raise BadInputError.of(
            "package.requirements-circle",
            f'"{path}" includes itself',
            location=Location(str(path)),
            hint="remove the -r",
        )
    whole = read_text(path)
    if "\0" in whole:
        raise BadInputError.of("package.requirements-binary", f'"{path}" is no text', location=Location(str(path)))
    for number, text in _logical_lines(whole):
        option, value = _option(text)
        file = (path.parent / value) if value else path
        if _FILE_OPTIONS.get(option) == "include":
            if not file.is_file():
                message = f'"{value}" is no file'
                raise BadInputError.of(
                    "package.requirements-missing", message, location=Location(str(path), Position(number, 1))
                )
            yield from _read(file, target, (*above, path.resolve()))
        elif option in _FILE_OPTIONS:
            yield RequirementLine(f"{option} {file.resolve()}", portable=False)
        elif _PATH_OPTIONS.get(option) == "path":
            yield RequirementLine(_absolute(value, path.parent), portable=False)  # --target knows no editable installs
        elif _PATH_OPTIONS.get(option) == "link":
            yield RequirementLine(f"{option} {_absolute(value, path.parent)}", portable=False)
        elif option:
            yield RequirementLine(text)
        else:
            yield from _requirement(text, path, target)


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
    return value if "://" in value else str((folder / value).resolve())


def _requirement(text: str, path: Path, target: Target) -> Iterator[RequirementLine]:
    words, *options = re.split(r"\s+(?=--)", text)
    try:
        parsed = Requirement(words)
    except InvalidRequirement:
        local = path.parent / words
        yield RequirementLine(str(local.resolve()) if local.exists() else text, portable=False)
        return
    if parsed.marker is not None and not parsed.marker.evaluate(target.markers | {"extra": ""}):
        return
    parsed.marker = None  # judged here for the target: pip would judge it for the Python that it runs on
    yield RequirementLine(
        " ".join([str(parsed), *options]),
        canonicalize_name(parsed.name),
        frozenset(parsed.extras),
        pinned=bool(parsed.specifier) or parsed.url is not None,
        portable=parsed.url is None or "://" in parsed.url,
    )
