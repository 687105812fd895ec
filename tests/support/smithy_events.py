"""Models of the corpora whose events are known: what validation says, against what it should."""

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.load import library, prelude
from formwork.smithy.validate import validate

# What the corpora expect of all tools but doesn't count for a verdict.
NOT_COUNTED = ("ModelDeprecation", "DeprecatedTrait", "DeprecatedShape")


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


def judge(case):
    """(expected events that are missing, events that nobody expects)."""
    loaded = case.load(base=base_of(case))
    extra = tuple(CFN_VALIDATORS) if case.folder.name == "traits-errorfiles" else ()
    keep_going = case.row.get("legacyValidationMode", False)
    events = validate(loaded.model, after=loaded.events, extra=extra, keep_going=keep_going)
    expected = case.row["expectedEvents"]
    missing = [each for each in expected if not any(matches(event, each) for event in events)]
    surplus = [
        str(event)
        for event in events
        if event.severity != "SUPPRESSED"
        and not any(map(event.is_or_under, NOT_COUNTED))
        and not any(matches(event, each) for each in expected)
    ]
    return missing, surplus
