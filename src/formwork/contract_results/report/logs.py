"""What handlers got, wrote and answered while they were tested, secrets masked: one block per invocation.

The guide: these logs "provide more details on the input and output for each handler call".
"""

import json
from collections.abc import Iterator

from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics.visible import visible


def render_logs(result: SuiteResult) -> str:
    """Return the invocations of a run, in the order of the tests: request, lines of the handler, answer."""
    shown = Shown(result.started.masker())
    return "".join(f"{line}\n" for line in _lines(result, shown))


def _lines(result: SuiteResult, shown: Shown) -> Iterator[str]:
    for test in result.tests:
        for exchange in test.exchanges:
            shown.learn([exchange])
            yield f"== {test.name}: {shown.action(exchange)} {exchange.status or 'no event'}"
            yield f"request: {json.dumps(shown.request(exchange), default=str)}"
            yield from visible(shown.log(exchange)).splitlines()
            yield f"answer: {json.dumps(shown.answer(exchange), default=str)}"
