"""template.yml as SAM reads it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.lambda_host.template import find_template, read_template

GENERATED = """
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Globals:
  Function:
    Timeout: 180
    MemorySize: 256
    Environment:
      Variables: {SHARED: global, BOTH: global}
Resources:
  TypeFunction:
    Type: AWS::Serverless::Function
    Properties:
      Handler: acme_store_thing.handlers.resource
      Runtime: python3.11
      CodeUri: build/
      Environment:
        Variables:
          BOTH: own
          NUMBER: 5
          FLAG: yes
          REGION: !Ref AWS::Region
          STAGE: !Ref Stage
          ROLE: !GetAtt Role.Arn
  TestEntrypoint:
    Type: AWS::Serverless::Function
    Properties:
      Handler: acme_store_thing.handlers.test_entrypoint
      Runtime: python3.11
      CodeUri: build/
      Timeout: "30"
  Role:
    Type: AWS::IAM::Role
Parameters:
  Stage: {Type: String, Default: beta}
"""


def read(text):
    return read_template(parse_document(text, name="template.yml", short_tags=True))


def test_the_template_that_projects_have():
    template = read(GENERATED)
    first, second = template.functions
    assert (first.name, first.handler, first.runtime) == (
        "TypeFunction",
        "acme_store_thing.handlers.resource",
        "python3.11",
    )
    assert (first.code_uri, first.timeout, first.memory_mb) == ("build/", 180, 256)
    assert first.environment == {
        "SHARED": "global",
        "BOTH": "own",
        "NUMBER": "5",
        "FLAG": "true",
        "REGION": "us-east-1",
        "STAGE": "beta",
    }
    assert (second.timeout, second.environment) == (30, {"SHARED": "global", "BOTH": "global"})
    (warning,) = template.diagnostics
    assert warning.severity is Severity.WARNING
    assert "ROLE" in warning.message
    assert warning.location.start.line == 24


def test_a_plain_lambda_function_has_no_globals_and_lambdas_defaults():
    template = read(
        "Globals: {Function: {Timeout: 99, Runtime: python3.9}}\n"
        "Resources: {F: {Type: AWS::Lambda::Function, Properties: {Handler: h.f, Runtime: python3.12, Code: src/}}}"
    )
    (function,) = template.functions
    assert (function.timeout, function.memory_mb, function.code_uri) == (3, 128, "src/")


@pytest.mark.parametrize(
    ("properties", "says", "line"),
    [
        ("{Runtime: python3.11}", "function F: Handler is missing", 3),
        ("{Handler: h.f}", "function F: Runtime is missing", 3),
        ("{Handler: h.f, Runtime: !GetAtt A.B}", "Runtime is not a known string", 3),
        ("{Handler: h.f, Runtime: python3.11, Timeout: 0}", "Timeout is 0", 3),
        ("{Handler: h.f, Runtime: python3.11, Timeout: soon}", 'Timeout is "soon"', 3),
        ("{Handler: h.f, Runtime: python3.11, MemorySize: 64}", "MemorySize is 64", 3),
        ("{Handler: h.f, Runtime: python3.11, MemorySize: yes}", "MemorySize is true", 3),
    ],
)
def test_what_is_wrong_is_named_with_its_place(properties, says, line):
    template = read(f"Resources:\n  F:\n    Properties: {properties}\n    Type: AWS::Serverless::Function\n")
    (diagnostic,) = template.diagnostics
    assert says in diagnostic.message
    assert diagnostic.severity is Severity.ERROR
    assert diagnostic.location.start.line == line


def test_a_number_that_a_stack_would_decide_has_a_default_here():
    text = """
Globals:
  Function: {MemorySize: !If [DebugMode, 1024, 512], Timeout: 20}
Resources:
  F: {Type: AWS::Serverless::Function, Properties: {Handler: h.f, Runtime: python3.11}}
"""
    template = read(text)
    (function,) = template.functions
    assert (function.memory_mb, function.timeout) == (128, 20)
    (found,) = template.diagnostics
    assert found.severity is Severity.WARNING
    assert found.message == "the Globals: MemorySize is unknown without a stack; 128 is used"
    assert found.location.start.line == 3


def test_what_cannot_run_here_is_left_out_with_a_word():
    template = read(
        "Resources:\n"
        "  Image: {Type: AWS::Serverless::Function, Properties: {PackageType: Image}}\n"
        "  Inline: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h.f, Runtime: python3.11}}\n"
    )
    assert template.functions == ()
    assert [each.message for each in template.diagnostics] == [
        "function Image is a container image: it cannot be run here",
        "function Inline is inline code: it cannot be run here",
    ]


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "Resources: []", "Resources: {F: 1}", "Globals: 1\nResources: {}", "Resources: {F: {Type: [1]}}"],
)
def test_no_shape_of_a_template_is_too_odd(text):
    assert read(text).functions == ()


def test_any_json_template_is_read_too():
    assert read(
        json.dumps(
            {
                "Resources": {
                    "F": {"Type": "AWS::Serverless::Function", "Properties": {"Handler": "h.f", "Runtime": "python3.9"}}
                }
            }
        )
    ).functions


def test_the_names_that_sam_knows(tmp_path):
    assert find_template(tmp_path) is None
    for name in ("template.json", "template.yaml", "template.yml"):
        (tmp_path / name).touch()
        assert find_template(tmp_path).name == name


WORDS = [
    "Resources",
    "Globals",
    "Function",
    "Type",
    "Properties",
    "Environment",
    "Variables",
    "AWS::Serverless::Function",
    "Ref",
    "Timeout",
    "Handler",
    "Runtime",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(WORDS),
    lambda each: st.lists(each) | st.dictionaries(st.text() | st.sampled_from(WORDS), each),
)


@given(JSON, JSON)
def test_any_template_is_read(anything, properties):
    function = {"Type": "AWS::Serverless::Function", "Properties": properties}
    for template in (anything, {"Resources": {"F": function}, "Globals": anything, "Parameters": anything}):
        read_template(parse_document(json.dumps(template), name="template.json"))


def test_what_the_globals_have_wrong_is_told_once_and_there():
    function = "{Type: AWS::Serverless::Function, Properties: {Handler: h.f, Runtime: python3.11}}"
    template = read(f"Globals:\n  Function:\n    Timeout: soon\nResources:\n  F: {function}\n  G: {function}\n")
    (diagnostic,) = template.diagnostics
    assert diagnostic.message == 'the Globals: Timeout is "soon"'
    assert diagnostic.location.pointer == "/Globals/Function/Timeout"
    assert diagnostic.location.start.line == 3
