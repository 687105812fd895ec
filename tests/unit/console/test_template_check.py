"""What the editor says of a template."""

import json
from types import SimpleNamespace

import pytest

from formwork.aws.scope import Scope
from formwork.console.views.template_check import check_template, parse_template_text
from formwork.documents import Document
from formwork.schema import load_resource_schema
from formwork.template import read_template
from support.registry import FRAGMENT, SHELF, THING, resource_schema

SCOPE = Scope("111111111111", "us-east-1")


class Types:
    """A catalogue with one type and one module."""

    def __init__(self):
        value = resource_schema()
        value["properties"] |= {"Size": {"type": "integer"}, "Label": {"type": "string", "pattern": "^[a-z]+$"}}
        self.thing = SimpleNamespace(schema=load_resource_schema(Document.of_value(value, "schema")).schema)

    def find(self, _scope, name, _version=None):
        return self.thing if name == THING else None

    def find_module(self, _scope, name):
        return read_template(Document.of_value(FRAGMENT, "fragments/shelf.json")).template if name == SHELF else None

    def explain(self, _scope, name):
        return "it is never here" if name.startswith("AWS::") else None


def check(text):
    return check_template(text, Types(), SCOPE)


def codes(text):
    return [each.code for each in check(text).diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["document.syntax"]),
        ("{", ["document.syntax"]),
        ("a: [", ["document.syntax"]),
        ("x: &a 1\ny: *a", ["document.alias"]),
        ("Resources: {}", ["template.no-resources"]),
        (f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: a}}}}}}", []),
        (f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: a, Size: '3'}}}}}}", []),
        (f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: a, Size: x}}}}}}", ["template.property-value"]),
        (f"Resources: {{A: {{Type: '{THING}'}}}}", ["module.missing-property"]),
        (f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: a, Nmae: b}}}}}}", ["module.unknown-property"]),
        (f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: !Ref B}}}}}}", ["template.unresolved-reference"]),
        ("Resources: {A: {Type: 'No::Such::Type'}}", ["template.unknown-type"]),
        ("Resources: {A: {Type: 'Custom::Any'}}", []),
        ("Resources: {A: {Type: 'No::Such::Type::MODULE'}}", ["module.unknown"]),
        (f"Resources: {{A: {{Type: '{SHELF}'}}}}", ["module.missing-parameter"]),
        (
            f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: !Select [5, [a]]}}}}}}",
            ["template.function-argument"],
        ),
    ],
)
def test_diagnostics_have_their_codes(text, expected):
    assert codes(text) == expected


def test_values_that_are_known_later_are_not_judged():
    text = "Parameters: {P: {Type: String}, Q: {Type: String, Default: UPPER}}\n"
    text += f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: !Ref P, Label: !Ref %s}}}}}}"
    assert codes(text % "P") == []
    (found,) = check(text % "Q").diagnostics
    assert found.code == "template.property-value"
    assert found.location.pointer == "/Resources/A/Properties/Label"
    macro = f"Transform: Some::Macro\nResources: {{A: {{Type: '{THING}', Properties: {{Name: a, Label: UPPER}}}}}}"
    assert codes(macro) == []


def test_modules_are_expanded_in_the_form_that_the_template_has():
    found = check(f"Resources: {{A: {{Type: '{SHELF}', Properties: {{Label: books}}}}}}")
    assert (found.resources, found.modules) == (1, 1)
    assert "ABucket:" in found.expanded
    assert "BucketName: books" in found.expanded
    as_json = check(json.dumps({"Resources": {"A": {"Type": SHELF, "Properties": {"Label": "books"}}}}))
    assert '"BucketName": "books"' in as_json.expanded
    assert check(f"Resources: {{A: {{Type: '{THING}', Properties: {{Name: a}}}}}}").expanded is None


def test_a_type_that_is_not_here_is_explained():
    (found,) = check("Resources: {A: {Type: 'AWS::No::Where'}}").diagnostics
    assert found.hint == "it is never here"
    assert found.location.start.line == 1


def test_json_and_yaml_are_told_apart():
    assert str(parse_template_text("{}").format) == "json"
    assert str(parse_template_text("a: 1").format) == "yaml"
