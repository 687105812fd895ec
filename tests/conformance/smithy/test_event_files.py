"""Validation says about the models of the corpora what the reference says; by the ids of its validators."""

import pytest

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.load import library, prelude
from formwork.smithy.validate import validate
from formwork.smithy.validators import CRITICAL, VALIDATORS
from support.corpus import needs_fixtures
from support.smithy import smithy_cases

pytestmark = needs_fixtures

# What the corpora expect of all tools but doesn't count for a verdict.
NOT_COUNTED = ("ModelDeprecation", "DeprecatedTrait", "DeprecatedShape")
# Said while loading and by what the model configures itself.
ALWAYS = {"Model", "ModelDeprecation", "SyntacticShapeIdTarget"}
COVERED = ALWAYS | {
    event_id for validators in (CRITICAL, VALIDATORS, CFN_VALIDATORS) for ids in validators.values() for event_id in ids
}
# The reference lists the shapes of a cycle in the order of its hash sets.
OTHER_ORDER = {"errorfiles-loader/mixins-detects-cycles2", "errorfiles-loader/mixins-detects-cycles3"}


def base_of(case):
    if case.folder.name == "model-loader-invalid":
        return prelude()
    return library(
        "prelude",
        "aws.api",
        "aws.iam",
        "aws.cloudformation",
        "aws.auth",
        "aws.customizations",
        "aws.protocols",
        "smithy.protocols.rpcv2",
    )


def matches(actual, expected):
    message = actual.message.replace("\n", "\\n").replace("\r", "\\r")
    if actual.suppression_reason:
        message += f" ({actual.suppression_reason})"
    return (
        actual.severity == expected["severity"]
        and actual.shape == expected["shapeId"]
        and actual.is_or_under(expected["id"])
        and message.startswith(expected["message"])
    )


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
    loaded = case.load(base=base_of(case))
    extra = tuple(CFN_VALIDATORS) if case.folder.name == "traits-errorfiles" else ()
    keep_going = case.row.get("legacyValidationMode", False)
    events = [*loaded.events, *validate(loaded.model, after=loaded.events, extra=extra, keep_going=keep_going)]
    expected = case.row["expectedEvents"]
    missing = [each for each in expected if not any(matches(event, each) for event in events)]
    surplus = [
        str(event)
        for event in events
        if event.severity != "SUPPRESSED"
        and not any(map(event.is_or_under, NOT_COUNTED))
        and not any(matches(event, each) for each in expected)
    ]
    assert (missing, surplus) == ([], [])
