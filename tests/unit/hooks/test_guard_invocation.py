"""An invocation of a Guard hook whose configuration has dynamic references."""

import json

import pytest

from formwork.aws.scope import Scope
from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.diagnostics.secrets import Secret
from formwork.hooks import HookCall, HookFailed, HookPassed, HookTarget, TargetKind
from formwork.hooks.guard.invocation import GuardEvaluator
from formwork.hooks.guard.sources import RuleSource
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import deliver_object

pytest.importorskip("cloudformation_validate")

SCOPE = Scope("111111111111", "us-east-1")
SECRET = "correct-horse-battery"
TARGET = HookTarget(
    kind=TargetKind.RESOURCE, action="CREATE", name="AWS::SNS::Topic", identifier="Topic", execution="arn:stack"
)
# The clause outside of a rule is named after its file.
RULES = "Resources.*.Properties.TopicName exists\nrule Named { Resources.*.Properties.Other exists <<for all>> }"


@pytest.fixture
def store(tmp_path):
    made = ObjectStore(tmp_path)
    for bucket in ("rules", "reports", f"reports-{SECRET}"):
        made.create_bucket(bucket, account=SCOPE.account, region=SCOPE.region)
    for key in ("open.guard", f"{SECRET}.guard"):
        deliver_object(made, account=SCOPE.account, bucket="rules", key=key, content=RULES.encode())
    return made


def invoke(store, *resolved, **model):
    """The outcomes of one invocation for each answer of the configuration."""
    answers = iter(resolved)

    def configuration():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    source = RuleSource(store, SCOPE.account)
    evaluator = GuardEvaluator(source, SCOPE, "Private::Guard::Mine", "1", configuration)
    call = HookCall(target=TARGET, model={"resourceProperties": model}, token="token")
    outcomes = [evaluator(call) for _ in resolved]
    return outcomes if len(outcomes) > 1 else outcomes[0]


def test_the_configuration_is_resolved_for_each_invocation(store):
    versioned = {"ruleLocation": {"uri": "s3://rules/open.guard", "versionId": "null"}}
    failed, passed = invoke(store, {"ruleLocation": "s3://rules/other.guard"}, versioned, TopicName="a", Other="b")
    assert "other.guard can't be read: NoSuchKey" in failed.message
    assert isinstance(passed, HookPassed)
    assert passed.message == "Successful validation"


def test_secrets_are_not_shown(store):
    location = Secret(f"s3://rules/{SECRET}.guard", [SECRET])
    bucket = Secret(f"reports-{SECRET}", [SECRET])
    outcome = invoke(store, {"ruleLocation": location, "logBucket": bucket})
    assert outcome.refused
    assert "rule(s) failed: " in outcome.message
    assert "Named" in outcome.message
    assert SECRET not in repr(outcome)
    found = store.expect_bucket(f"reports-{SECRET}", account=SCOPE.account)
    (written,) = store.metadata(found)
    report = store.read(found, written.key, limit=100_000).decode()
    assert [each["Rule"]["name"] for each in json.loads(report)["not_compliant"]][-1] == "Named"
    assert SECRET not in report + written.key


@pytest.mark.parametrize("member", ["ruleLocation", "logBucket", "inputParams"])
def test_secrets_in_failures(store, member):
    resolved = {"ruleLocation": "s3://rules/open.guard"}
    if member == "inputParams":
        resolved["options"] = {member: [Secret(f"s3://rules/{SECRET}", [SECRET])]}
    else:
        resolved[member] = Secret(f"s3://rules/not-{SECRET}.guard", [SECRET])
    outcome = invoke(store, resolved)
    assert (outcome.refused, member in outcome.message, SECRET in outcome.message) == (False, True, False)


def test_references_that_lead_nowhere(store):
    outcome = invoke(store, UnresolvedReferenceError("Parameters: [ssm:/x] cannot be found."))
    assert outcome == HookFailed("Parameters: [ssm:/x] cannot be found.", refused=False)
