"""Which lines of the handlers' own code ran during the contract tests."""

from msgspec import Struct


class FileCoverage(Struct, frozen=True):
    """One source file: its lines with code, and those of them that ran; `path` is relative to the project."""

    path: str
    lines: frozenset[int]
    run: frozenset[int]

    @property
    def percent(self) -> int:
        """How much ran, rounded down: 100 only where nothing is missing."""
        return _percent(len(self.run), len(self.lines))

    @property
    def never_run(self) -> tuple[tuple[int, int], ...]:
        """The ranges of lines that never ran, first and last; lines without code do not divide a range."""
        ranges: list[tuple[int, int]] = []
        joins = False
        for line in sorted(self.lines):
            if line in self.run:
                joins = False
            elif joins:
                ranges[-1] = ranges[-1][0], line
            else:
                ranges.append((line, line))
                joins = True
        return tuple(ranges)


class HandlerCoverage(Struct, frozen=True):
    """The coverage of each source file; `unmeasured` says why there is none, "" where there is."""

    files: tuple[FileCoverage, ...] = ()
    unmeasured: str = ""

    @property
    def percent(self) -> int:
        """How much of all files ran, rounded down."""
        return _percent(sum(len(each.run) for each in self.files), sum(len(each.lines) for each in self.files))


def _percent(part: int, whole: int) -> int:
    return 100 * part // whole if whole else 100
