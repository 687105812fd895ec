"""Parses pip's errors: the requirement that it failed at, and the reason.

pip's own last line is often "subprocess-exited-with-error": the reason is in the indented output of a command that pip
ran, and the requirement in a line on the standard output before it.
"""

import re

from msgspec import Struct

_AT_WORK = re.compile(r"^\s*(?:Collecting|Processing|Obtaining) (?P<name>\S+)", re.MULTILINE)
_BUILDING = re.compile(r"^\s*(?:\u00d7 )?Building wheel for (?P<name>\S+)", re.MULTILINE)
_COMMAND = re.compile(r"^\s*\u00d7 (?P<what>.+?) did not run successfully\.$", re.MULTILINE)
_OUTPUT = re.compile(r"^\s*╰─> \[\d+ lines? of output\]\n(?P<lines>.*?)^\s*\[end of output\]", re.MULTILINE | re.DOTALL)
_NOT_FOUND = re.compile(r"No matching distribution found for (?P<name>[^\n]+?)(?: \(from [^\n]*\))?\s*$", re.MULTILINE)
_TELLING = re.compile(r"^(?:ERROR|error|fatal)\b|^\S+ \S+ depends on |\b[A-Za-z]*(?:Error|Exception): ")
_EMPTY_WORDS = re.compile(
    r"^(?:error: (?:subprocess-exited-with-error|metadata-generation-failed)$|ERROR: Failed to build ')"
)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
_MOST_LINES = 8


class PipFailure(Struct, frozen=True):
    """`requirement` is what pip failed at, None where it does not say; `reasons` are lines of its output."""

    requirement: str | None
    reasons: tuple[str, ...]


def read_failure(output: str) -> PipFailure:
    """Return the failure in pip's output (standard output, then standard error), without credentials of URLs."""
    output = _CREDENTIALS.sub("", output)
    block, command = _OUTPUT.search(output), _COMMAND.search(output)
    lines = [line.strip() for line in (block["lines"] if block else output).splitlines() if line.strip()]
    telling = [line for line in lines if _TELLING.search(line) and not _EMPTY_WORDS.match(line)]
    reasons = (telling or lines or ["pip printed nothing"])[-_MOST_LINES:]
    if block and command:
        reasons.insert(0, f"{command['what']} failed")
    return PipFailure(_requirement(output, ran_command=block is not None), tuple(reasons))


def _requirement(output: str, *, ran_command: bool) -> str | None:
    if "ResolutionImpossible" in output:
        return None  # several requirements contradict each other: the reasons name them
    if not ran_command and (missing := _NOT_FOUND.search(output)):
        return missing["name"]
    names = _BUILDING.findall(output) or _AT_WORK.findall(output)
    return names[-1] if names else None
