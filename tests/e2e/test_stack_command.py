"""`cfn stack`: deploy, diff, drift and delete, as a user types them."""

import json
import os
import subprocess

import pytest

from support.commands import CFN
from support.registry import THING
from support.serving import serving

TEMPLATE = """
Parameters:
  Name: {Type: String, Default: one}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Name}}
  Parameter: {Type: AWS::SSM::Parameter, Properties: {Type: String, Value: !GetAtt Topic.TopicName}}
Outputs:
  Topic: {Value: !GetAtt Topic.TopicName}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("stacks")) as running:
        yield running


@pytest.fixture
def stack(server, tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE)
    credentials = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "NO_COLOR": "1"}

    def run(verb, *words):
        command = [CFN, "stack", verb, *words, "--endpoint-url", server.url, "--region", "us-east-1"]
        environment = {**os.environ, **credentials}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_a_stack_from_the_command_line(stack, tmp_path):
    compared = stack("diff", "shop", "template.yml")
    assert (compared.returncode, compared.stdout.splitlines()) == (
        1,
        ["Add Parameter (AWS::SSM::Parameter)", "Add Topic (AWS::SNS::Topic)"],
    )
    made = stack("deploy", "shop", "template.yml")
    assert (made.returncode, made.stdout.splitlines()) == (0, ["shop: CREATE_COMPLETE", "Topic = one"]), made.stderr
    assert "Topic  CREATE_COMPLETE  AWS::SNS::Topic" in made.stderr
    assert stack("deploy", "shop", "template.yml").stdout == "shop is what the template says already\n"
    assert stack("drift", "shop").returncode == 0

    changed = stack("diff", "shop", "template.yml", "--parameter", "Name=two")
    assert changed.returncode == 1
    assert (
        'Modify Topic (AWS::SNS::Topic), replacement: True\n    /Properties/TopicName: "one" → "two"' in changed.stdout
    )
    assert "Topic = two" in stack("deploy", "shop", "template.yml", "--parameter", "Name=two").stdout
    assert "shop   UPDATE_COMPLETE" in stack("list").stdout
    assert stack("events", "shop").stdout.count("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS") == 1
    assert stack("delete", "shop").stdout == "shop: DELETE_COMPLETE\n"
    assert stack("delete", "shop").stdout == "there is no stack shop\n"


def test_what_is_wrong_with_a_template_has_a_place(stack, tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE.replace("!Ref Name", "!Ref Nam"))
    refused = stack("deploy", "other", "template.yml")
    assert refused.returncode == 1
    assert "template.yml:5" in refused.stderr
    (tmp_path / "template.yml").write_text(json.dumps({"Resources": {"A": {"Type": THING}}}))
    unknown = stack("deploy", "other", "template.yml")
    assert unknown.returncode == 1
    assert f"Unrecognized resource types: [{THING}]" in unknown.stderr
    assert stack("deploy", "other", "template.yml", "--parameter", "nonsense").returncode == 2
