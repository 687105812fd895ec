"""The SAM CLI and Sceptre, unmodified, against `cfn serve`; each in an environment of its own, made once."""

import functools
import hashlib
import json
import os
import subprocess
import sys

import pytest

from support.serving import serving
from support.typescript import CACHE

pytestmark = pytest.mark.slow
SAM = """
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Resources:
  Hello:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.handler
      Runtime: python3.12
      InlineCode: |
        def handler(event, context):
            return "hi"
Outputs:
  Name: {Value: !Ref Hello}
"""
TOPIC = """
Parameters: {Label: {Type: String}}
Resources:
  Topic: {Type: "AWS::SNS::Topic", Properties: {DisplayName: !Ref Label}}
"""


@functools.cache
def programs(requirement):
    """The folder of the programs of a package from the index."""
    home = CACHE / "clients" / hashlib.sha256(requirement.encode()).hexdigest()[:16]
    if not (home / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        pip = [home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
        subprocess.run(pip, check=True)
        (home / "made").touch()
    return home / "bin"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("clients"), forked=True) as running:
        yield running


@pytest.fixture
def run(server, tmp_path):
    """`run(program, …)`: its exit code and all that it said."""

    def command(*words):
        settings = {
            "AWS_ENDPOINT_URL": server.url,
            "AWS_ACCESS_KEY_ID": "111111111111",
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_DEFAULT_REGION": "us-east-1",
            "SAM_CLI_TELEMETRY": "0",
            "HOME": str(tmp_path),
        }
        own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        environment = {**own, **settings}
        ended = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        return ended.returncode, ended.stdout + ended.stderr

    return command


def test_the_sam_cli_deploys_and_deletes(server, run, tmp_path):
    (tmp_path / "template.yml").write_text(SAM)
    sam = programs("aws-sam-cli==1.170.0") / "sam"
    where = ("--stack-name", "hello", "--region", "us-east-1")
    capabilities = ("--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND")
    deploy = (sam, "deploy", "--template-file", "template.yml", *where, *capabilities, "--resolve-s3")
    code, said = run(*deploy)
    assert code == 0, said
    assert "Successfully created/updated stack - hello" in said
    assert "Successfully created!" in said  # the bucket for templates, by a stack that SAM keeps
    resources = server.client("cloudformation").list_stack_resources(StackName="hello")["StackResourceSummaries"]
    assert {each["ResourceType"] for each in resources} == {"AWS::IAM::Role", "AWS::Lambda::Function"}
    code, said = run(*deploy)
    assert "No changes to deploy. Stack hello is up to date" in said
    code, said = run(sam, "delete", *where, "--no-prompts")
    assert (code, "Deleted successfully" in said) == (0, True), said


def test_sceptre_launches_compares_and_deletes(server, run, tmp_path):
    (tmp_path / "config" / "dev").mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "shop.yaml").write_text(TOPIC)
    (tmp_path / "config" / "config.yaml").write_text("project_code: acme\nregion: us-east-1\n")

    def configure(label):
        config = {"template": {"path": "shop.yaml", "type": "file"}, "parameters": {"Label": label}}
        (tmp_path / "config" / "dev" / "shop.yaml").write_text(json.dumps(config))

    sceptre = programs("sceptre==4.7.0") / "sceptre"
    configure("red")
    code, said = run(sceptre, "launch", "-y", "dev/shop.yaml")
    assert (code, "CREATE_COMPLETE" in said) == (0, True), said
    configure("blue")
    code, said = run(sceptre, "diff", "dev/shop.yaml")
    assert "blue" in said, said
    code, said = run(sceptre, "launch", "-y", "dev/shop.yaml")
    assert (code, "UPDATE_COMPLETE" in said) == (0, True), said
    code, said = run(sceptre, "drift", "detect", "dev/shop.yaml")
    assert "IN_SYNC" in said, said
    code, said = run(sceptre, "delete", "-y", "dev/shop.yaml")
    assert code == 0, said
    assert server.client("cloudformation").list_stacks(StackStatusFilter=["UPDATE_COMPLETE"])["StackSummaries"] == []
