"""A hook's type configuration: CloudFormation's own settings around the properties, and the properties."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.documents import DocumentFormat, parse_document
from support.hooks import hook_schema

SCHEMA = hook_schema(Algorithm={"type": "string", "enum": ["AES256", "aws:kms"]}, Count={"type": "integer"})


def envelope(**settings):
    return {"CloudFormationConfiguration": {"HookConfiguration": settings}}


def found(value):
    document = parse_document(json.dumps(value), name="configuration.json", format=DocumentFormat.JSON)
    return [(each.code, each.location.pointer) for each in SCHEMA.validate_configuration(document)]


INNER = "/CloudFormationConfiguration/HookConfiguration"
TARGET = {"TargetNames": ["AWS::S3::*"], "Actions": ["CREATE"], "InvocationPoints": ["PRE_PROVISION"]}


@pytest.mark.parametrize(
    "settings",
    [
        {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}},
        {"TargetStacks": "NONE", "FailureMode": "WARN", "Properties": {"Algorithm": "AES256", "Count": 3}},
        {"TargetStacks": "ALL"},
        {"HookInvocationStatus": "ENABLED", "TargetOperations": ["STACK", "RESOURCE"], "FailureMode": "FAIL"},
        {"HookInvocationStatus": "DISABLED", "TargetFilters": TARGET, "Properties": {}},
        {"TargetFilters": {"Targets": [TARGET, {"TargetName": "AWS::SQS::Queue", "Action": "UPDATE"}]}},
        {"StackFilters": {"FilteringCriteria": "ANY", "StackNames": {"Include": ["a"]}, "StackRoles": {"Exclude": []}}},
        {"EncryptionConfiguration": {"KmsKeyId": "arn:aws:kms:eu-west-1:123456789012:key/k"}},
    ],
)
def test_sound_configurations(settings):
    assert found(envelope(**settings)) == []


def test_the_properties_alone():
    assert found({"Algorithm": "AES256"}) == []
    assert found({"Algorithm": "ROT13"}) == [("model.not-allowed", "/Algorithm")]


@pytest.mark.parametrize(
    ("settings", "pointer"),
    [
        ({"TargetStacks": "SOME"}, "/TargetStacks"),
        ({"FailureMode": "IGNORE"}, "/FailureMode"),
        ({"HookInvocationStatus": True}, "/HookInvocationStatus"),
        ({"TargetOperations": ["STACKS"]}, "/TargetOperations/0"),
        ({"TargetFilters": {"TargetNames": ["AWS::S3::Bucket::Policy::X"]}}, "/TargetFilters/TargetNames/0"),
        ({"TargetFilters": {"Actions": ["READ"]}}, "/TargetFilters/Actions/0"),
        ({"TargetFilters": {"Actions": ["CREATE"], "Targets": [TARGET]}}, "/TargetFilters/Actions"),
        ({"TargetFilters": {"Targets": [{"Names": []}]}}, "/TargetFilters/Targets/0/Names"),
        ({"TargetFilters": {"TargetNames": ["AWS::S3::Bucket"] * 51}}, "/TargetFilters/TargetNames"),
        ({"StackFilters": {"StackNames": {"Include": ["a"]}}}, "/StackFilters"),
        ({"TargetStack": "ALL"}, "/TargetStack"),
        ({"Properties": {"Algorithm": 3}}, "/Properties/Algorithm"),
        ({"Properties": {"Algorithms": "AES256"}}, "/Properties/Algorithms"),
        ({"Properties": []}, "/Properties"),
    ],
)
def test_what_is_refused(settings, pointer):
    codes = found(envelope(**settings))
    assert INNER + pointer in {place for _, place in codes}, codes


@pytest.mark.parametrize(
    "value",
    [
        {"CloudFormationConfiguration": {}},
        {"CloudFormationConfiguration": []},
        {"CloudFormationConfiguration": {"HookConfiguration": "ALL"}},
        {"CloudFormationConfiguration": {"HookConfiguration": {}, "FailureMode": "FAIL"}},
        {"CloudFormationConfiguration": {"HookConfiguration": {}}, "FailureMode": "FAIL"},
    ],
)
def test_an_envelope_of_another_form(value):
    """The guide's own command line puts FailureMode outside HookConfiguration, where nothing reads it."""
    assert ("model.hook-configuration", "") in found(value)


def test_the_limit_of_what_is_stored():
    assert found(envelope(Properties={"Algorithm": "x" * 300 * 1024}))[0][0] == "model.too-large"


def test_no_message_quotes_a_value():
    value = envelope(FailureMode="canary-of-a-mode", Properties={"Algorithm": "canary-of-a-secret", "Count": "canary"})
    document = parse_document(json.dumps(value), name="configuration.json", format=DocumentFormat.JSON)
    for each in SCHEMA.validate_configuration(document):
        assert "canary-of-a-secret" not in each.message + str(each.expected)


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["TargetStacks", "TargetFilters", "Targets", "Properties", "x"]), inner, max_size=3))  # fmt: skip


@given(JSON)
def test_any_settings_are_judged(value):
    found({"CloudFormationConfiguration": {"HookConfiguration": value}})
    found({"CloudFormationConfiguration": value})
