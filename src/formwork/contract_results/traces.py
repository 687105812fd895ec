"""Exceptions in handlers' logs: the error and the line of the project it came from, in every language's layout."""

import re
from collections.abc import Sequence

from msgspec import Struct

_PYTHON_HEAD = "Traceback (most recent call last):"
_PYTHON_CHAIN = ("During handling of the above exception", "The above exception was the direct cause")
_PYTHON_FRAME = re.compile(r'\s+File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>.+)')
# Node: `    at name (file:///x/a.js:1:2)`; Java: `\tat a.B.c(B.java:12)`.
_AT = re.compile(r"\s+at (?:(?P<name>[^()]+?) ?\()?(?P<file>[^()]+?):(?P<line>\d+)(?::\d+)?\)?$")
_AT_ANY = re.compile(r"\s+at \S")
_GO_HEAD = re.compile(r"The handler panicked: (?P<error>.*)|panic: (?P<raw>.*)")
_GO_FRAME = re.compile(r"\s+(?P<file>/?\S+\.go):(?P<line>\d+)")
# Frames that are not the author's: handler libraries, dependencies, and languages' own.
_FOREIGN = re.compile(
    r"cloudformation_cli_python_lib|lambda_host[/\\]|site-packages|[/\\]lib[/\\]python3|<frozen|node_modules|node:"
    r"|^software\.amazon\.|^com\.amazonaws\.|^java\.|^jdk\.|^sun\.|[/\\]src[/\\]runtime[/\\]|[/\\]go[/\\]pkg[/\\]mod[/\\]"
    r"|cloudformation-cli-(?:typescript|go)|[/\\]runtime[/\\]debug[/\\]"
)
_MOST_LINES = 24


class Frame(Struct, frozen=True):
    """One call of a stack trace."""

    file: str
    line: int
    name: str

    @property
    def is_foreign(self) -> bool:
        """Whether it belongs to a library or to the language."""
        return bool(_FOREIGN.search(self.file) or _FOREIGN.search(self.name))

    def render(self, root: str) -> str:
        """`FILE:LINE in NAME`, the file relative to the project's folder `root` where it is inside."""
        return f"{relative(self.file, root)}:{self.line}" + (f" in {self.name}" if self.name else "")


class Trace(Struct, frozen=True):
    """An exception: its last line (`KeyError: 'zone'`), the author's innermost frame if any, all lines."""

    error: str
    frame: Frame | None
    lines: tuple[str, ...]


def relative(file: str, root: str) -> str:
    """Return the path as seen from the folder `root`; unchanged where it is not inside, or `root` is empty."""
    return file.removeprefix(f"{root.rstrip('/')}/") if root else file


def find_trace(log: str) -> Trace | None:
    """Return the last exception that a log shows, None if it shows none."""
    lines = log.replace("\r", "\n").splitlines()
    for find in (_python, _at, _go):
        if (found := find(lines)) is not None:
            return found
    return None


def _python(lines: Sequence[str]) -> Trace | None:
    heads = [number for number, line in enumerate(lines) if line.strip() == _PYTHON_HEAD]
    if not heads:
        return None
    first = last = heads.pop()
    while heads and any(line.strip().startswith(_PYTHON_CHAIN) for line in lines[max(0, first - 3) : first]):
        first = heads.pop()
    end = last + 1
    while end < len(lines) and (lines[end].startswith((" ", "\t")) or not lines[end].strip()):
        end += 1
    error = lines[end].strip() if end < len(lines) else ""
    if first and not error:  # Lambda's own layout has the error above the frames
        error = lines[first - 1].strip().removeprefix("[ERROR] ")
    frames = [
        Frame(found["file"], int(found["line"]), found["name"].strip())
        for line in lines[last:end]
        if (found := _PYTHON_FRAME.match(line))
    ]
    own = [each for each in frames if not each.is_foreign]
    shown = _without_leading_foreign([*lines[first : end + 1]])
    return Trace(error, own[-1] if own else None, _short(shown))


def _without_leading_foreign(lines: list[str]) -> list[str]:
    """Return a Python traceback from the author's first frame on: who called the handler is the same each time."""
    starts = [number for number, line in enumerate(lines) if _PYTHON_FRAME.match(line)]
    own = next((number for number in starts if not _FOREIGN.search(lines[number])), None)
    return lines if own is None or not starts or starts[0] == own else [lines[0], *lines[own:]]


def _at(lines: Sequence[str]) -> Trace | None:
    ends = [number for number, line in enumerate(lines) if _AT_ANY.match(line)]
    if not ends:
        return None
    start = ends[-1]
    while start > 0 and _AT_ANY.match(lines[start - 1]):
        start -= 1
    frames = [
        Frame(found["file"].removeprefix("file://"), int(found["line"]), (found["name"] or "").strip())
        for line in lines[start : ends[-1] + 1]
        if (found := _AT.match(line))
    ]
    own = next((each for each in frames if not each.is_foreign), None)
    error = lines[start - 1].strip().removeprefix("Caused by: ") if start else ""
    return Trace(error, own, _short(lines[max(0, start - 1) : ends[-1] + 1]))


def _go(lines: Sequence[str]) -> Trace | None:
    heads = [(number, found) for number, line in enumerate(lines) if (found := _GO_HEAD.search(line))]
    if not heads:
        return None
    start, found = heads[-1]
    frames = [
        Frame(match["file"], int(match["line"]), "") for line in lines[start:] if (match := _GO_FRAME.match(line))
    ]
    own = next((each for each in frames if not each.is_foreign), None)
    return Trace(f"panic: {found['error'] or found['raw'] or ''}".strip(), own, _short(lines[start:]))


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    """Return all lines, or of very many the first and the last."""
    if len(lines) <= _MOST_LINES:
        return tuple(lines)
    half = _MOST_LINES // 2
    return (*lines[:half], f"  … {len(lines) - 2 * half} lines …", *lines[-half:])
