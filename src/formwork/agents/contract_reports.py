"""The report of a project's last contract tests: where it is kept, and what of it an agent reads first."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from formwork.agents.answers import ToolAnswer
from formwork.contract_runs.last_run import LastRun

_UNREMARKABLE = frozenset({"proved", "not applicable"})


def report_file(project: Path) -> Path:
    """Return where the report is kept, in a folder that exists: the user's cache, not the project."""
    folder = LastRun(project).folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "agent-report.json"


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict, the findings, how many clauses are in which state, and those without a proof."""
    findings = [
        {**each, "exchanges": each["exchanges"][-2:]}  # the last ones show it; the report has all
        for each in report["findings"]
    ]
    clauses = report["clauses"]
    return {
        **{key: report[key] for key in ("typeName", "passed", "interrupted", "seed", "leftovers", "nameless")},
        "findings": findings,
        "clauseStates": dict(Counter(each["state"] for each in clauses)),
        "clauses": [each for each in clauses if each["state"] not in _UNREMARKABLE],
    }


def read_report(project: Path, clause: str | None) -> ToolAnswer:
    """Return the last report, with every exchange, or the part about one clause."""
    try:
        report: dict[str, Any] = json.loads(report_file(project).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ToolAnswer({"error": f"no report of {project}: run contract_tests first"}, failed=True)
    if clause is None:
        return ToolAnswer(report)
    chosen = {
        key: [each for each in report[key] if each.get(name) == clause]
        for key, name in (("clauses", "id"), ("findings", "clause"))
    }
    if not chosen["clauses"]:
        return ToolAnswer({"error": f'the report has no clause "{clause}"'}, failed=True)
    return ToolAnswer({"typeName": report["typeName"], "seed": report["seed"], **chosen})
