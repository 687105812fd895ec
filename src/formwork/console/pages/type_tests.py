"""The contract tests of a type: run them, watch them, read the report of each run, and what changed between two."""

import json
from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.views.report_changes import ReportSummary, compare_reports, summarize_report
from formwork.console.visits import FramedReport, NotShownError, PageVisit, Redirection, ShownPage
from formwork.extensions import ExtensionKind
from formwork.registry.requests import TypeReference
from formwork.registry.test_runs import ContractTestRun

_SUMMARIZED = 20  # runs whose reports are read for the list
_MOST_KEPT = 500
# By the ids of runs that have ended: the page is made again with every change, and a report is some hundred kilobytes.
_summaries: dict[str, ReportSummary] = {}


def show_tests(visit: PageVisit) -> ShownPage:
    """Show the runs, and the report of one: the last that has ended, or the one that the address names."""
    page = TypePage.of(visit)
    runs = visit.services.registry.list_test_runs(page.scope, _reference(page))
    summaries = {each.id: found for each in runs[:_SUMMARIZED] if (found := _summary(page, each.id)) is not None}
    ended = [each for each in runs if each.status != "IN_PROGRESS"]
    chosen = _named(runs, visit.query.get("run", "")) or next(iter(ended), None)
    earlier = [] if chosen is None else [each for each in ended if each.began < chosen.began]
    before = _named(ended, visit.query.get("since", "")) or next(iter(earlier), None)
    version = page.version or page.described.get("DefaultVersionId") or ""
    asked = {name: visit.query[name] for name in ("run", "since", "version") if visit.query.get(name)}
    values: dict[str, Any] = {
        **page.frame("tests"),
        "runs": runs,
        "asked": asked,
        "tested": page.describe(version),
        "summaries": summaries,
        "chosen": chosen,
        "before": before,
        "ended": ended,
        "running": any(each.status == "IN_PROGRESS" for each in runs),
        "changed": None,
        "has_report": chosen is not None and _file(page, chosen.id, "report.html") is not None,
        "texts": [] if chosen is None else _texts(page, chosen),
        "lines": page.lines("TestType", ["registry", "test", page.name, "--version", version], **page.wanted)
        if version
        else page.lines("TestType", ["registry", "test", page.name], **page.wanted),
    }
    if chosen is not None and before is not None:
        new, old = (_report(page, each.id) for each in (chosen, before))
        if new is not None and old is not None:
            values["changed"] = compare_reports(old, new)
    return ShownPage("type_tests.html", values)


def show_report(visit: PageVisit) -> FramedReport:
    """Show the HTML report of a run as it was written."""
    page = TypePage.of(visit)
    content = _file(page, visit.path["run"], "report.html")
    if content is None:
        raise NotShownError("this run has no report")
    return FramedReport(content.decode("utf-8", "replace"))


def run_tests(visit: PageVisit) -> Redirection:
    """Begin to test a version."""
    page = TypePage.of(visit)
    version = visit.field("version")
    page.call("TestType", **page.wanted, **({"VersionId": version} if version else {}))
    return page.back("/tests", **({"version": version} if version else {}))


def _reference(page: TypePage) -> TypeReference:
    return TypeReference(kind=ExtensionKind(page.kind), name=page.name)


def _named(runs: list[ContractTestRun], run_id: str) -> ContractTestRun | None:
    return next((each for each in runs if each.id == run_id), None)


def _file(page: TypePage, run_id: str, name: str) -> bytes | None:
    page.visit.expect_account(page.scope.account)
    return page.visit.services.registry.read_test_file(page.scope, _reference(page), run_id, name)


def _report(page: TypePage, run_id: str) -> dict[str, Any] | None:
    content = _file(page, run_id, "report.json")
    if content is None:
        return None
    found = json.loads(content)
    return found if isinstance(found, dict) else None


def _summary(page: TypePage, run_id: str) -> ReportSummary | None:
    if (known := _summaries.get(run_id)) is not None:
        return known
    report = _report(page, run_id)
    if report is None:
        return None
    if len(_summaries) >= _MOST_KEPT:
        _summaries.clear()
    return _summaries.setdefault(run_id, summarize_report(report))


def _texts(page: TypePage, run: ContractTestRun) -> list[tuple[str, str]]:
    """Return the files of a run that are texts, with what they are."""
    found = []
    for name, label in (
        ("report.txt", "Report as text"),
        ("test.log", "Messages of the run"),
        ("handlers.log", "What the handlers got, wrote and answered"),
    ):
        content = _file(page, run.id, name)
        if content:
            found.append((label, content.decode("utf-8", "replace")[-256 * 1024 :]))
    return found
