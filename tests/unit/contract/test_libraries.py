"""Findings that AWS's handler libraries cause are told as theirs, in every report."""

import json

import pytest

from formwork.contract.suite import collect
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.contract_results.libraries import cause_of
from formwork.contract_results.report.html import render_html
from formwork.contract_results.report.junit import render_junit
from formwork.contract_results.report.machine import result_to_json
from formwork.contract_results.report.text import render_text
from formwork.contract_results.test_result import TestResult
from formwork.documents import parse_document
from formwork.invoke import Answer, Exchange
from formwork.schema.resource import build_resource_schema
from support.contract_subjects import subject_of

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
}
STRINGS = "writes every boolean and number of a model as a string"


def finding(clause, *differences, answer=None):
    exchanges = () if answer is None else (Exchange({"action": "READ"}, Answer(b""), answer, None),)
    found = tuple(ModelDifference("/Count", *each) for each in differences)
    return Finding(clause, CLAUSES[clause].level, "a message", exchanges, found)


@pytest.mark.parametrize(
    ("library", "found", "words"),
    [
        ("go", finding("create.echo", (True, "true")), STRINGS),
        ("go", finding("create.echo", (5, "5"), (0.5, "0.5")), STRINGS),
        ("go", finding("event.shape", ('"5" is not of type "integer"', "5")), STRINGS),
        ("go", finding("create.tags", ([], ABSENT)), "leaves empty lists and objects"),
        ("go", finding("create.idempotent"), "client request token"),
        ("go", finding("read.model", answer={"message": "Unsupported type interface {}"}), "several types"),
        ("typescript", finding("list.token"), "nextToken"),
        ("python", finding("list.ends"), "nextToken"),
    ],
)
def test_what_a_library_causes(library, found, words):
    assert words in cause_of(found, library)
    assert cause_of(found, None) is None


@pytest.mark.parametrize(
    ("library", "found"),
    [
        ("go", finding("create.echo", (5, "6"))),
        ("go", finding("create.echo", (5, "5"), ("a", "b"))),
        ("go", finding("create.echo", ("5", 5))),
        ("go", finding("create.echo", (True, ABSENT))),
        ("go", finding("create.echo", ("five", "5"))),
        ("go", finding("event.shape", ('"x" is not of type "integer"', "x"))),
        ("go", finding("list.token")),
        ("go", finding("read.missing", answer={"status": "SUCCESS"})),
        ("typescript", finding("create.echo", (True, "true"))),
        ("typescript", finding("create.idempotent")),
    ],
)
def test_what_is_the_handlers_own(library, found):
    assert cause_of(found, library) is None


def test_every_report_says_it():
    schema = build_resource_schema(parse_document(json.dumps(SCHEMA), name="schema.json"))
    subject = subject_of(dict, schema)
    test = TestResult("contract_list_pages", (finding("list.token"),), (), (), 0.0)
    result = collect(subject, [test])
    result.library = "typescript"
    words = cause_of(finding("list.token"), "typescript")
    assert f"  cause:  {words}\n" in render_text(result)
    assert words in render_junit(result)
    assert words in render_html(result)
    (row,) = json.loads(json.dumps(result_to_json(result)))["findings"]
    assert row["cause"] == words
    result.library = None
    assert "cause:" not in render_text(result)
    assert result_to_json(result)["findings"][0]["cause"] is None


def test_without_a_library_of_awss_nothing_is_its_habit():
    for library in (None, "", "XXXX", "rust"):
        assert cause_of(finding("list.token"), library) is None
    assert cause_of(finding("list.token"), "python") is not None


def test_a_finding_without_differences_is_not_explained_by_them():
    assert cause_of(finding("create.echo"), "go") is None
