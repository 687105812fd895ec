"""The engine of Guard rules: what it needs, and how it explains rules that it can't use."""

import importlib.util

import pytest

from formwork.hooks.guard import probed_rules
from formwork.hooks.guard.rules import GuardRulesError, RuleFile, _compile, check_rules, evaluate_rules
from formwork.hooks.guard.structure_reader import GuardStructureError


def test_without_the_engine_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(GuardRulesError, match="with the extra guard"):
        evaluate_rules([RuleFile("a.guard", "Resources exists")], {})


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("rule a {\n  Resources.* ===  1\n}", "a.guard:2:17: syntax error at '1', expected either a property access"),
        ("rule a { Resources exists", "a.guard:1:26: syntax error at the end of the file"),
        ("rule a { %nope exists }", "Could not resolve variable by name nope"),
    ],
)
def test_rules_that_cannot_be_used(rules, told):
    pytest.importorskip("cloudformation_validate")
    with pytest.raises(GuardRulesError) as caught:
        evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {}})
    assert told in str(caught.value)


def test_files_with_rules_of_the_same_name_and_without_names():
    pytest.importorskip("cloudformation_validate")
    files = [
        RuleFile("a.guard", "rule same { Resources exists }"),
        RuleFile("b.guard", "rule same { Nothing exists }"),
        RuleFile("c.guard", "Nothing exists"),
    ]
    verdict = evaluate_rules(files, {"Resources": {}})
    assert verdict.rules == [("same", "PASSED"), ("same", "FAILED"), ("c.guard/default", "FAILED")]
    assert verdict.failed == ["c.guard/default", "same"]


def test_only_a_rule_whose_checks_held_has_passed():
    pytest.importorskip("cloudformation_validate")
    rules = """
    let buckets = Resources.*[ Type == "AWS::S3::Bucket" ]
    rule Named when %buckets !empty { %buckets.Properties.BucketName exists }
    rule Queues when Resources.*[ Type == "AWS::SQS::Queue" ] !empty { Resources.*.Properties.QueueName exists }
    rule Encrypted when Named { %buckets.Properties.BucketEncryption exists }
    rule taking(values) { %values exists }
    """
    bucket = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "a"}}
    verdict = evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {"B": bucket}})
    assert dict(verdict.rules) == {"Named": "PASSED", "Queues": "SKIPPED", "Encrypted": "FAILED"}
    assert [each.rule for each in verdict.findings] == ["Encrypted"]


def test_clauses_that_are_in_no_rule_have_a_status():
    pytest.importorskip("cloudformation_validate")
    told = "a.guard/default"
    for rules, status in (
        ("Resources exists", "PASSED"),
        ("Nope exists", "FAILED"),
        ("when Nope exists { Resources exists }", "SKIPPED"),
        ("Resources exists\nlet a = 1\nNope == %a or Nada exists", "FAILED"),
    ):
        assert evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {}}).rules == [(told, status)]


@pytest.mark.parametrize(
    "identifier",
    [
        "/aws/lambda/api",
        "a/b|c",
        "Resources/Properties/x",
        "a.b|c",
        "q\"u'o",
        "ü/☃",
        "",
        "a\\b/",
        "FormworkResource0/x",
        "a b\n",
    ],
)
def test_findings_name_the_whole_identifier_of_a_resource(identifier):
    pytest.importorskip("cloudformation_validate")
    rules = """
    rule Named { Resources.*.Properties.TopicName exists }
    rule Tagged { Resources.*.Properties.Tags[*].Key == /^x/ <<a key begins with x>> }
    rule Before { Previous.*.Properties.Old == 1 }
    """
    topic = {"Type": "AWS::SNS::Topic", "Properties": {"Tags": [{"Key": "b/c"}]}}
    before = {"Type": "AWS::SNS::Topic", "Properties": {"Old": 2}}
    document = {"Resources": {identifier: topic}, "Previous": {identifier: before}}
    verdict = evaluate_rules([RuleFile("a.guard", rules)], document)
    found = {each.rule: (each.resource, each.path, each.message) for each in verdict.findings}
    assert found["Tagged"] == (identifier, "Properties.Tags.0.Key", "a key begins with x")
    assert found["Named"][:2] == (identifier, "Properties")
    assert found["Named"][2].endswith("failed: property `Properties.TopicName` is missing")
    assert found["Before"][:2] == (None, None)


def test_rules_that_ask_for_identifiers_see_them_as_they_are():
    pytest.importorskip("cloudformation_validate")
    rules = "rule a { Resources[ keys == '/aws/api' ].Properties.Name exists }"
    topic = {"Type": "AWS::SNS::Topic", "Properties": {}}
    verdict = evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {"/aws/api": topic}})
    assert [(each.rule, each.resource, each.path) for each in verdict.findings] == [("a", None, None)]


CALLS = """
rule both { %BOTH%
    named(Resources.A.Name) <<no name>>
    outer(Resources.A.Size) <<outer>>
    Resources.A.Own exists
    AWS::SNS::Topic { named(Name) <<not a topic's name>> }
    named(Resources.A.Own)
}
rule named(value) { %value exists }
rule outer(value) {
    named(%value)
    named(%value) <<inner>>
    %value.Inner { this is_string }
    %value.Told exists <<its own>>
}
"""


def test_checks_have_the_messages_of_the_calls_around_them():
    pytest.importorskip("cloudformation_validate")
    topic = {"Type": "AWS::SNS::Topic", "Size": {}}
    for rules in (CALLS.replace("%BOTH%", ""), CALLS.replace("%BOTH%", "Resources exists")):
        verdict = evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {"A": topic}})
        assert {(each.rule, each.resource, each.path, each.message) for each in verdict.findings} == {
            ("both", "A", None, "no name"),
            ("both", "A", None, "not a topic's name"),
            ("both", "A", None, "Guard check `Resources.A.Own EXISTS` failed: property `Own` is missing"),
            ("both", "A", None, "Guard check `%value EXISTS` failed: property `Own` is missing"),
            ("both", "A", "Size", "outer"),
            ("both", "A", "Size", "its own"),
        }
        assert verdict.rules == [("both", "FAILED")]


def test_files_are_compiled_together_where_their_rules_have_different_names():
    pytest.importorskip("cloudformation_validate")
    helper = "rule helper(value) { %value exists }"
    files = tuple(RuleFile(f"{n}.guard", f"rule r{n} {{ helper(Resources) }}\n{helper}\nA exists") for n in range(4))
    assert [len(each.files) for each in _compile(files)] == [4]  # an engine takes 200 MB
    same = RuleFile("same.guard", "rule r0 { Nope exists }")
    assert [len(each.files) for each in _compile((*files, same))] == [4, 1]
    verdict = evaluate_rules((*files, same), {"Resources": {}})
    assert verdict.rules[:3] == [("0.guard/default", "FAILED"), ("r0", "PASSED"), ("1.guard/default", "FAILED")]
    assert verdict.rules[-1] == ("r0", "FAILED")


def test_of_several_files_the_one_with_the_error_is_named():
    pytest.importorskip("cloudformation_validate")
    files = [RuleFile("a.guard", "rule a { a exists }"), RuleFile("b.guard", "\nrule b { b === 1 }")]
    with pytest.raises(GuardRulesError, match=r"b\.guard:2:14") as caught:
        check_rules(files)
    assert (caught.value.position.line, caught.value.position.column) == (2, 14)


def test_rules_whose_structure_is_not_understood_are_evaluated_all_the_same(monkeypatch):
    pytest.importorskip("cloudformation_validate")

    def refuse(_text):
        raise GuardStructureError

    monkeypatch.setattr(probed_rules, "read_structure", refuse)
    rules = "rule strange { Resources exists }\nrule call { taking(Nope) }\nrule taking(p) { %p exists }\nNope exists"
    verdict = evaluate_rules([RuleFile("strange.guard", rules)], {"Resources": {}})
    assert verdict.rules == [("call", "FAILED"), ("strange", "PASSED"), ("strange.guard/default", "FAILED")]


def test_a_reference_to_a_rule_that_failed_names_it():
    pytest.importorskip("cloudformation_validate")
    rules = "rule a {\n  b\n  b or c\n}\nrule b { Nope exists }\nrule c { Nope exists }"
    verdict = evaluate_rules([RuleFile("a.guard", rules)], {"Resources": {}})
    assert {each.message for each in verdict.findings if each.rule == "a"} == {
        "Guard check `b` failed",
        "Guard check `b OR c` failed",
    }
