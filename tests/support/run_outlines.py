"""The outline of a run of the contract tests: what each test called and found, and what the run left open."""

import hashlib
import json

from formwork.contract_results.findings import ABSENT, ClauseState
from formwork.contract_results.report.exchange_text import short
from formwork.contract_results.report.shown import Shown
from support.plain_reports import plain


def check_outlines(name, results, golden):
    """Compare the outlines of runs, which `results` are with the names of their subjects, with a golden file."""
    golden(f"contract/outlines/{name}.txt", "\n".join(outline(*each) for each in results))


def outline(name, result):
    """The lines about one subject, whose handlers are called `name`.

    A test's line ends with a digest of all that it sent: where only this differs, compare the requests themselves.
    """
    shown = Shown(result.started.masker())
    lines = [f"== {name}"]
    for each in result.findings:
        differences = [(one.pointer, _value(one, shown)) for one in each.differences]
        extent = f"{len(each.exchanges)} calls, {', '.join(result.tests_with(each))}"
        lines.append(f"{each.level} {each.clause}: {shown.text(each.text)} {differences or ''} ({extent})")
    open_ones = [each for each in result.clauses if each.state in (ClauseState.NOT_PROVABLE, ClauseState.NOT_TESTED)]
    lines += [f"{each.state} {each.clause}: {each.reason} ({', '.join(each.tests)})" for each in open_ones]
    left_out = {
        f"{each.clause} ({each.reason})"
        for each in result.clauses
        # in process no calls to other services can be seen
        if each.state is ClauseState.NOT_APPLICABLE and not each.clause.startswith("permissions.")
    }
    lines += [f"not applicable: {', '.join(sorted(left_out))}"] if left_out else []
    lines += [f"given up: {each}" for each in result.finished.given_up]
    lines += [f"left behind: {short(shown.model(each))}" for each in result.leftovers]
    lines += [_test_line(each, shown) for each in result.tests]
    return plain("\n".join(line.rstrip() for line in lines)) + "\n"


def _test_line(test, shown):
    calls = ", ".join(_call(each) for each in test.exchanges[:12])
    more = f" and {len(test.exchanges) - 12} more" if len(test.exchanges) > 12 else ""
    sent = plain("\n".join(json.dumps(shown.request(each), sort_keys=True, default=str) for each in test.exchanges))
    digest = hashlib.sha256(sent.encode()).hexdigest()[:6]
    name = test.name.removeprefix("contract_")
    return f"{name}: {calls}{more} [{digest}]{f' skipped: {test.skipped}' if test.skipped else ''}"


def _call(exchange):
    event = exchange.event or {}
    status = event.get("errorCode") or event.get("status") or event.get("hookStatus") or "no event"
    action = exchange.request.get("action") or exchange.request["actionInvocationPoint"].removesuffix("_PROVISION")
    return action if status == "SUCCESS" else f"{action} {status}"


def _value(difference, shown):
    actual = difference.actual
    return str(actual) if actual is ABSENT else short(shown.difference(difference.pointer, actual))
