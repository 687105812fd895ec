"""Schemas of hook targets from a registry: what is asked, what is told, and that nobody there is no failure."""

import argparse
import io
import json
import sys

import pytest

from formwork.api.wire import ApiError
from formwork.cli.target_schemas import fetch_named, fetch_targets
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import BadInputError, EnvironmentProblemError, Severity, UsageError
from formwork.documents import DocumentFormat, parse_document
from formwork.project.targets import missing_targets, resource_targets
from formwork.schema import load_hook_schema
from support.describe_type import serve_types

BOX = {"typeName": "Acme::Store::Box", "properties": {"Name": {"type": "string"}}, "description": "A box."}


@pytest.fixture(autouse=True)
def _nobody(monkeypatch, tmp_path):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("FORMWORK_STATE", str(tmp_path / "state"))  # no server of another
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))


def hook(*targets):
    value = {
        "typeName": "Acme::Store::Guard",
        "description": "A guard.",
        "typeConfiguration": {"properties": {}, "additionalProperties": False},
        "handlers": {"preCreate": {"targetNames": list(targets), "permissions": []}},
        "additionalProperties": False,
    }
    loaded = load_hook_schema(parse_document(json.dumps(value), name="guard.json", format=DocumentFormat.JSON))
    assert loaded.schema is not None, loaded.diagnostics
    return loaded.schema


def quiet_output():
    return CommandOutput(out=io.StringIO(), err=io.StringIO(), colour=False, interactive=False)


def options(**more):
    given = {"local_only": False, "offline": False, "local": False, "endpoint_url": None, "region": None, "schemas": []}
    return argparse.Namespace(**{**given, "profile": None, **more})


def fetch(schema, known=(), **more):
    return fetch_targets(schema, dict.fromkeys(known), options(**more), quiet_output())


def test_what_is_missing():
    schema = hook("Acme::Store::Box", "Acme::Cellar::*", "Acme::Store::B?x", "STACK", "CHANGE_SET")
    targets = resource_targets(schema)
    assert missing_targets(targets, {"Acme::Store::Box": {}}) == ["Acme::Cellar::*"]
    assert missing_targets(targets, {}) == ["Acme::Cellar::*", "Acme::Store::B?x", "Acme::Store::Box"]


def test_the_registry_is_asked_for_what_is_missing_only():
    with serve_types({("Acme::Store::Box", None): {"Schema": json.dumps(BOX)}}) as (url, seen):
        found = fetch(hook("Acme::Store::Box", "Acme::Store::Lid"), ["Acme::Store::Lid"], endpoint_url=url)
        assert fetch(hook("Acme::Store::Lid", "STACK"), ["Acme::Store::Lid"], endpoint_url=url).schemas == {}
    assert (found.schemas, found.diagnostics) == ({"Acme::Store::Box": BOX}, ())
    assert [each[:2] for each in seen] == [("DescribeType", {"TypeName": "Acme::Store::Box", "Type": "RESOURCE"})]


@pytest.mark.parametrize("answer", [None, {"TypeName": "Acme::Store::Box"}, {"Schema": "[]"}, {"Schema": "{"}])
def test_a_type_that_is_not_to_be_had(answer):
    answers = {} if answer is None else {("Acme::Store::Box", None): answer}
    with serve_types(answers) as (url, _), pytest.raises(BadInputError, match="Acme::Store::Box") as raised:
        fetch(hook("Acme::Store::Box"), endpoint_url=url)
    assert "--target-schemas" in raised.value.diagnostics[0].hint


def test_a_registry_that_was_named_must_answer():
    refused = {("Acme::Store::Box", None): ApiError("AccessDenied", "not you", status=403)}
    with serve_types(refused) as (url, _), pytest.raises(EnvironmentProblemError, match="not you"):
        fetch(hook("Acme::Store::Box"), endpoint_url=url)
    with pytest.raises(EnvironmentProblemError, match="cannot be asked"):
        fetch(hook("Acme::Store::Box"), endpoint_url=url)
    with pytest.raises(EnvironmentProblemError, match="no AWS credentials"):
        fetch(hook("Acme::Store::Box"), region="eu-west-1")


def test_without_aws_a_warning_says_how_to_go_on(monkeypatch):
    found = fetch(hook("Acme::Store::Box"))
    monkeypatch.setitem(sys.modules, "boto3", None)
    without = fetch(hook("Acme::Store::Box"))
    for each, why in ((found, "no AWS region"), (without, "boto3 is not installed")):
        (told,) = each.diagnostics
        assert (each.schemas, told.severity) == ({}, Severity.WARNING)
        assert "Acme::Store::Box" in told.message
        assert why in told.message
        assert "--local-only" in told.hint


@pytest.mark.parametrize("quiet", ["local_only", "offline"])
def test_nobody_is_asked(quiet):
    with serve_types({}) as (url, seen):
        found = fetch(hook("Acme::Store::Box"), endpoint_url=url, **{quiet: True})
    assert (found.schemas, seen) == ({}, [])
    assert [each.severity for each in found.diagnostics] == [Severity.WARNING]


def test_urls_that_are_not_fetched():
    output = quiet_output()
    with pytest.raises(UsageError, match="--offline"):
        fetch_named(options(offline=True), output)("https://schemas.example.com/a.json")
    with pytest.raises(EnvironmentProblemError, match="cannot be fetched"):
        fetch_named(options(), output)("https://127.0.0.1:1/a.json")
    for url in ("s3://bucket/a.json", "s3://", "s3://["):
        with pytest.raises(EnvironmentProblemError, match="cannot be fetched"):
            fetch_named(options(endpoint_url="http://127.0.0.1:1"), output)(url)


def test_an_installed_cfn_lint_has_the_schemas_of_awss_types():
    found = fetch(hook("AWS::SNS::Topic"), local_only=True)
    assert (list(found.schemas), found.diagnostics) == (["AWS::SNS::Topic"], ())
    assert found.schemas["AWS::SNS::Topic"]["typeName"] == "AWS::SNS::Topic"


def test_a_registry_that_is_named_comes_before_cfn_lint():
    topic = {**BOX, "typeName": "AWS::SNS::Topic", "description": "The registry's."}
    with serve_types({("AWS::SNS::Topic", None): {"Schema": json.dumps(topic)}}) as (url, _):
        found = fetch(hook("AWS::SNS::Topic"), endpoint_url=url)
    assert found.schemas["AWS::SNS::Topic"]["description"] == "The registry's."


def test_wildcards_mean_the_types_on_this_machine_and_very_wide_ones_are_told():
    found = fetch(hook("AWS::SNS::Topic*", "AWS::*::*"), local_only=True)
    assert "AWS::SNS::TopicPolicy" in found.schemas
    assert all(name.startswith("AWS::SNS::Topic") for name in found.schemas)
    (told,) = found.diagnostics
    assert (told.code, told.severity) == ("project.target-too-wide", Severity.WARNING)
    assert 'the target "AWS::*::*" matches 1,' in told.message


def test_folders_come_before_the_registry_that_a_call_names(tmp_path):
    (tmp_path / "box.json").write_text(json.dumps(BOX), encoding="utf-8")
    with serve_types({}) as (url, seen):
        found = fetch(hook("Acme::Store::B*"), endpoint_url=url, schemas=[tmp_path])
    assert (found.schemas, seen) == ({"Acme::Store::Box": BOX}, [])
