"""Which lines of the handlers' own code ran."""

from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.contract_results.report.coverage import ranges_text
from formwork.report_pages.markup import Markup, element
from formwork.report_pages.parts import strip


def render_coverage(coverage: HandlerCoverage | None) -> Markup | None:
    """Return a row per file, its lines as a bar; None where coverage was not asked for."""
    if coverage is None:
        return None
    head = element("h2", "Handler coverage")
    if coverage.unmeasured:
        return element("section", head, element("p", f"not measured: {coverage.unmeasured}"), id="coverage")
    names = ("file", "lines that ran", "its lines", "never run")
    table = element(
        "table",
        element("thead", element("tr", *(element("th", each, scope="col") for each in names))),
        element("tbody", *map(_row, coverage.files)),
    )
    said = element("p", f"{coverage.percent} % of the lines ran", class_="note")
    files = element("div", table, class_="card flat") if coverage.files else None
    return element("section", head, said, files, id="coverage")


def _row(file: FileCoverage) -> Markup:
    lines = [(line, line in file.run) for line in sorted(file.lines)]
    said = f"{len(file.run)} of {len(file.lines)} lines ran"
    return element(
        "tr",
        element("th", element("code", file.path), scope="row"),
        element("td", f"{file.percent} %", class_="number"),
        element("td", strip(lines, max(file.lines, default=1), said), class_="strip"),
        element("td", ", ".join(ranges_text(file)), class_="wide"),
    )
