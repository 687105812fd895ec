"""The lines of a template with notes at their places."""

import json

import pytest

from formwork.console.views.template_lines import LineNote, template_lines

YAML = """# Orders
Resources:
  Store:
    Type: A::B::C
    Properties:
      Label: !Ref Label
      Password: secret
  Queue: {Type: A::B::C}
"""


def note(*path, text="because"):
    return LineNote(path, "bad", "CREATE_FAILED", text)


def noted(lines):
    return {each.number: [note.text for note in each.notes] for each in lines if each.notes}


def texts(lines):
    return [f"{each.before}{each.key}{each.rest}" for each in lines]


def test_notes_are_at_the_member_that_they_are_about():
    notes = [note("Resources", "Store"), note("Resources", "Store", "Properties", "Label", text="green")]
    lines = template_lines(YAML, YAML, notes)
    assert noted(lines) == {3: ["because"], 6: ["green"]}
    assert {each.number: each.resource for each in lines if each.resource} == {3: "Store", 8: "Queue"}
    assert texts(lines) == YAML.split("\n")


def test_a_path_that_leads_nowhere_is_noted_at_the_nearest_member_above():
    assert noted(template_lines(YAML, YAML, [note("Resources", "Store", "Properties", "Gone", 1)])) == {5: ["because"]}
    assert noted(template_lines(YAML, YAML, [note("Resources", "InAModule")])) == {2: ["because"]}


def test_a_mask_need_not_be_yaml():
    shown = YAML.replace("secret", "****")  # which would be an alias
    lines = template_lines(shown, YAML, [note("Resources", "Queue")])
    assert noted(lines) == {8: ["because"]}
    assert texts(lines) == shown.split("\n")


def test_a_secret_of_several_lines_leaves_the_lines_without_notes():
    original = YAML.replace("secret", '"a\n        b"')
    lines = template_lines(YAML.replace("secret", '"****"'), original, [note("Resources", "Queue")])
    assert noted(lines) == {}


def test_json_in_one_line_is_indented():
    template = {"Resources": {f"R{number}": {"Type": "A::B::C"} for number in range(30)}}
    text = json.dumps(template)
    lines = template_lines(text, text, [note("Resources", "R29")])
    assert texts(lines) == json.dumps(template, indent=2).split("\n")
    assert [each.number for each in lines if each.notes] == [each.number for each in lines if each.resource == "R29"]


@pytest.mark.parametrize("text", ["", "{", "a: [", "[]", "null", "Resources: 1", "Resources: {}"])
def test_what_is_not_a_template_is_shown_as_it_is(text):
    lines = template_lines(text, text, [note("Resources", "A")])
    assert texts(lines) == [text]
