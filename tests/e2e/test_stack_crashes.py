"""Kill -9 in the middle of operations on a stack: whoever comes next brings them to their right end.

One stack lives through it all: each process finishes what the one before it left, tells what has come of it, begins the
next operation, and dies in it.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

LIFE = Path(__file__).parents[1] / "support" / "stack_life.py"
NAMES = [f"n{number}" for number in range(6)]


def template(names, color):
    """A tree of things: each waits for the one at half its number."""
    resources = {
        f"R{number}": {
            "Type": "Acme::Web::Thing",
            "Properties": {"Name": name, "Color": color},
            **({"DependsOn": f"R{number // 2}"} if number else {}),
        }
        for number, name in enumerate(names)
    }
    return json.dumps({"Resources": resources})


FIRST = template(NAMES, "red")
CHANGED = template(NAMES, "blue")
REPLACED = template([name.upper() for name in NAMES], "blue")
FEWER = template([name.upper() for name in NAMES[:3]], "green")

# What is done, at which call of a handler the process dies, and what the next one finds.
STORY = [
    ("create", FIRST, ("before-create", 1), "CREATE_COMPLETE", NAMES),
    ("update", CHANGED, ("after-update", 2), "UPDATE_COMPLETE", NAMES),
    ("update", REPLACED, ("after-create", 3), "UPDATE_COMPLETE", [name.upper() for name in NAMES]),
    ("update", FEWER, ("after-delete", 1), "UPDATE_COMPLETE", [name.upper() for name in NAMES[:3]]),
    ("update", FIRST, ("before-delete", 1), "UPDATE_COMPLETE", NAMES),
    ("delete", None, ("after-delete", 4), "DELETE_COMPLETE", []),
    ("create", CHANGED, ("after-create", 6), "CREATE_COMPLETE", NAMES),
    ("delete", None, ("before-delete", 2), "DELETE_COMPLETE", []),
]


def live(folder, **story):
    """Run a process; the lines of JSON that it told, and whether it was killed."""
    command = [sys.executable, str(LIFE), str(folder), json.dumps(story)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in {0, -9}, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode != 0


def play(folder, story, **more):
    expected = None
    for do, text, die, status, names in [*story, ("", None, None, None, None)]:
        told, killed = live(folder, do=do, template=text, die=die, **more)
        assert killed == (die is not None)
        if expected is not None:
            found = told[0]
            assert (found["status"], found["things"]) == (expected[0], sorted(expected[1]))
            assert found["told twice"] == []
        expected = status, names


def test_a_stack_that_is_killed_in_every_operation(tmp_path):
    play(tmp_path, STORY)


def nested(color):
    """Two nested stacks of three things each, and a thing that waits for them."""
    child = {"Type": "AWS::CloudFormation::Stack"}
    resources = {
        name: {**child, "Properties": {"TemplateURL": "s3://b/child", "Parameters": {"Prefix": name, "Color": color}}}
        for name in "AB"
    }
    last = {"Type": "Acme::Web::Thing", "DependsOn": ["A", "B"], "Properties": {"Name": "last", "Color": color}}
    return json.dumps({"Resources": {**resources, "Last": last}})


CHILD = {
    "Parameters": {"Prefix": {"Type": "String"}, "Color": {"Type": "String"}},
    "Resources": {
        f"R{number}": {
            "Type": "Acme::Web::Thing",
            "Properties": {"Name": {"Fn::Sub": f"${{Prefix}}-${{Color}}-{number}"}, "Color": {"Ref": "Color"}},
        }
        for number in range(3)
    },
}


def names(color):
    return ["last", *(f"{prefix}-{color}-{number}" for prefix in "AB" for number in range(3))]


def test_nested_stacks_that_are_killed(tmp_path):
    story = [
        ("create", nested("red"), ("after-create", 4), "CREATE_COMPLETE", names("red")),
        ("update", nested("blue"), ("before-create", 5), "UPDATE_COMPLETE", names("blue")),
        ("update", nested("red"), ("after-delete", 3), "UPDATE_COMPLETE", names("red")),
        ("delete", None, ("after-delete", 2), "DELETE_COMPLETE", []),
    ]
    play(tmp_path, story, templates={"s3://b/child": json.dumps(CHILD)})


@pytest.mark.slow
def test_a_stack_that_is_killed_anywhere(tmp_path):
    random_story = random.Random(11)
    story = [("create", FIRST, ("before-create", random_story.randint(1, 6)), "CREATE_COMPLETE", NAMES)]
    for turn in range(150):
        text = (CHANGED, REPLACED, FEWER, FIRST)[turn % 4]
        names = (NAMES, [n.upper() for n in NAMES], [n.upper() for n in NAMES[:3]], NAMES)[turn % 4]
        point = f"{random_story.choice(['before', 'after'])}-{'update' if turn % 4 == 0 else 'create' if turn % 2 else 'delete'}"
        story.append(("update", text, (point, random_story.randint(1, 3)), "UPDATE_COMPLETE", names))
    play(tmp_path, story)
