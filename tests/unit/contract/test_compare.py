"""Where a returned model differs from what was requested, and which differences count."""

import pytest

from formwork.contract.compare import DifferenceKind, absent_defaults, compare_request, lacking, same_scalar
from formwork.contract.models import below_any, has_identifier, identity_by, identity_of, only, with_value, without
from formwork.contract_results.findings import ABSENT
from formwork.schema.defaults import SchemaDefaults
from support.shapes import composite, shape

MISSING, CHANGED, ITEMS, EXTRA = DifferenceKind
OBJECT = {"type": "object", "properties": {"A": {"type": "string"}, "B": {"type": "integer", "default": 7}}}
FREE = {"type": "object", "additionalProperties": True}
ATTRIBUTES = {"type": "array", "arrayType": "AttributeList", "items": OBJECT}
BAG = {"type": "array", "insertionOrder": False, "items": OBJECT}
SET = {"type": "array", "insertionOrder": False, "uniqueItems": True, "items": {"type": "string"}}


def schema(**members):
    properties = {
        "Name": {"type": "string"},
        "Object": OBJECT,
        "Free": FREE,
        "Attributes": ATTRIBUTES,
        "Bag": BAG,
        "Set": SET,
        "Hidden": {"type": "object", "properties": {"X": {"type": "string"}, "Y": {"type": "string"}}},
        "Old": {"type": "string"},
        "Lower": {"type": "string"},
        "Objects": {"type": "array", "items": OBJECT},
    }
    return shape(
        "Compared",
        properties,
        **{
            "primaryIdentifier": ["/properties/Name"],
            "readOnlyProperties": ["/properties/Arn"],
            "writeOnlyProperties": ["/properties/Password", "/properties/Hidden/X"],
            "deprecatedProperties": ["/properties/Old"],
            "propertyTransform": {"/properties/Lower": "$lowercase(Lower)"},
            **members,
        },
    )


CASES = [
    ({"Title": "a"}, {"Title": "a"}, []),
    ({"Title": "a"}, {"Title": "b"}, [(CHANGED, ("Title",), ("Title",), "a", "b", ())]),
    ({"Title": "a"}, {}, [(MISSING, ("Title",), ("Title",), "a", ABSENT, ())]),
    ({"Title": None}, {}, []),
    ({}, {"Title": "a"}, []),  # what the service adds at the top is explained elsewhere
    ({"Size": 7}, {"Size": 7.0}, []),
    ({"Size": 7}, {"Size": "7"}, []),
    ({"Size": 7}, {"Size": "8"}, [(CHANGED, ("Size",), ("Size",), 7, "8", ())]),
    ({"Size": "7"}, {"Size": 7}, [(CHANGED, ("Size",), ("Size",), "7", 7, ())]),
    ({"Size": 1}, {"Size": True}, [(CHANGED, ("Size",), ("Size",), 1, True, ())]),
    ({"Password": "x", "Old": "x", "Arn": "x"}, {"Password": "y", "Old": "y", "Arn": "z"}, []),
    ({"Password": "x", "Old": "x", "Arn": "x"}, {}, []),
    ({"Hidden": {"X": "x"}}, {}, []),
    (
        {"Hidden": {"X": "x", "Y": "y"}},
        {},
        [(MISSING, ("Hidden",), ("Hidden",), {"X": "x", "Y": "y"}, ABSENT, ())],
    ),
    ({"Hidden": {}}, {}, [(MISSING, ("Hidden",), ("Hidden",), {}, ABSENT, ())]),
    ({"Hidden": {"Y": "y"}}, {"Hidden": {"Y": "y", "X": "seen"}}, []),
    ({"Object": {"A": "a"}}, {"Object": {"A": "a", "B": 7}}, []),
    (
        {"Object": {"A": "a"}},
        {"Object": {"A": "a", "B": 8}},
        [(EXTRA, ("Object", "B"), ("Object", "B"), ABSENT, 8, ())],
    ),
    ({"Object": {"A": "a"}}, {"Object": {"A": "a", "B": None}}, []),
    ({"Object": {"B": 1}}, {"Object": 5}, [(CHANGED, ("Object",), ("Object",), {"B": 1}, 5, ())]),
    (
        {"Free": {"k": 1}},
        {"Free": {"l": 2}},
        [
            (MISSING, ("Free", "*"), ("Free", "k"), 1, ABSENT, ()),
            (ITEMS, ("Free", "*"), ("Free", "l"), ABSENT, 2, ()),
        ],
    ),
    (
        {"Labels": {"abcd": "x"}},
        {"Labels": {"abcd": "y", "efgh": "z"}},
        [
            (CHANGED, ("Labels", "*"), ("Labels", "abcd"), "x", "y", ()),
            (ITEMS, ("Labels", "*"), ("Labels", "efgh"), ABSENT, "z", ()),
        ],
    ),
    (
        {"Steps": ["aa", "bb"]},
        {"Steps": ["bb", "aa"]},
        [
            (CHANGED, ("Steps", "*"), ("Steps", 0), "aa", "bb", ()),
            (CHANGED, ("Steps", "*"), ("Steps", 1), "bb", "aa", ()),
        ],
    ),
    (
        {"Steps": ["aa"]},
        {"Steps": ["aa", "bb"]},
        [(ITEMS, ("Steps",), ("Steps",), ["aa"], ["aa", "bb"], ("bb",))],
    ),
    ({"Steps": ["aa", "bb"]}, {"Steps": ["aa"]}, [(ITEMS, ("Steps",), ("Steps",), ["aa", "bb"], ["aa"], ())]),
    ({"Colors": ["red", "blue"]}, {"Colors": ["blue", "red"]}, []),
    (
        {"Colors": ["red"]},
        {"Colors": ["blue", "red"]},
        [(ITEMS, ("Colors",), ("Colors",), ["red"], ["blue", "red"], ("blue",))],
    ),
    (
        {"Colors": ["red", "pink"]},
        {"Colors": ["blue", "red"]},
        [(ITEMS, ("Colors",), ("Colors",), ["red", "pink"], ["blue", "red"], ())],
    ),
    ({"Set": ["a"]}, {"Set": ["a", "a"]}, []),
    ({"Bag": [{"A": "a"}]}, {"Bag": [{"A": "a", "B": 9}]}, []),
    (
        {"Bag": [{"A": "a"}]},
        {"Bag": [{"A": "a"}, {"A": "a"}]},
        [(ITEMS, ("Bag",), ("Bag",), [{"A": "a"}], [{"A": "a"}, {"A": "a"}], ({"A": "a"},))],
    ),
    ({"Attributes": [{"A": "a"}]}, {"Attributes": [{"A": "a"}]}, []),
    (
        {"Attributes": [{"A": "a"}]},
        {"Attributes": [{"A": "b"}, {"A": "a"}]},
        [(EXTRA, ("Attributes",), ("Attributes",), [{"A": "a"}], [{"A": "b"}, {"A": "a"}], ({"A": "b"},))],
    ),
    (
        {"Attributes": [{"A": "a"}]},
        {"Attributes": [{"A": "b"}]},
        [(ITEMS, ("Attributes",), ("Attributes",), [{"A": "a"}], [{"A": "b"}], ())],
    ),
    (
        {"Objects": [{"A": "a"}]},
        {"Objects": [{"A": "b"}]},
        [(CHANGED, ("Objects", "*", "A"), ("Objects", 0, "A"), "a", "b", ())],
    ),
    ({"Lower": "ABC"}, {"Lower": "abc"}, []),
    ({"Lower": "ABC"}, {"Lower": "abd"}, [(CHANGED, ("Lower",), ("Lower",), "ABC", "abd", ())]),
    ("text", {"Title": "a"}, [(CHANGED, (), (), "text", {"Title": "a"}, ())]),
]


@pytest.mark.parametrize(("requested", "actual", "expected"), CASES)
def test_differences_from_a_request(requested, actual, expected):
    found = compare_request(schema(), requested, actual)
    assert [(each.kind, each.path, each.place, each.expected, each.actual, each.spare) for each in found] == expected


def test_a_difference_as_a_report_shows_it():
    (found,) = compare_request(schema(), {"Objects": [{"A": "a"}]}, {"Objects": [{"A": "b"}]})
    assert (found.difference.pointer, found.difference.expected, found.difference.actual) == ("/Objects/0/A", "a", "b")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(1, 1.0, True), (True, 1, False), (1, True, False), (True, True, True), ("1", 1, False), (None, None, True)],
)
def test_equality_of_json(one, other, same):
    assert same_scalar(one, other) is same


def shown(differences):
    return [(each.pointer, each.expected, each.actual) for each in differences]


def test_what_a_model_lacks_that_another_has():
    fuller = {
        "Title": "a",
        "Size": None,
        "Password": "x",
        "Old": "x",
        "Hidden": {"X": "x", "Y": "y"},
        "Objects": [{"A": "a", "B": 1}, {"A": "b"}],
        "Steps": ["aa", "bb"],
        "Kind": "small",
    }
    model = {"Hidden": {"Y": None}, "Objects": [{"B": 2}, {"A": "x"}], "Steps": ["aa"], "Kind": "large"}
    assert shown(lacking(schema(), fuller, model)) == [
        ("/Title", "a", ABSENT),
        ("/Hidden/Y", "y", ABSENT),
        ("/Objects/0/A", "a", ABSENT),
    ]
    assert lacking(schema(), model, model) == lacking(schema(), [1], {}) == []


def test_defaults_that_are_not_returned():
    found = schema()
    defaults = SchemaDefaults(found)
    assert shown(absent_defaults(found, defaults, {}, {})) == [("/Size", 3, ABSENT)]
    assert absent_defaults(found, defaults, {"Size": 5}, {}) == absent_defaults(found, defaults, {}, {"Size": 3}) == []
    requested = {"Size": 3, "Object": {"A": "a"}}
    assert shown(absent_defaults(found, defaults, requested, {"Object": {"A": "a"}})) == [("/Object/B", 7, ABSENT)]
    for model in ({}, {"Object": None}, {"Object": "text"}, {"Object": {"B": 7}}):
        assert absent_defaults(found, defaults, requested, model) == []
    hidden = schema(writeOnlyProperties=["/properties/Size"])
    assert absent_defaults(hidden, SchemaDefaults(hidden), {}, {}) == []


# ── Models by path ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_values_are_put_into_copies():
    model = {"A": {"B": 1}, "C": 5}
    assert with_value(model, ("A", "D"), 2) == {"A": {"B": 1, "D": 2}, "C": 5}
    assert with_value(model, ("C", "D", "E"), 2) == {"A": {"B": 1}, "C": {"D": {"E": 2}}}
    assert with_value(model, ("X",), None) == {**model, "X": None}
    assert model == {"A": {"B": 1}, "C": 5}


def test_objects_that_are_emptied_go_too():
    model = {"A": {"B": {"C": 1}}, "D": {"E": 1, "F": 2}, "G": {}}
    assert without(model, ("A", "B", "C")) == {"D": {"E": 1, "F": 2}, "G": {}}
    assert without(model, ("D", "E")) == {"A": {"B": {"C": 1}}, "D": {"F": 2}, "G": {}}
    for path in (("X",), ("X", "Y"), ("D", "E", "F"), ("A", "X", "C")):
        assert without(model, path) == model
    assert without(model, ("G",)) == {"A": {"B": {"C": 1}}, "D": {"E": 1, "F": 2}}


def test_parts_of_models():
    model = {"A": {"B": 1, "C": 2}, "D": None}
    assert only(model, [("A", "B"), ("D",), ("X",), ("A", "X")]) == {"A": {"B": 1}, "D": None}
    assert [
        below_any(path, [("A",), ("B", "C"), ()]) for path in ((), ("A",), ("A", "X"), ("B",), ("B", "C"), "X")
    ] == [*(False, True, True, False, True, False)]


@pytest.mark.parametrize(
    ("model", "identity"),
    [
        ({"Parent": "p", "Name": "n", "Title": "t"}, '["p", "n"]'),
        *((each, None) for each in ({"Parent": "p"}, {"Parent": "p", "Name": ""}, {"Parent": None, "Name": "n"})),
        *((each, None) for each in ({}, None, [], "text")),
        ({"Parent": 0, "Name": False}, "[0, false]"),
    ],
)
def test_the_primary_identifier_as_one_text(model, identity):
    assert identity_of(composite(), model) == identity
    assert has_identifier(composite(), model) is (identity is not None)
    assert identity_by((), model) is None
