"""A filing cabinet: one JSON file a report, in one folder.

Knows nothing of CloudFormation. A report is a dict of its properties; beside it the file keeps the token it was filed
with, so that filing the same thing twice files it once.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Report = dict[str, Any]

DEPARTMENT = "TPS"
SECOND_COPY = "SecondCopyOfMemo"
DEFAULTS: Report = {"CoverSheetIncluded": True}


class NoSuchReportError(Exception):
    """No report has that number; the argument is the number."""


@dataclass(frozen=True)
class Cabinet:
    """The cabinet in `folder`, which is made when the first report is filed."""

    folder: Path

    def file(self, report: Report, *, token: str) -> Report:
        """File a new report under the next free number; the report filed earlier where `token` was used before."""
        for drawer in self._drawers():
            if drawer["token"] == token:
                return dict(drawer["report"])
        self.folder.mkdir(parents=True, exist_ok=True)
        day = f"{_now():%Y%m%d}"
        for number in range(10_000):
            code = f"{DEPARTMENT}{day}-{number:04}"
            if self._claim(code, token):
                return self._keep(code, report, token=token, approved=None)
        raise OSError(f"the cabinet holds 10000 reports of {day}; that is all there are numbers for")

    def approve(self, code: str) -> Report:
        """Stamp a filed report, which leaves one that has its stamp as it is."""
        drawer = self._drawer(code)
        approved = drawer["report"].get("ApprovalDate") or _now().isoformat(timespec="seconds")
        return self._keep(code, drawer["report"], token=drawer["token"], approved=approved)

    def replace(self, code: str, report: Report) -> Report:
        """Put `report` in the place of the one with that number: what it leaves out is gone."""
        drawer = self._drawer(code)
        return self._keep(code, report, token=drawer["token"], approved=drawer["report"].get("ApprovalDate"))

    def get(self, code: str) -> Report:
        """The report with that number. Raises NoSuchReportError."""
        return dict(self._drawer(code)["report"])

    def discard(self, code: str) -> None:
        """Take the report out of the cabinet, into the shredder. Raises NoSuchReportError."""
        self._drawer(code)
        shredder = self.folder / "shredder"
        shredder.mkdir(exist_ok=True)
        self._path(code).replace(shredder / f"{code}.json")
        self._second_copy(code).unlink(missing_ok=True)

    def shred(self, code: str) -> None:
        """Empty the shredder of that report; nothing happens where it is gone already."""
        (self.folder / "shredder" / f"{code}.json").unlink(missing_ok=True)

    def codes(self) -> list[str]:
        """The numbers of all reports, in order."""
        return sorted(path.stem for path in self.folder.glob("*.json")) if self.folder.is_dir() else []

    def _drawers(self) -> Iterator[dict[str, Any]]:
        for code in self.codes():
            try:
                yield self._drawer(code)
            except NoSuchReportError:  # taken out, or not yet written, since the folder was listed
                continue

    def _drawer(self, code: str) -> dict[str, Any]:
        try:
            text = self._path(code).read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise NoSuchReportError(code) from error
        drawer: dict[str, Any] = json.loads(text)
        if "report" not in drawer:
            raise NoSuchReportError(code)
        return drawer

    def _claim(self, code: str, token: str) -> bool:
        try:
            with self._path(code).open("x", encoding="utf-8") as file:
                json.dump({"token": token}, file)
        except FileExistsError:
            return False
        return True

    def _keep(self, code: str, report: Report, *, token: str, approved: str | None) -> Report:
        kept = {**DEFAULTS, **report, "TPSCode": code, "ApprovalDate": approved}
        second = kept.pop(SECOND_COPY, None)
        kept = {name: value for name, value in kept.items() if value is not None}
        _write(self._path(code), {"token": token, "report": kept})
        if second is not None:
            self._second_copy(code).parent.mkdir(exist_ok=True)
            _write(self._second_copy(code), second)
        return kept

    def _path(self, code: str) -> Path:
        return self.folder / f"{Path(code).name}.json"

    def _second_copy(self, code: str) -> Path:
        return self.folder / "second-copies" / f"{Path(code).name}.json"


def _now() -> datetime:
    return datetime.now(UTC)


def _write(path: Path, value: Any) -> None:
    # Written aside and moved into place, so that no reader ever sees half a report.
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_text(json.dumps(value, indent=2), encoding="utf-8")
    fresh.replace(path)
