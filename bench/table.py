"""A figure with what it is measured against, and the table of such figures."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; less is better.

    `ours` and `theirs` are in `unit` (ms, MB, µs, s); `theirs` is None where the incumbent was not measured or
    cannot do it, with the reason in `note`. `target` is the least ratio theirs/ours that we promise; None where
    nothing is promised. `limit` is the most that `ours` may be, for figures promised without a peer. `floor` is what
    the job can't do without, measured in the same run: an empty interpreter, the commits of a database.
    """

    name: str
    unit: str
    ours: float
    theirs: float | None = None
    target: float | None = None
    limit: float | None = None
    note: str = ""
    floor: float | None = None

    @property
    def share(self) -> float | None:
        """The share of the floor in `ours`: 1 where nothing is left to save; None where no floor was measured."""
        return None if self.floor is None or self.ours == 0 else self.floor / self.ours

    @property
    def ratio(self) -> float | None:
        """How many times more the incumbent spends; None where it was not measured, or where ours is nothing."""
        return None if self.theirs is None or self.ours == 0 else self.theirs / self.ours

    @property
    def met(self) -> bool | None:
        """Whether what is promised holds; None where nothing is promised or comparable."""
        verdicts = []
        if self.limit is not None:
            verdicts.append(self.ours <= self.limit)
        if self.target is not None and self.ratio is not None:
            verdicts.append(self.ratio >= self.target)
        return all(verdicts) if verdicts else None


HEADINGS = ("", "ours", "incumbent", "ratio", "promise", "floor", "share", "")
_LEFT = {0, len(HEADINGS) - 1}  # the columns of text


def render_table(rows: Iterable[Row]) -> str:
    """The rows as an aligned table, without a final line break."""
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column in _LEFT else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def _cells(row: Row) -> tuple[str, ...]:
    target = " ".join(
        part
        for part in (
            "" if row.target is None else f">= {row.target:g}x",
            "" if row.limit is None else f"<= {row.limit:g} {row.unit}",
        )
        if part
    )
    verdict = {True: "met", False: "MISSED", None: ""}[row.met]
    return (
        row.name,
        f"{_figure(row.ours)} {row.unit}",
        "-" if row.theirs is None else f"{_figure(row.theirs)} {row.unit}",
        "-" if row.ratio is None else f"{row.ratio:.1f}x",
        target,
        "-" if row.floor is None else f"{_figure(row.floor)} {row.unit}",
        "-" if row.share is None else f"{100 * row.share:.0f} %",
        " ".join(part for part in (verdict, row.note) if part),
    )


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
