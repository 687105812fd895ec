"""Guard rules in dry runs: what is refused, what cannot be decided before deployment, and where."""

import pytest

from formwork.aws.scope import Scope
from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.hook_dry_runs.dry_run import Verdict, try_hooks
from formwork.hook_dry_runs.findings import dry_run_diagnostics, dry_run_to_json
from formwork.hook_dry_runs.planning import DryRunContext, plan_template
from formwork.hook_dry_runs.rules import RulesHook
from formwork.hooks import FailureMode, HookSettings, TargetKind
from formwork.hooks.guard.rules import RuleFile

pytest.importorskip("cloudformation_validate")

RULES = """
let topics = Resources.*[ Type == 'AWS::SNS::Topic' ]
rule NOT_BLACK when %topics !empty {
  %topics.Properties.DisplayName != /black/ <<
    Violation: a topic must not be black
    Fix: choose another colour
  >>
}
rule KEYED when %topics !empty { %topics.Properties.KmsMasterKeyId == /^arn:aws:kms/ }
"""
TEMPLATE = """\
Parameters:
  Colour: {Type: String, NoEcho: true}
Resources:
  Key: {Type: AWS::KMS::Key}
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Ref Colour
      KmsMasterKeyId: !GetAtt Key.Arn
"""
SCOPE = Scope("123456789012", "us-east-1")


def dry_run(colour, *, mode=FailureMode.FAIL, kinds=(TargetKind.RESOURCE,), rules=RULES):
    context = DryRunContext(scope=SCOPE, stack_name="shop", stack_arn="arn:shop", parameters={"Colour": colour})
    document = parse_document(TEMPLATE, name="t.yaml", short_tags=True)
    settings = HookSettings(enabled=True, failure_mode=mode, operations=tuple(kinds))
    hook = RulesHook(name="rules", files=[RuleFile("r.guard", rules)], scope=SCOPE, settings=settings)
    return try_hooks([hook], plan_template(document, context, kinds=kinds))


def test_a_refusal_is_placed_at_the_property_and_says_how_to_fix_it():
    runs = dry_run("black-and-white")
    assert [each.answer.verdict for each in runs] == [Verdict.SKIPPED, Verdict.REFUSED]
    found = next(each for each in dry_run_diagnostics(runs) if each.code == "hook.refused")
    assert (found.severity, found.location.start.line) == (Severity.ERROR, 8)
    assert "NOT_BLACK: a topic must not be black" in found.message
    assert found.hint == "choose another colour"
    assert runs[1].refuses


def test_a_value_of_a_parameter_with_no_echo_is_not_shown():
    rules = RULES.replace("a topic must not be black", "black-and-white is refused")
    (found, *_) = dry_run_diagnostics(dry_run("black-and-white", rules=rules))
    assert "black-and-white" not in found.message


def test_a_check_of_a_value_that_is_not_known_yet_is_undecided():
    runs = dry_run("red")
    assert runs[1].answer.verdict is Verdict.UNDECIDED
    (found,) = dry_run_diagnostics(runs)
    assert (found.code, found.severity) == ("hook.undecided", Severity.WARNING)
    assert "/Properties/KmsMasterKeyId is known only after deployment" in found.notes[0]
    assert not runs[1].refuses
    assert dry_run_to_json(runs[1])["knownAfterDeployment"] == ["/Properties/KmsMasterKeyId"]


def test_in_warn_mode_nothing_is_refused():
    runs = dry_run("black", mode=FailureMode.WARN)
    assert not any(each.refuses for each in runs)
    assert {each.severity for each in dry_run_diagnostics(runs)} == {Severity.WARNING}


def test_a_check_of_a_template_is_placed_in_it():
    rules = "rule NAMED { Resources.Topic.Properties.DisplayName == 'red' }"
    (run,) = dry_run("red", kinds=[TargetKind.STACK], rules=rules)
    (found,) = dry_run_diagnostics([run])
    assert (found.code, found.location.start.line) == ("hook.refused", 8)


def test_rules_that_fail_themselves_are_no_verdict():
    runs = dry_run("red", rules="rule A {")
    (found, *_) = dry_run_diagnostics(runs)
    assert (found.code, runs[0].answer.verdict) == ("hook.failed", Verdict.ERROR)


def test_a_missing_property_is_refused_beside_values_that_are_not_known():
    runs = dry_run("red", rules="rule A when Resources.Topic exists { Resources.Topic.Properties.Name exists }")
    assert [each.answer.verdict for each in runs] == [Verdict.SKIPPED, Verdict.REFUSED]
    (found,) = dry_run_diagnostics(runs)
    assert found.notes == ("known only after deployment: /Properties/KmsMasterKeyId",)
