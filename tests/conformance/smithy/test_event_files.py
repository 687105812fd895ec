"""Validation says about the models of the corpora what the reference says; by the ids of its validators."""

import pytest

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.validators import CRITICAL, VALIDATORS
from support.corpus import needs_fixtures
from support.smithy import case_id, smithy_cases
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


FILES = [*smithy_cases("model-loader-invalid", "errorfile"), *smithy_cases("traits-errorfiles", "errorfile")]
# The share of the files about validators, of those that there is a validator for, that come out equal at least.
BAR = 0.9


def loading_files():
    """What a conversion cannot do without: every one of these is held to."""
    return [case for case in FILES if case.row["tier"] == 1 and not uncovered(case) and case.id not in OTHER_ORDER]


@pytest.mark.parametrize("case", loading_files(), ids=case_id)
def test_events_of_loading_and_of_the_traits_for_cloudformation(case):
    assert judge(case) == ([], [])


def test_events_of_validators():
    covered = [case for case in FILES if case.row["tier"] != 1 and not uncovered(case)]
    different = [case.id for case in covered if judge(case) != ([], [])]
    assert len(different) <= (1 - BAR) * len(covered), different


def test_files_without_a_validator_are_read_all_the_same():
    for case in FILES:
        if uncovered(case):
            missing, _surplus = judge(case)
            assert missing, f"{case.id}: there is a validator now"
