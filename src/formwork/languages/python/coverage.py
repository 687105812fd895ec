"""Reads the records of the line recorder about the handlers' own code."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType

from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.languages.python.line_recorder import all_codes, code_lines


def read_coverage(records: Path, sources: Iterable[Path], root: Path) -> HandlerCoverage | None:
    """Return the coverage that handler processes recorded in the folder `records` for the files `sources` below `root`.

    None if no process loaded any of them. Files without code are left out. A file that no process loaded has the
    lines that this Python finds in it.
    """
    lines, run = _read_records(records)
    if not lines:
        return None
    files = []
    for source in sources:
        path = str(source)
        has = lines[path] if path in lines else _lines_of(source)
        if has and not _is_empty(source):
            files.append(FileCoverage(source.relative_to(root).as_posix(), has, run.get(path, frozenset()) & has))
    return HandlerCoverage(tuple(files))


def _read_records(folder: Path) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
    """Return the lines with code, and those that ran, by path."""
    lines: dict[str, frozenset[int]] = {}
    run: dict[str, frozenset[int]] = {}
    for kind, numbers, path in _records(folder):
        found = frozenset(int(number) for number in numbers.split(",") if number)
        if kind == "L":
            lines[path] = found
        else:
            run[path] = run.get(path, frozenset()) | found
    return lines, run


def _records(folder: Path) -> Iterator[tuple[str, str, str]]:
    for file in sorted(folder.glob("*.lines")):
        for record in file.read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
            kind, _, rest = record.partition(" ")
            numbers, _, path = rest.partition(" ")
            if path:
                yield kind, numbers, path


def _lines_of(source: Path) -> frozenset[int]:
    """Return the lines with code; none if the file can't be compiled."""
    try:
        code: CodeType = compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        return frozenset()
    return frozenset(line for each in all_codes(code) for line in code_lines(each))


def _is_empty(source: Path) -> bool:
    """Return whether the file has no statement; the compiler reports a line with code even then."""
    try:
        return not ast.parse(source.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return False
