"""Kill -9 in the middle of operations on nested stacks: nothing is lost, nothing is made twice, all go back together."""

import json

import pytest

from support import forked
from support.nested_life import URL, live


def template(color, *, broken=False):
    """Two nested stacks of three things each, and a thing that waits for them; a `broken` one can't be made."""
    properties = {"TemplateURL": URL, "Parameters": {"Color": color}}
    nested = {
        name: {
            "Type": "AWS::CloudFormation::Stack",
            "Properties": {**properties, "Parameters": {"Prefix": name, "Color": color}},
        }
        for name in "AB"
    }
    last = {"Name": "last", "Color": {"Fn::GetAtt": ["A", "Outputs.Nothing" if broken else "Outputs.Color"]}}
    return json.dumps(
        {"Resources": {**nested, "Last": {"Type": "Acme::Web::Thing", "DependsOn": "B", "Properties": last}}}
    )


def names(color):
    return sorted(["last", *(f"{prefix}-{color}-{number}" for prefix in "AB" for number in range(3))])


# What is done, and what the next process finds.
STORY = [
    (["create", template("red")], ["CREATE_COMPLETE", ["CREATE_COMPLETE"], names("red")]),
    (["update", template("blue")], ["UPDATE_COMPLETE", ["UPDATE_COMPLETE"], names("blue")]),
    (
        ["update", template("green", broken=True)],
        ["UPDATE_ROLLBACK_COMPLETE", ["UPDATE_ROLLBACK_COMPLETE"], names("blue")],
    ),
    (["delete", None], ["DELETE_COMPLETE", ["DELETE_COMPLETE"], []]),
]
# At which moment, the how-manieth time, each of them dies.
DEATHS = [
    [["after-create", 4], ["before-create", 5], ["undoing", 1], ["after-delete", 2]],
    pytest.param(
        [["before-create", 2], ["completing", 1], ["rolled-back", 2], ["removing", 1]], marks=pytest.mark.slow
    ),
    pytest.param(
        [["deployed", 2], ["cleaning-up", 2], ["rolled-back", 1], ["before-delete", 3]], marks=pytest.mark.slow
    ),
]


@pytest.fixture(scope="module")
def processes():
    return forked.processes()


@pytest.mark.parametrize("deaths", DEATHS, ids=lambda deaths: deaths[0][0])
def test_nested_stacks_that_are_killed(processes, tmp_path, deaths):
    expected = None
    for number, (turn, die, comes) in enumerate(
        [*((turn, die, comes) for (turn, comes), die in zip(STORY, deaths, strict=True)), (None, None, None)]
    ):
        report = tmp_path / f"{number}.json"
        process = processes.Process(target=live, args=(tmp_path / "state", turn, die, report))
        process.start()
        process.join(120)
        killed = process.exitcode
        if killed is None:
            process.kill()
        found = json.loads(report.read_text())
        if expected is not None:
            assert [found["status"], found["nested"], found["things"]] == expected, f"turn {number}"
        assert killed == (0 if die is None else -9), f"turn {number}, {die}"
        expected = comes
