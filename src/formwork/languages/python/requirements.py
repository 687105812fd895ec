"""`requirements.txt` as pip reads it, with the handler library told apart from what has to be installed."""

import re
from dataclasses import dataclass
from pathlib import Path

from formwork.diagnostics import BadInputError, Location, Position

# The names on the package index of AWS's handler library and of ours: both install `cloudformation_cli_python_lib`.
AWS_LIBRARY = "cloudformation-cli-python-lib"
OWN_LIBRARY = "formwork-cfn-runtime"

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_INCLUDE = re.compile(r"\s*(-r|--requirement|-c|--constraint)[=\s]\s*(\S+)")
_LOCAL = re.compile(r"\s*(-e\s+|--editable[=\s]\s*)?(\.{1,2}(?:/[^\s;#]*)?)\s*(?=$|[;#\[])")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Requirements:
    """The lines of a requirements file and of those it includes.

    `lines` are for pip, comments gone and paths made absolute, without the handler library; `library_line` is the line
    that asks for AWS's, `own_line` the one that asks for ours, None where there is none.
    """

    lines: tuple[str, ...] = ()
    library_line: str | None = None
    own_line: str | None = None

    @property
    def needs_pip(self) -> bool:
        """Whether there is anything to install: a line of options alone needs nothing."""
        return any(not line.startswith("-") or line.startswith(("-e", "--editable")) for line in self.lines)

    @property
    def names(self) -> frozenset[str]:
        """The names of the distributions asked for, normalised."""
        matches = (_NAME.match(line) for line in self.lines if not line.startswith("-"))
        return frozenset(normal_name(match[1]) for match in matches if match)


def normal_name(name: str) -> str:
    """Return a distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def load_requirements(path: Path) -> Requirements:
    """Return what the requirements file at `path` asks for; nothing where there is no such file.

    Raises:
        BadInputError: it can't be read, includes itself, or asks for both handler libraries.
    """
    if not path.is_file():
        return Requirements()
    rows = list(_read(path, 0))
    by_library = {library: row for row in rows if (library := _library(row[2])) is not None}
    if len(by_library) > 1:
        name, number, _ = by_library[OWN_LIBRARY]
        raise BadInputError.of(
            "python.two-libraries",
            f"{AWS_LIBRARY} and {OWN_LIBRARY} are the same module, cloudformation_cli_python_lib: require one of them",
            location=Location(name, Position(number, 1)),
            hint=f"remove the line {OWN_LIBRARY}: the toolkit contains it, and uses it in place of {AWS_LIBRARY}",
        )
    lines = tuple(line for _, _, line in rows if _library(line) is None)
    asked = {library: row[2] for library, row in by_library.items()}
    return Requirements(lines, asked.get(AWS_LIBRARY), asked.get(OWN_LIBRARY))


def _library(line: str) -> str | None:
    match = _NAME.match(line)
    name = normal_name(match[1]) if match else ""
    return name if name in (AWS_LIBRARY, OWN_LIBRARY) else None


def _read(path: Path, depth: int) -> list[tuple[str, int, str]]:
    """(file, line number, line) of every line that says something."""
    if depth > _DEEPEST:
        raise BadInputError.of("python.requirements", f'"{path}" includes itself', location=Location(str(path)))
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f'"{path}" cannot be read: {reason}'
        raise BadInputError.of("python.requirements", message, location=Location(str(path))) from None
    rows: list[tuple[str, int, str]] = []
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        line = re.sub(r"(^|\s)#.*$", "", line).strip()  # noqa: PLW2901 - the same line, cleaned
        include = _INCLUDE.fullmatch(line)
        if include and include[1] in ("-r", "--requirement") and "://" not in include[2]:
            rows += _read(path.parent / include[2], depth + 1)
        elif line:
            rows.append((str(path), number, _absolute(line, path.parent)))
    return rows


def _absolute(line: str, folder: Path) -> str:
    """Return the line with a relative path made absolute, since pip reads it from a file elsewhere."""
    include = _INCLUDE.fullmatch(line)
    if include and "://" not in include[2]:
        return f"{include[1]} {(folder / include[2]).resolve()}"
    local = _LOCAL.match(line)
    if local:
        return f"{(local[1] or '').strip()} {(folder / local[2]).resolve()}{line[local.end(2) :]}".strip()
    return line
