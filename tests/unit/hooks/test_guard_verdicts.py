"""Verdicts of Guard rules, as their language's guide says them: rule by rule for two templates and a hook's inputs."""

import pytest

from formwork.hooks.guard.rules import RuleFile, evaluate_rules
from support.guard_oracle import own_rules, own_templates

P, F, S = "PASSED", "FAILED", "SKIPPED"
# rule → for the template that is good, that is bad, that is empty
EXPECTED = {
    "WHEN_QUEUES": (P, F, S),
    "WHEN_TWO_CONDITIONS": (P, F, S),
    "WHEN_INSIDE": (P, F, S),
    "WHEN_NEVER": (S, S, S),
    "ALL_TAGS_HAVE_VALUES": (P, F, S),
    "SOME_TAG_IS_OWNER": (P, P, S),
    "SOME_IN_A_BLOCK": (P, F, S),
    "FILTER_IN_A_LIST": (P, F, F),
    "KEYS_IN_A_LIST": (P, P, S),
    "VARIABLE_LIST": (P, F, S),
    "VARIABLE_RANGE": (P, F, S),
    "VARIABLE_OF_A_VARIABLE": (P, F, S),
    "VARIABLE_AS_A_KEY": (P, P, F),
    "GREATER": (P, P, S),
    "AT_LEAST": (P, P, S),
    "LESS": (F, F, S),
    "AT_MOST": (F, F, S),
    "RANGE_OPEN": (F, F, S),
    "RANGE_CLOSED": (P, F, S),
    "NOT_IN_RANGE": (F, P, S),
    "NOT_IN_A_LIST": (P, F, S),
    "EQUAL_TO_A_LIST": (P, F, S),
    "EQUAL_TO_A_MAP": (P, F, S),
    "REGEX_WITH_SLASH": (P, F, S),
    "REGEX_IN_A_LIST": (P, F, S),
    "NOT_EXISTS": (P, F, P),
    "IS_INT": (P, P, S),
    "IS_NULL": (P, F, S),
    "COUNT": (P, F, P),
    "JSON_PARSE": (P, F, S),
    "JOIN": (P, F, S),
    "PARSE_INT": (P, F, S),
    "CALLED": (P, F, S),
    "CALLED_TWICE": (P, F, S),
    "BOTH": (P, P, F),
    "HOOK_ACCOUNT": (S, S, S),
}


@pytest.mark.parametrize("template", ["good", "bad", "empty"])
def test_verdicts(template):
    pytest.importorskip("cloudformation_validate")
    # a type block ends the evaluation of a template without such resources
    files = [RuleFile(each.name, each.read_text(encoding="utf-8")) for each in own_rules() if each.stem != "blocks"]
    verdict = evaluate_rules(files, own_templates()[template])
    found = {rule: status for rule, status in verdict.rules if rule in EXPECTED}
    number = ["good", "bad", "empty"].index(template)
    assert found == {rule: statuses[number] for rule, statuses in EXPECTED.items()}


def test_messages_of_failed_checks():
    pytest.importorskip("cloudformation_validate")
    files = [RuleFile(each.name, each.read_text(encoding="utf-8")) for each in own_rules()]
    verdict = evaluate_rules(files, own_templates()["bad"])
    found = {rule: set() for rule in ("WHEN_INSIDE", "CALLED", "CALLED_TWICE", "LESS")}
    for each in verdict.findings:
        if each.rule in found:
            found[each.rule].add((each.resource, each.path, each.message.split("\n")[0]))
    assert found == {
        "WHEN_INSIDE": {
            ("Queue", "Properties.FifoQueue", "Guard check `Properties.FifoQueue EQUALS true` failed"),
            ("Queue", "Properties.QueueName", "Violation: the name of a FIFO queue ends with .fifo"),
        },
        "CALLED": {("Bucket", "Properties.Tags.2", "[P.1]: buckets have tags")},
        "CALLED_TWICE": {
            ("Bucket", "Properties.BucketName", "the bucket has no name"),
            ("Bucket", "Properties", "the bucket has no owner"),
        },
        "LESS": {("Data", "Properties.Size", "less than 20")},
    }
