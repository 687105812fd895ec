"""Tests of Guard rules: which files are cases, what differs from what they expect, coverage, and mutants."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from formwork.diagnostics import BadInputError
from formwork.policies import find_policy_project, is_policy_project, policy_run, run_policies
from formwork.policies.coverage import GapKind
from formwork.policies.report import gap_line, mutant_line, render_html, render_json, render_junit, render_text

pytest.importorskip("cloudformation_validate")

QUEUES = """\
let queues = Resources.*[ Type == 'AWS::SQS::Queue' ]

rule ENCRYPTED when %queues !empty {
    %queues.Properties.SqsManagedSseEnabled == true
        <<Violation: a queue is not encrypted
          Fix: set SqsManagedSseEnabled to true>>
}

rule NAMED when %queues !empty {
    %queues.Properties {
        QueueName exists
        when FifoQueue exists {
            FifoQueue == true
            QueueName == /\\.fifo$/
        }
    }
}
"""
GOOD = "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: a\n      SqsManagedSseEnabled: true\n"
BAD = "Type: AWS::SQS::Queue\nProperties:\n  SqsManagedSseEnabled: false\n"


@pytest.fixture
def project(tmp_path):
    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def run(root, **options):
    return run_policies(find_policy_project(root), **options)


def test_cases_are_found_by_their_places(project):
    root = project(
        {
            "queues.guard": QUEUES,
            "more/topics.guard": "rule TOPIC { Resources exists }",
            "more/topics_tests.yaml": "- {name: none, input: {}, expectations: {rules: {TOPIC: FAIL}}}\n",
            "more/tests/topics_x.json": json.dumps([{"input": None, "expectations": {"rules": {"TOPIC": "FAIL"}}}]),
            "tests/queues/pass/a/good.yaml": GOOD,
            "tests/queues/fail/ENCRYPTED/bad.yaml": BAD,
            "tests/pass/good.json": json.dumps({"Type": "AWS::SQS::Queue", "Properties": {"QueueName": 1}}),
            "tests/other/pass/good.yaml": GOOD,
            "template.yaml": GOOD,
            ".hidden/x.guard": "rule HIDDEN { a exists }",
        }
    )
    found = find_policy_project(root)
    assert [each.name for each in found.files] == ["more/topics.guard", "queues.guard"]
    assert [(each.name, str(each.kind), [file.name for file in each.files], each.expected) for each in found.cases] == [
        ("more/tests/topics_x.json: 0", "exact", ["more/topics.guard"], {"TOPIC": "FAIL"}),
        ("more/topics_tests.yaml: none", "exact", ["more/topics.guard"], {"TOPIC": "FAIL"}),
        ("tests/pass/good.json", "pass", ["queues.guard"], {}),
        ("tests/queues/fail/ENCRYPTED/bad.yaml", "fail", ["queues.guard"], {"ENCRYPTED": "FAIL"}),
        ("tests/queues/pass/a/good.yaml", "pass", ["queues.guard"], {"a": "PASS"}),
    ]
    assert found.unused == ["tests/other/pass/good.yaml"]
    assert is_policy_project(root)
    (root / ".rpdk-config").write_text("{}")
    assert not is_policy_project(root)


def test_what_differs_is_said_with_rule_line_and_place_in_the_case(project):
    result = run(
        project(
            {
                "queues.guard": QUEUES,
                "tests/queues/pass/bad.yaml": BAD + "  QueueName: a\n",
                "tests/queues/pass/none.yaml": "Resources: {}\n",
                "tests/queues/fail/good.yaml": GOOD,
                "tests/queues/fail/NAMED/b.yaml": BAD + "  QueueName: a\n",
                "queues_tests.yaml": "- name: n\n  input: {}\n  expectations:\n    rules:\n      NAMED: PASS\n      X: SKIP\n",
            }
        )
    )
    assert not result.passed
    text = render_text(result)
    assert (
        """\
✗ queues_tests.yaml: n
  queues_tests.yaml:5: NAMED (queues.guard:9): expected PASS, got SKIP
  queues_tests.yaml:6: rule not found in queues.guard: X
✗ tests/queues/fail/NAMED/b.yaml
  tests/queues/fail/NAMED/b.yaml:1: NAMED (queues.guard:9): expected FAIL, got PASS
✗ tests/queues/fail/good.yaml
  tests/queues/fail/good.yaml:1: a rule of queues.guard: expected FAIL, got PASS
✗ tests/queues/pass/bad.yaml
  tests/queues/pass/bad.yaml:3: ENCRYPTED (queues.guard:3): expected PASS, got FAIL
    tests/queues/pass/bad.yaml:3 /Properties/SqsManagedSseEnabled: Violation: a queue is not encrypted Fix: set \
SqsManagedSseEnabled to true
✗ tests/queues/pass/none.yaml
  tests/queues/pass/none.yaml:1: a rule of queues.guard: expected PASS, got SKIP
"""
        in text
    )
    cases = json.loads(render_json(result))["cases"]
    assert [each["outcome"] for each in cases] == ["failed"] * 5
    assert cases[3]["mismatches"][0]["checks"][0]["pointer"] == "/Properties/SqsManagedSseEnabled"
    suite = ET.fromstring(render_junit(result)).find("testsuite")
    assert suite.get("failures") == "5"
    assert "expected PASS, got SKIP" in suite.find("testcase/failure").get("message")


def test_coverage_names_what_no_case_shows(project):
    files = {"queues.guard": QUEUES, "tests/queues/pass/good.yaml": GOOD, "tests/queues/fail/bad.yaml": BAD}
    (coverage,) = run(project(files)).coverage
    assert (coverage.rules, coverage.passed, coverage.failed) == (2, 2, 2)
    assert (coverage.blocks, coverage.entered, coverage.checks, coverage.refused) == (2, 1, 4, 2)
    assert [gap_line(each) for each in coverage.gaps] == ["queues.guard:12: never entered: when FifoQueue exists"]
    fifo = BAD.replace("false", "true\n  QueueName: a\n  FifoQueue: true")
    (coverage,) = run(project({"tests/queues/fail/NAMED/fifo.yaml": fifo})).coverage
    assert [gap_line(each) for each in coverage.gaps] == ["queues.guard:13: never failed: FifoQueue == true"]


def test_coverage_of_rules_that_no_case_enters(project):
    rules = QUEUES + "\nrule UNSEEN when Nothing exists { Nothing == 1 }\nrule CALLS { shared(Resources) }\n"
    rules += "rule shared(value) { %value exists  some %value.*.Type == /SQS/ }\nParameters exists\n"
    (coverage,) = run(project({"queues.guard": rules, "tests/queues/fail/good.yaml": GOOD})).coverage
    assert [(each.kind, each.rule) for each in coverage.gaps if each.line > 17] == [
        (GapKind.NEVER_ENTERED, "UNSEEN"),
        (GapKind.NEVER_FAILED, "CALLS"),
        (GapKind.CHECK_NEVER_FAILED, "shared"),
        (GapKind.CHECK_NEVER_FAILED, "shared"),
        (GapKind.UNKNOWN, ""),
    ]


MUTATED = """\
let tables = Resources.*[ Type == 'AWS::DynamoDB::Table' ]
let fine = ['a', 'b']
rule TABLES when %tables !empty {
    %tables.Properties {
        Sse exists
        Sse.Enabled == true
        Tags[0].Key in %fine
        Mode != 'OLD'
        Count <= 5
        Count in r[1, 9]
        Name == /^t-/
        Name is_string
        Keys !empty
        when Optional exists { Optional == 'x' }
        when Never exists { Never == 1 }
        in_list(Streams) <<streams>>
        Left == 1 or Right == 1
        some Zones[*].Name == 'z'
    }
}
rule in_list(value) { %value[*] in ['s', 't'] }
"""
TABLE = {
    "Type": "AWS::DynamoDB::Table",
    "Properties": {
        "Sse": {"Enabled": True},
        "Tags": [{"Key": "a"}, {"Key": "b"}],
        "Mode": "NEW",
        "Count": 3,
        "Name": "t-a",
        "Keys": ["k"],
        "Optional": "x",
        "Streams": ["s"],
        "Left": 1,
        "Zones": [{"Name": "z"}, {"Name": "z"}],
        "Unseen": 1,
    },
}


def test_mutants_that_no_rule_refuses_are_reported(project):
    result = run(project({"tables.guard": MUTATED, "tests/tables/pass/table.json": json.dumps(TABLE, indent=1)}))
    assert result.passed
    assert [
        mutant_line(each).removesuffix(": no rule refuses it (TABLES, tables.guard:7)") for each in result.gaps
    ] == [
        "tests/tables/pass/table.json:7: /Properties/Tags/2 element added with Key removed",
        "tests/tables/pass/table.json:7: /Properties/Tags/2 element added with Key changed to 'formwork-mutant'",
        "tests/tables/pass/table.json:12: /Properties/Tags/1/Key removed",
        "tests/tables/pass/table.json:12: /Properties/Tags/1/Key changed to 'formwork-mutant'",
    ]


def test_mutants_are_bounded_and_chosen_by_the_seed(project):
    root = project({"tables.guard": MUTATED, "tests/tables/pass/table.json": json.dumps(TABLE)})
    found = [run(root, most_mutants=7, seed=seed) for seed in (1, 1, 2)]
    assert [each.mutants for each in found] == [7, 7, 7]
    assert found[0].possible > 20
    assert found[0].gaps == found[1].gaps
    assert run(root, most_mutants=0).mutants == 0


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("tests/q/pass/a.yaml", "Name: a\n", '"tests/q/pass/a.yaml" is not a case'),
        ("q_tests.yaml", "name: a\n", "is not a list of unit tests"),
        ("q_tests.yaml", "- name: a\n", "has not both input and expectations"),
        ("q_tests.yaml", "- {input: [], expectations: {rules: {}}}\n", "the input of unit test 0 is not a map"),
        ("q_tests.yaml", "- {input: {}, expectations: {}}\n", "unit test 0 expects nothing of rules"),
        ("q_tests.yaml", "- {input: {}, expectations: {rules: {A: MAYBE}}}\n", '"MAYBE" is not a status'),
    ],
)
def test_files_that_are_not_cases_are_refused(project, name, text, told):
    with pytest.raises(BadInputError) as caught:
        find_policy_project(project({"q.guard": "rule A { a exists }", name: text}))
    assert told in str(caught.value)


def test_a_case_that_cannot_be_evaluated_has_failed(project):
    rules = "rule A when Resources exists { let n = parse_int(Resources.Name) %n == 1 }\n"
    result = run(project({"q.guard": rules, "tests/q/pass/a.yaml": "Resources: {Name: a}\n"}))
    assert not result.passed


def test_cases_of_all_files_of_a_folder_are_judged_by_all(project):
    topics = "rule NAMED { Resources.*.Properties.QueueName exists }\nrule TWO { shared(Resources) }\n"
    topics += "rule shared(value) { %value exists }\n"
    files = {"queues.guard": QUEUES, "other.guard": topics, "broken[.guard": "rule NAMED { Resources exists }"}
    cases = {"tests/pass/good.yaml": GOOD, "tests/fail/bad.yaml": BAD, "tests/fail/TWO/good.yaml": GOOD}
    result = run(project({**files, **cases}))
    assert [each.case.name for each in result.cases if not each.passed] == ["tests/fail/TWO/good.yaml"]
    assert {each.file: (each.rules, each.passed, each.failed) for each in result.coverage} == {
        "broken[.guard": (1, 1, 0),
        "other.guard": (2, 2, 1),
        "queues.guard": (2, 2, 2),
    }
    statuses = {each.case.name: each.statuses for each in result.cases}
    assert statuses["tests/fail/bad.yaml"]["NAMED"] == {"PASS", "FAIL"}
    assert result.mutants == 3


def test_rules_that_can_be_evaluated_are_tested_beside_others(project):
    rules = "rule A when Resources exists { let n = parse_int(Resources.Name) %n == 1 }\n"
    files = {"q.guard": rules, "queues.guard": QUEUES, "tests/queues/pass/good.yaml": GOOD}
    result = run(project({**files, "tests/q/pass/a.yaml": "Resources: {Name: a}\n"}))
    assert [(each.case.name, each.passed) for each in result.cases] == [
        ("tests/q/pass/a.yaml", False),
        ("tests/queues/pass/good.yaml", True),
    ]
    assert "tests/q/pass/a.yaml:1: Guard file 'q.guard' failed to evaluate" in render_text(result)


def test_many_files_are_evaluated_in_parts(project, monkeypatch):
    monkeypatch.setattr(policy_run, "_CHUNK", 2)
    files = {f"r{n}.guard": f"rule R{n} {{ Resources.*.Properties.QueueName exists }}" for n in range(3)}
    cases = {f"tests/r{n}/pass/good.yaml": GOOD for n in range(3)} | {"tests/fail/bad.yaml": BAD}
    result = run(project({**files, **cases}))
    assert result.passed
    assert [(each.file, each.passed, each.failed, list(each.gaps)) for each in result.coverage] == [
        (f"r{n}.guard", 1, 1, []) for n in range(3)
    ]
    assert (result.mutants, result.gaps) == (3, [])


def test_the_page_has_cases_gaps_and_mutants(project):
    root = project(
        {
            "queues.guard": QUEUES,
            "tests/queues/pass/<good>.yaml": GOOD,
            "tests/queues/pass/bad.yaml": BAD,
            "tests/other/pass/unused.yaml": GOOD,
        }
    )
    result = run(root)
    page = render_html(result, replay="cfn test --seed <0>")
    assert "<title>Guard rules</title>" in page
    assert '<p class="said">1 case failed</p>' in page
    assert "cfn test --seed &lt;0&gt;" in page
    failed, passed = re.findall(r'<details class="test"( open)?>.*?<code>([^<]*)</code>', page)
    assert failed == (" open", "tests/queues/pass/bad.yaml")
    assert passed == ("", "tests/queues/pass/&lt;good&gt;.yaml")
    assert "Violation: a queue is not encrypted" in page
    assert re.search("<code>when FifoQueue exists *</code>", page)
    tables = 1 + bool(result.gaps)
    assert page.count("<tr>") == tables + len(result.coverage[0].gaps) + len(result.gaps)
    assert "tests/other/pass/unused.yaml is not a case of any rules" in page


def test_the_page_of_rules_without_cases_says_nothing_is_good(project):
    page = render_html(run(project({"queues.guard": QUEUES})))
    assert '<p class="said">No cases</p>' in page
    assert 'class="verdict good"' not in page
