"""What still exists after the run."""

import json

from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.report_pages.markup import Markup, element
from formwork.report_pages.parts import counted


def render_leftovers(result: SuiteResult, shown: Shown) -> Markup | None:
    """Return the resources that the run could not delete; None where there are none."""
    left = list(dict.fromkeys(json.dumps(shown.model(each), ensure_ascii=False) for each in result.leftovers))
    nameless = result.finished.nameless
    if not left and not nameless:
        return None
    more = f"At least {counted(nameless, 'resource')} more: CREATE did not say what they are called."
    return element(
        "section",
        element("h2", "Not deleted"),
        element("p", "The delete handler did not delete them:", class_="note") if left else None,
        element("ul", *(element("li", element("code", each)) for each in left)) if left else None,
        element("p", more) if nameless else None,
        class_="card warned",
    )
