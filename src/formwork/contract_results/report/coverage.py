"""The coverage of the handlers' own code, as a line for the terminal and as JSON."""

from typing import Any

from formwork.contract_results.coverage import FileCoverage, HandlerCoverage

_MOST_RANGES = 12  # of a file, in the line for the terminal


def coverage_line(coverage: HandlerCoverage) -> str:
    """`handler coverage: 92 % of handlers.py, not run: 41-44, 58`, or why it was not measured."""
    if coverage.unmeasured:
        return f"handler coverage: not measured: {coverage.unmeasured}"
    incomplete = [each for each in coverage.files if each.never_run]
    if len(coverage.files) == 1:
        what = _short_path(coverage.files[0])
        missing = "".join(f", not run: {_shortened(each)}" for each in incomplete)
    else:
        what = f"{len(coverage.files)} files"
        missing = "".join(f"; {_short_path(each)} {each.percent} %, not run: {_shortened(each)}" for each in incomplete)
    return f"handler coverage: {coverage.percent} % of {what}{missing}"


def coverage_to_json(coverage: HandlerCoverage) -> dict[str, Any]:
    """`{unmeasured, percent, files}`; `unmeasured` is null, or says why there are no files and no percentage.

    A file is `{file, percent, lines, run, neverRun}`: the numbers of lines with code and of those that ran, and the
    ranges of lines that never ran, each `[first, last]`.
    """
    return {
        "unmeasured": coverage.unmeasured or None,
        "percent": None if coverage.unmeasured else coverage.percent,
        "files": [
            {
                "file": each.path,
                "percent": each.percent,
                "lines": len(each.lines),
                "run": len(each.run),
                "neverRun": [list(lines) for lines in each.never_run],
            }
            for each in coverage.files
        ],
    }


def ranges_text(file: FileCoverage) -> list[str]:
    """Return the lines that never ran: `41-44`, `58`."""
    return [str(first) if first == last else f"{first}-{last}" for first, last in file.never_run]


def _shortened(file: FileCoverage) -> str:
    ranges = ranges_text(file)
    more = len(ranges) - _MOST_RANGES
    return ", ".join(ranges[:_MOST_RANGES]) + (f" and {more} more" if more > 0 else "")


def _short_path(file: FileCoverage) -> str:
    """Return the path inside the handlers' package: `src/PACKAGE/` says nothing to the author."""
    return "/".join(file.path.split("/")[2:])
