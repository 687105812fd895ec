import pytest

from formwork.documents import parse_document
from formwork.template import (
    DynamicReferenceError,
    Parameter,
    ReferenceKind,
    build_expression,
    check_parameter_value,
    dependencies,
    parse_dynamic_references,
    parse_sub,
    read_template,
    references_in,
)
from formwork.template.references import SubText, SubVariable
from formwork.template.resolution import find_cycle


def test_sub_parts():
    assert parse_sub("a${B}-${C.D.E}${!F}$G") == (
        SubText("a"),
        SubVariable("B", None),
        SubText("-"),
        SubVariable("C", "D.E"),
        SubText("${F}"),
        SubText("$G"),
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Ref": "A"}, [(ReferenceKind.NAME, "A", None)]),
        ({"Fn::GetAtt": ["A", "B.C"]}, [(ReferenceKind.ATTRIBUTE, "A", "B.C")]),
        ({"Fn::GetAtt": "A.B"}, [(ReferenceKind.ATTRIBUTE, "A", "B")]),
        ({"Fn::GetAtt": ["A", {"Ref": "P"}]}, [(ReferenceKind.ATTRIBUTE, "A", None), (ReferenceKind.NAME, "P", None)]),
        ({"Fn::Sub": "${A}${B.C}${!D}"}, [(ReferenceKind.NAME, "A", None), (ReferenceKind.ATTRIBUTE, "B", "C")]),
        (
            {"Fn::Sub": ["${A}${B}", {"A": {"Ref": "Z"}}]},
            [(ReferenceKind.NAME, "B", None), (ReferenceKind.NAME, "Z", None)],
        ),
        ({"Fn::If": ["C", {"Ref": "A"}, 1]}, [(ReferenceKind.CONDITION, "C", None), (ReferenceKind.NAME, "A", None)]),
        ({"Fn::FindInMap": ["M", "a", "b"]}, [(ReferenceKind.MAPPING, "M", None)]),
        ({"Fn::Not": [{"Condition": "C"}]}, [(ReferenceKind.CONDITION, "C", None)]),
        ({"Condition": "C"}, []),
        ([{"a": {"Ref": "A"}, "b": {"Ref": "B"}}], [(ReferenceKind.NAME, "A", None), (ReferenceKind.NAME, "B", None)]),
    ],
)
def test_references(value, expected):
    assert [(each.kind, each.name, each.attribute) for each in references_in(build_expression(value))] == expected


def test_dependencies_through_a_module():
    text = """
Resources:
  Mod: {Type: A::B::C::MODULE}
  User: {Type: X, Properties: {One: !Ref Mod.Bucket, Two: !GetAtt ModBucket.Arn, Three: !Sub "${Mod.Bucket}"}}
"""
    read = read_template(parse_document(text, name="t.yaml", short_tags=True))
    assert read.diagnostics == ()
    assert dependencies(read.template, read.template.resources["User"]) == ("Mod",)


@pytest.mark.parametrize(
    ("fields", "value", "problem"),
    [
        ({}, "anything", None),
        ({"type": "Number"}, "1.5", None),
        ({"type": "Number"}, "x", "Parameter 'P' must be a number."),
        ({"type": "List<Number>"}, "1, 2", None),
        ({"type": "List<Number>"}, "1,x", "Parameter 'P' must be a number."),
        ({"allowed_values": ("a", 5)}, "5", None),
        ({"allowed_values": ("a", "b")}, "c", "Parameter 'P' must be one of AllowedValues: [a, b]"),
        ({"allowed_pattern": "[a-z]+"}, "abc", None),
        ({"allowed_pattern": "[a-z]+"}, "abC", "Parameter 'P' must match pattern [a-z]+"),
        ({"min_length": 2}, "a", "Parameter 'P' must contain at least 2 characters"),
        ({"max_length": 2}, "abc", "Parameter 'P' must contain at most 2 characters"),
        ({"type": "Number", "min_value": 2.0}, "1", "Parameter 'P' must be a number not less than 2"),
        ({"type": "Number", "max_value": 2.0}, "3", "Parameter 'P' must be a number not greater than 2"),
        ({"type": "CommaDelimitedList", "allowed_values": ("a", "b")}, "a, b", None),
    ],
)
def test_parameter_values(fields, value, problem):
    declared = Parameter(name="P", path=("Parameters", "P"), **{"type": "String", **fields})
    assert check_parameter_value(declared, value) == problem


def test_dynamic_references():
    text = "x{{resolve:ssm:/a/b:3}}y{{resolve:secretsmanager:arn:aws:secretsmanager:r:1:secret:n-x:SecretString:key:AWSCURRENT}}"
    plain, secret = parse_dynamic_references(text)
    assert (plain.service, plain.key, plain.version) == ("ssm", "/a/b", "3")
    assert (secret.key, secret.json_key, secret.version_stage, secret.version_id) == (
        "arn:aws:secretsmanager:r:1:secret:n-x",
        "key",
        "AWSCURRENT",
        None,
    )
    assert parse_dynamic_references("nothing {{here}}") == ()


@pytest.mark.parametrize("text", ["{{resolve:nope:x}}", "{{resolve:ssm:a b}}", "{{resolve:secretsmanager:a:Binary:b}}"])
def test_malformed_dynamic_references(text):
    with pytest.raises(DynamicReferenceError):
        parse_dynamic_references(text)


@pytest.mark.parametrize(
    ("graph", "cycle"),
    [
        ({}, ()),
        ({"a": ("b",), "b": ("c",), "c": ()}, ()),
        ({"a": ("a",)}, ("a",)),
        ({"a": ("b", "c"), "b": (), "c": ("d",), "d": ("c",)}, ("c", "d")),
        ({"a": ("gone",)}, ()),
    ],
)
def test_cycles(graph, cycle):
    assert find_cycle(graph) == cycle
