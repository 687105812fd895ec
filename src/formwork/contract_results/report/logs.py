"""What handlers wrote while they were tested, secrets masked: one block per invocation, in the order of the tests."""

from collections.abc import Iterator

from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics.visible import visible


def render_logs(result: SuiteResult) -> str:
    """The handlers' own lines of a run; empty where they wrote none, or the transport does not carry them."""
    shown = Shown(result.started.masker())
    return "".join(f"{line}\n" for line in _lines(result, shown))


def _lines(result: SuiteResult, shown: Shown) -> Iterator[str]:
    for test in result.tests:
        for exchange in test.exchanges:
            shown.learn([exchange])
            text = shown.log(exchange)
            if text:
                yield f"== {test.name}: {shown.action(exchange)} {exchange.status or 'no event'}"
                yield from visible(text).splitlines()
