"""SARIF, GitHub's workflow commands, and choosing by code."""

import json

import pytest

from formwork.diagnostics import Diagnostic, Location, Position, Severity
from formwork.diagnostics.render_github import render_github
from formwork.diagnostics.render_sarif import render_sarif
from formwork.diagnostics.selection import select_diagnostics

PLACE = Location("a b,c.json", Position(3, 5), Position(3, 9), "/properties/A")
ERROR = Diagnostic("schema.unknown-type", Severity.ERROR, '"x" is 100% wrong', PLACE, "a type", "write\nit")
WARNING = Diagnostic("schema.long-enum", Severity.WARNING, "long")
INFO = Diagnostic("template.note", Severity.INFO, "a note", Location("x.yaml"))


def test_sarif():
    log = json.loads(render_sarif([ERROR, WARNING, INFO], version="1.2"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "schema.long-enum",
        "schema.unknown-type",
        "template.note",
    ]
    long_enum, unknown_type, note = run["tool"]["driver"]["rules"]
    assert unknown_type["shortDescription"]["text"] == "A type is none of JSON Schema's seven"
    assert unknown_type["helpUri"].endswith("/docs/reference/rules/unknown-type.md")
    assert (unknown_type["defaultConfiguration"], long_enum["defaultConfiguration"]) == (
        {"level": "error"},
        {"level": "warning"},
    )
    assert "helpUri" not in note, "a code that nobody gives"
    first, second, third = run["results"]
    assert [each["level"] for each in run["results"]] == ["error", "warning", "note"]
    assert first["message"]["text"] == '"x" is 100% wrong\nexpected: a type\nhelp: write\nit'
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20b%2Cc.json"},
                "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
            },
            "logicalLocations": [{"fullyQualifiedName": "/properties/A"}],
        }
    ]
    assert "locations" not in second
    assert third["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "x.yaml"}, "region": {"startLine": 1}}}
    ]


def test_github():
    assert render_github([ERROR, WARNING]).splitlines() == [
        (
            "::error file=a b%2Cc.json,line=3,col=5,endColumn=9,title=schema.unknown-type::"
            '"x" is 100%25 wrong%0Aexpected: a type%0Ahelp: write%0Ait'
        ),
        "::warning title=schema.long-enum::long",
    ]


@pytest.mark.parametrize(
    ("select", "ignore", "kept"),
    [
        ([], [], [ERROR, WARNING, INFO]),
        (["template"], [], [ERROR, INFO]),
        (["schema.long"], [], [ERROR, WARNING]),
        (["schema.lo"], [], [ERROR]),
        ([], ["schema"], [ERROR, INFO]),
        (["schema"], ["schema.long-enum"], [ERROR]),
    ],
)
def test_selection(select, ignore, kept):
    assert select_diagnostics([ERROR, WARNING, INFO], select=select, ignore=ignore) == kept
