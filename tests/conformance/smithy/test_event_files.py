"""Validation says about the models of the corpora what the reference says; by the ids of its validators."""

import pytest

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.validators import CRITICAL, VALIDATORS
from support.corpus import needs_fixtures
from support.smithy import smithy_cases
from support.smithy_events import judge

pytestmark = needs_fixtures

# Said while loading and by what the model configures itself.
ALWAYS = {"Model", "ModelDeprecation", "SyntacticShapeIdTarget"}
COVERED = ALWAYS | {
    event_id for validators in (CRITICAL, VALIDATORS, CFN_VALIDATORS) for ids in validators.values() for event_id in ids
}
# The reference lists the shapes of a cycle in the order of its hash sets.
OTHER_ORDER = {"errorfiles-loader/mixins-detects-cycles2", "errorfiles-loader/mixins-detects-cycles3"}


def validator_of(event_id):
    return event_id.partition(".")[0]


def uncovered(case):
    configured = case.row["id"].startswith("errorfiles-validators/linters") or "severity" in case.row["id"]
    return {validator_of(event["id"]) for event in case.row["expectedEvents"] if not configured} - COVERED


def cases():
    for case in (*smithy_cases("model-loader-invalid", "errorfile"), *smithy_cases("traits-errorfiles", "errorfile")):
        missing = uncovered(case)
        known = case.id in OTHER_ORDER
        reason = f"no validator for {', '.join(sorted(missing))}" if missing else "other words"
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if missing or known else []
        yield pytest.param(case, id=case.id, marks=marks)


@pytest.mark.parametrize("case", list(cases()))
def test_events(case):
    assert judge(case) == ([], [])
