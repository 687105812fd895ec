"""Property transforms as the seeds describe them."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.documents import parse_document
from formwork.jsonata.errors import TransformError
from formwork.schema.resource import build_resource_schema
from formwork.schema.transforms import (
    apply_transform,
    matches,
    parse_transform,
    split_alternatives,
    value_matches,
)


def schema_with(**transforms):
    value = {
        "typeName": "Acme::Dns::Zone",
        "properties": {
            "Name": {"type": "string"},
            "Id": {"type": "integer"},
            "Bag": {"type": "array", "insertionOrder": False, "items": {"type": "string"}},
            "Nested": {"type": "object", "properties": {"Expression": {"type": "string"}}},
            "List": {"type": "array", "items": {"type": "object", "properties": {"Key": {"type": "string"}}}},
        },
        "propertyTransform": {f"/properties/{path}": text for path, text in transforms.items()},
    }
    return build_resource_schema(parse_document(json.dumps(value), name="zone.json"))


@pytest.mark.parametrize(
    ("transform", "desired", "actual", "same"),
    [
        ('$join([Name, "."])', "example.com", "example.com.", True),
        ('$join([Name, "."])', "example.com", "example.com", True),  # untransformed first
        ('$join([Name, "."])', "example.com.", "example.com", False),  # the template's side only
        ('$join([Name, "."]) $OR $join([Name, "test"])', "a", "atest", True),
        ('$join([Name, "."]) $OR $join([Name, "test"])', "a", "a??", False),
        ("$lowercase(Name)", "ABC", "abc", True),
        ("$uppercase(Id) $OR $lowercase(Name)", "ABC", "abc", True),  # the first alternative fails on this value
        ('$join(["arn:[a-z-]+:", Name, "$"])', "x", "arn:aws:x", True),  # as a regular expression
        ('$join(["arn:", Name])', "x", "my-arn:x", False),  # that has to match in full
        ('"(("', "x", "((", True),
        ("$nope(", "a", "b", False),
    ],
)
def test_matches(transform, desired, actual, same):
    schema = schema_with(Name=transform)
    assert matches(schema, ("Name",), {"Name": desired, "Id": 1}, {"Name": actual}) is same


def test_alternatives_of_the_seed():
    schema = schema_with(Id="$abs(Id) $OR $power(Id, 2)")
    assert matches(schema, ("Id",), {"Id": -3}, {"Id": 3})
    assert matches(schema, ("Id",), {"Id": -3}, {"Id": 9})
    assert not matches(schema, ("Id",), {"Id": -3}, {"Id": 8})


def test_the_parent_object_is_the_input():
    schema = schema_with(**{"Nested/Expression": '$join(["Prefix", Expression])', "List/*/Key": "$lowercase(Key)"})
    assert matches(
        schema, ("Nested", "Expression"), {"Nested": {"Expression": "a"}}, {"Nested": {"Expression": "Prefixa"}}
    )
    assert matches(schema, ("List", 0, "Key"), {"List": [{"Key": "A"}]}, {"List": [{"Key": "a"}]})
    assert value_matches(schema, ("List", "*", "Key"), {"Key": "A"}, "A", "a")


def test_equality_is_the_schemas():
    assert matches(schema_with(), ("Bag",), {"Bag": ["a", "b"]}, {"Bag": ["b", "a"]})
    assert not matches(schema_with(), ("Bag",), {"Bag": ["a", "b"]}, {})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("$abs(Id)", ("$abs(Id)",)),
        ("$abs(Id) /* why */", ("$abs(Id) /* why */",)),
        ("$abs(Id) $OR $power(Id, 2)", ("$abs(Id)", "$power(Id, 2)")),
        ("a$OR b $OR\nc", ("a", "b", "c")),
        ("a /* $OR */ $OR b", ("a /* $OR */", "b")),
        ("a $ORDER b", ("a $ORDER b",)),
        ('")" $OR `(`', ('")"', "`(`")),
    ],
)
def test_split(text, parts):
    assert split_alternatives(text) == parts


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ('$join([e, "T $OR Y"])', "inside a text", 10),
        ("(a $OR b)", "inside brackets", 3),
        ("a $OR ", "empty", None),
        ("$OR b", "empty", None),
        ("a $OR $join([", "no JSONata", 6),
        ("a" * 10_001, "characters", None),
        ("a $OR $lowercas(a)", r'no "\$lowercas"', 6),
        ("a ~> $lower", r'no "\$lower"', 5),
        ("$map(a, function($x){$x & $y})", r'no "\$y"', 26),
        ("a /* b", "ends inside a comment", 0),
        ("/* nothing */", "no JSONata", 0),
        ("(" * 5000 + ")" * 5000, "nests|no JSONata", None),
    ],
)
def test_refused(text, message, position):
    with pytest.raises(TransformError, match=message) as caught:
        parse_transform(text)
    if position is not None:
        assert caught.value.position >= position


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$lowercase(N) /* why */", "b"),
        ("/* why */ $lowercase(N)", "b"),
        ("$lowercase(N) /* one */ /* two */ ", "b"),
        ("($f := function($x){$lowercase($x)}; $f($$.N) & $.N)", "bB"),
        ("$map([N], $lowercase)", "b"),
        ("N@$n#$i.($n & $i)", "B0"),
    ],
)
def test_comments_and_own_names(text, value):
    (expression,) = parse_transform(text)
    assert apply_transform(expression, {"N": "B"}) == value


@pytest.mark.parametrize(
    "text",
    [
        "$sum([1..9000000])",
        "($f := function($x){$f($x) + 1}; $f(1))",
        "($f := function($x){$f($x)}; $f(1))",
        "($a := 'xxxxxxxxxx';" + "$a := $a & $a;" * 60 + "$a)",
        '$match("' + "a" * 60 + 'b", /^(a|aa)+$/)',
    ],
)
def test_bounds(text):
    (expression,) = parse_transform(text)
    began = time.process_time()
    with pytest.raises(TransformError):
        apply_transform(expression, {})
    assert time.process_time() - began < 5


def test_the_clock_is_each_calls_own():
    """jsonata-python's own limit counts from the compilation: a cached expression would time out for ever."""
    (expression,) = parse_transform("$lowercase(Clock)")
    time.sleep(1.1)
    assert apply_transform(expression, {"Clock": "A"}) == "a"


@given(st.text(max_size=30) | st.text(alphabet="$OR()[]{}\"'`/*aN., ", max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        for each in parse_transform(text):
            apply_transform(each, {"N": 1, "a": "b"})
    except TransformError as error:
        assert str(error)  # noqa: PT017 - some texts raise nothing
