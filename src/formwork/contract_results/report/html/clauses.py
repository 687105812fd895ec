"""The clauses, grouped by the action that they are about, with the tests that prove them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ClauseResult, ClauseState
from formwork.contract_results.report.html.tests import TestPages
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.report_pages.markup import Markup, element, joined
from formwork.report_pages.parts import counted, meter, status

STATES: Mapping[ClauseState, str] = {
    ClauseState.VIOLATED: "bad",
    ClauseState.WARNED: "warned",
    ClauseState.PROVED: "good",
    ClauseState.NOT_PROVABLE: "open",
    ClauseState.NOT_TESTED: "idle",
    ClauseState.NOT_APPLICABLE: "gone",
}
_GROUPS = {
    "event": "Every answer",
    "create": "Create",
    "read": "Read",
    "update": "Update",
    "delete": "Delete",
    "list": "List",
    "tags": "Tags",
    "hook": "Hooks",
    "permissions": "Permissions",
    "faults": "Failing calls",
    "practice": "Good practice",
}
_MOST_PROOFS = 40


def render_clauses(result: SuiteResult, shown: Shown, tests: TestPages) -> Markup:
    """Return all clauses that apply to the kind of extension."""
    groups: dict[str, list[ClauseResult]] = {name: [] for name in _GROUPS}
    for each in result.clauses:
        groups.setdefault(CLAUSES[each.clause].group, []).append(each)
    proofs = _proofs(result)
    parts = [_group(_GROUPS.get(name, name), rows, shown, tests, proofs) for name, rows in groups.items() if rows]
    return element(
        "section",
        element("div", element("h2", "Clauses"), _filters(result), class_="head"),
        *parts,
        element("p", "No clause is like that.", class_="empty", hidden=True),
        id="clauses",
    )


def _proofs(result: SuiteResult) -> dict[str, list[str]]:
    """Return the names of the tests in which each clause held."""
    proofs: dict[str, list[str]] = {}
    for test in result.tests:
        for clause in test.held:
            proofs.setdefault(clause, []).append(test.name)
    return proofs


def _filters(result: SuiteResult) -> Markup:
    present = Counter(each.state for each in result.clauses)
    options = [element("option", "all states", value="")]
    options += [element("option", f"{state} ({present[state]})", value=state) for state in STATES if present[state]]
    return element(
        "form",
        element("label", "state ", element("select", *options, id="state")),
        element("label", "text ", element("input", id="text", type="search")),
        class_="filters",
        role="search",
        aria_label="Clauses",
    )


def _group(
    name: str, rows: Sequence[ClauseResult], shown: Shown, tests: TestPages, proofs: Mapping[str, Sequence[str]]
) -> Markup:
    counts = Counter(each.state for each in rows)
    said = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    notable = bool(counts[ClauseState.VIOLATED] or counts[ClauseState.WARNED])
    bar = meter([(kind, counts[state]) for state, kind in STATES.items()], said)
    summary = element("summary", element("h3", name), bar, element("span", said, class_="note"))
    items = (_clause(each, shown, tests, proofs.get(each.clause, ())) for each in rows)
    return element("details", summary, element("ul", *items, class_="clauses"), class_="card group", open=notable)


def _clause(each: ClauseResult, shown: Shown, tests: TestPages, proofs: Sequence[str]) -> Markup:
    clause = CLAUSES[each.clause]
    found = element("a", "findings", href=f"#clause-{each.clause}") if _is_found(each) else None
    return element(
        "li",
        status(STATES[each.state], each.state),
        element(
            "div",
            element("p", element("code", each.clause), " ", element("span", clause.level, class_="tag"), " ", found),
            element("p", prose(clause.text), class_="text"),
            element("p", shown.text(each.reason), class_="reason") if each.reason else None,
            joined(_proved_by(tests, proofs)),
        ),
        class_="clause",
        data_state=each.state,
    )


def _is_found(each: ClauseResult) -> bool:
    return each.state in {ClauseState.VIOLATED, ClauseState.WARNED}


def _proved_by(tests: TestPages, proofs: Sequence[str]) -> Iterator[Markup]:
    if not proofs:
        return
    names = proofs[:_MOST_PROOFS]
    more = f"and {len(proofs) - len(names):,} more" if len(proofs) > len(names) else None
    yield element(
        "details",
        element("summary", f"held in {counted(len(proofs), 'test')}"),
        element("ul", *(element("li", tests.link(name)) for name in names), element("li", more) if more else None),
        class_="proofs",
    )


def prose(text: str) -> Markup:
    """Return a text of ours, what is between backticks as code."""
    parts = text.split("`")
    return joined(*(element("code", part) if place % 2 else part for place, part in enumerate(parts)))
