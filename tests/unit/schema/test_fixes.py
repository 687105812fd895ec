"""Certain mends: made, and nothing else touched."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.documents.json_edit import Insert, Remove, Rename, Replace, edit_json
from formwork.documents.yaml_edit import edit_yaml
from formwork.extensions import ExtensionKind
from formwork.schema import validate_schema
from formwork.schema.fixes import fix_schema
from support.faults import FAULTS, GONE, RESOURCE, seed_fault

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)

N = "/properties/Name"
MENDED = [
    {"/properties/Mode/type": GONE},
    {"/primaryIdentifier": GONE, "/identifiers": [["/properties/Id"]]},
    {"/primaryIdentifier": GONE, "/additionalIdentifiers": GONE, "/identifiers": ["/properties/Id", "/properties/Arn"]},
    {"/additionalIdentifiers": ["/properties/Arn"]},
    {"/additionalProperties": GONE},
    {"/primaryIdentifier": ["Id"]},
    {"/primaryIdentifier": ["#/properties/Id"]},
    {"/required": ["Name", "Name"]},
    {"/handlers/read/timeoutInMinutes": 60},
    {"/taggable": True},
    {"/definitions/Tag/additionalProperties": GONE},
    {"/properties/Labels/additionalProperties": GONE},
    {"/handlers/create/timeoutInMinutes": GONE, "/handlers/create/timeoutinMinutes": 30},
    {"/tagging/taggable": "true"},
    {"/handlers/create/timeoutInMinutes": "30", "/properties/Size/minimum": "1"},
    {"/properties/Tags/insertionOrder": "false", "/properties/Tags/uniqueItems": "true"},
]


@pytest.mark.parametrize("changes", MENDED, ids=str)
@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_mended(changes, indent):
    text = json.dumps(seed_fault(RESOURCE, changes), indent=indent)
    fixed = fix_schema(parse_document(text, name="x.json"))
    assert fixed.fixed
    assert validate_schema(parse_document(fixed.text, name="x.json"), kind=ExtensionKind.RESOURCE) == []
    assert (fixed.text.count("\n") == 0) == (indent is None)


def test_nothing_is_changed_without_need():
    text = json.dumps(RESOURCE, indent=3)
    assert fix_schema(parse_document(text, name="x.json")).text == text
    doubtful = json.dumps(seed_fault(RESOURCE, {f"{N}/type": "strin", "/taggable": False}), indent=1)
    assert fix_schema(parse_document(doubtful, name="x.json")).text == doubtful


@pytest.mark.parametrize("changes", MENDED, ids=str)
@pytest.mark.parametrize("flow", [None, False, True], ids=["mixed", "block", "flow"])
@pytest.mark.parametrize("indent", [2, 4])
def test_mended_in_yaml(changes, flow, indent):
    value = seed_fault(RESOURCE, changes)
    plain = yaml.safe_dump(value, default_flow_style=flow, indent=indent, sort_keys=False, width=200)
    text = _comment(plain) if flow is False else plain
    fixed = fix_schema(parse_document(text, name="x.yaml"))
    assert fixed.text.count("# note") == text.count("# note") - _removed_notes(changes, flow)
    left = {each.code for each in fixed.left}
    assert left <= {"schema.legacy-identifiers"}, fixed.left  # a list in block style that would have to be rewritten
    found = validate_schema(parse_document(fixed.text, name="x.yaml"), kind=ExtensionKind.RESOURCE)
    assert {each.code for each in found} == left
    assert bool(fixed.fixed) == (not left)


def _comment(text):
    return "# note at the top\n" + "".join(f"{line}  # note {n}\n" for n, line in enumerate(text.splitlines()))


def _removed_notes(changes, flow):
    """The notes that go with the lines that are removed."""
    removed = {"/required", "/handlers/read/timeoutInMinutes", "/taggable"}
    return len(changes.keys() & removed) if flow is False else 0


YAML_MENDS = [
    ("type: object\n", "type: object\nadditionalProperties: false\n"),
    ("properties:\n  A: {type: string}\n", "additionalProperties: false\nproperties:\n  A: {type: string}\n"),
    ("{type: object, }", "{type: object, additionalProperties: false, }"),
    ("{}", "{additionalProperties: false}"),
    ('{\n  "a": 1\n}', '{\n  "a": 1,\n  additionalProperties: false\n}'),
    ("a: 1 # why\nb: [1,\n  2]", "a: 1 # why\nadditionalProperties: false\nb: [1,\n  2]"),
    ("a: |\n  text\n  more\n", "additionalProperties: false\na: |\n  text\n  more\n"),
    ("? a\n: 1\n", None),
    ("a: 1\r\nb: 2\r\n", "a: 1\r\nb: 2\nadditionalProperties: false\r\n"),
    ("a: 'x' # \u2028\n", "a: 'x' # \u2028\nadditionalProperties: false\n"),
]


@pytest.mark.parametrize(("text", "mended"), YAML_MENDS)
def test_insertions_in_yaml(text, mended):
    changed = edit_yaml(parse_document(text, name="x.yaml"), [Insert((), "additionalProperties", False)])
    assert (changed and changed.text) == mended


@pytest.mark.parametrize(
    ("text", "edit", "mended"),
    [
        ("a: [x, x] # c", Remove(("a", 1)), "a: [x] # c"),
        ("a: [x, y]", Remove(("a", 0)), "a: [y]"),
        ("a: [x]", Remove(("a", 0)), "a: []"),
        ("a:\n- x # one\n- x # two\nb: 1\n", Remove(("a", 1)), "a:\n- x # one\nb: 1\n"),
        ("a:\n  - x\n  - x", Remove(("a", 1)), "a:\n  - x"),
        ("a:\n- x\n", Remove(("a", 0)), None),
        ("- a: 1\n  b: 2\n", Remove((0, "a")), None),
        ("- a: 1\n  b: 2\n", Remove((0, "b")), "- a: 1\n"),
        ("a: &x 'true'\nb: *x\n", Replace(("a",), True), None),
        ("a: &x true\nb: *x\n", Replace(("b",), 3), None),
        ("a: 'true' # c\n", Replace(("a",), True), "a: true # c\n"),
        ("a: >\n  true\n", Replace(("a",), True), None),
        ("a: x\n", Replace(("a",), "yes"), 'a: "yes"\n'),
        ("a: x\n", Replace(("a",), {"b": [1, "c d"]}), 'a: {b: [1, "c d"]}\n'),
        ("a:\n- x\n", Replace(("a",), ["y"]), None),
        ('"a": 1\n', Rename(("a",), "b"), "b: 1\n"),
        ("<<: &m {a: 1}\nb: 2\n", Rename(("a",), "c"), "<<: &m {c: 1}\nb: 2\n"),
        ("x: &m {a: 1}\ny: {<<: *m}\n", Rename(("y", "a"), "c"), None),
        ("a: 1\n", Remove(("b",)), None),
        ("a: 1\n", Insert((), "a", 2), None),
    ],
)
def test_edits_in_yaml(text, edit, mended):
    changed = edit_yaml(parse_document(text, name="x.yaml"), [edit])
    assert (changed and changed.text) == mended


def test_what_an_alias_shares_is_mended_for_all_or_told():
    shared = {"description": "d", "type": "object", "properties": {"A": {"description": "d", "type": "string"}}}
    changes = {"/properties/New": shared, "/properties/Other": shared, "/taggable": True}
    text = yaml.safe_dump(seed_fault(RESOURCE, changes), sort_keys=False)
    assert "*id" in text
    fixed = fix_schema(parse_document(text, name="x.yaml"))
    found = validate_schema(parse_document(fixed.text, name="x.yaml"))
    assert {each.code for each in found} == {"schema.nested-properties"}
    assert fixed.text.count("additionalProperties: false") == text.count("additionalProperties: false") + 1

    example = seed_fault(RESOURCE, {**changes, "/properties/Labels/examples": [shared]})
    fixed = fix_schema(parse_document(yaml.safe_dump(example, sort_keys=False), name="x.yaml"))
    assert [each.code for each in fixed.fixed] == ["schema.taggable-deprecated"]
    assert {each.code for each in fixed.left} == {"schema.undeclared-members"}


@given(st.data())
def test_an_edit_of_yaml_means_what_it_says_or_is_not_made(data):
    value = data.draw(st.dictionaries(st.text(max_size=4), VALUES, min_size=1))
    text = yaml.dump(value, default_flow_style=data.draw(st.sampled_from([None, True, False])), allow_unicode=True)
    try:
        document = parse_document(text, name="x.yaml")
    except BadInputError:
        return  # PyYAML writes some texts that it means otherwise than YAML 1.2 does
    if not isinstance(document.value, dict):
        return
    name = data.draw(st.sampled_from(sorted(document.value)))
    new = data.draw(VALUES)
    for edit, wanted in (
        (Replace((name,), new), {**document.value, name: new}),
        (Remove((name,)), {key: each for key, each in document.value.items() if key != name}),
        (Insert((), "a new one", new), {**document.value, "a new one": new}),
    ):
        changed = edit_yaml(document, [edit])
        assert changed is None or changed.value == wanted


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_fixing_never_adds_faults(fault):
    document = parse_document(json.dumps(fault.schema, indent=1), name="x.json")
    before = validate_schema(document, kind=ExtensionKind.from_noun(fault.base))
    after = validate_schema(
        parse_document(fix_schema(document).text, name="x.json"), kind=ExtensionKind.from_noun(fault.base)
    )
    assert len(after) <= len(before)


@given(st.dictionaries(st.text(max_size=4), VALUES, min_size=1), st.sampled_from([None, 1, 2, "\t"]), st.data())
def test_edits_do_what_they_say(value, indent, data):
    text = json.dumps(value, indent=indent)
    name = data.draw(st.sampled_from(sorted(value)))
    new = data.draw(VALUES)
    assert json.loads(edit_json(text, [Replace((name,), new)])) == {**value, name: new}
    assert json.loads(edit_json(text, [Remove((name,))])) == {key: each for key, each in value.items() if key != name}
    assert json.loads(edit_json(text, [Insert((), "a new one", new)])) == {**value, "a new one": new}
    renamed = json.loads(edit_json(text, [Rename((name,), "a new one")]))
    assert renamed == {"a new one" if key == name else key: each for key, each in value.items()}
    assert edit_json(text, [Remove(("nowhere", "at", "all"))]) == text
