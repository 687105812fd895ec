"""Two contract reports compared."""

from formwork.console.views.report_changes import compare_reports, summarize_report


def report(passed=True, **states):
    clauses = [
        {"id": name, "state": state.replace("_", " "), "text": f"text of {name}", "reason": "because"}
        for name, state in states.items()
    ]
    findings = [
        {"clause": name, "message": f"{name} is broken"} for name, state in states.items() if state == "violated"
    ]
    return {"passed": passed, "clauses": clauses, "findings": findings, "tests": [{"seconds": 1.5}, {"seconds": 0.5}]}


def test_clauses_that_became_worse_come_first_with_the_reason():
    old = report(a="proved", b="violated", c="proved", d="not_applicable", e="proved", f="proved")
    new = report(a="proved", b="proved", c="violated", d="not_provable", e="not_provable", g="proved")
    found = [(each.clause, each.before, each.after, each.worse) for each in compare_reports(old, new)]
    assert found == [
        ("c", "proved", "violated", True),
        ("e", "proved", "not provable", True),
        ("d", "not applicable", "not provable", None),
        ("f", "proved", "absent", None),
        ("b", "violated", "proved", False),
        ("g", "absent", "proved", False),
    ]
    assert compare_reports(old, new)[0].reason == "c is broken"
    assert compare_reports(new, new) == []


def test_a_summary_counts_the_states_in_one_order():
    found = summarize_report(report(a="not_applicable", b="proved", c="proved", d="violated", passed=False))
    assert list(found.states.items()) == [("proved", 2), ("violated", 1), ("not applicable", 1)]
    assert [width for _, _, width in found.parts] == [50, 25, 25]
    assert (found.passed, found.tests, found.seconds) == (False, 2, 2.0)
