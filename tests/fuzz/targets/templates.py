"""Templates: validated, summarized, and as change sets of a new stack and of one that exists.

An input is a template, or {"template": text or value, "parameters": {name: text}, "capabilities": [text]}.
"""

import contextlib
import itertools
import json
from pathlib import Path

from fuzz.envelopes import bytes_of, read_envelope, text_of
from fuzz.local_service import TEMPLATE, fresh_service
from support.recordings.service import Refused

ROOT = Path(__file__).parents[3]
CAPABILITIES = ["CAPABILITY_AUTO_EXPAND", "CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"]


@contextlib.contextmanager
def opened():
    numbers = itertools.count()
    with fresh_service(contextlib.nullcontext) as services:
        yield lambda data: check(services.current(), data, next(numbers))


def check(service, data, number=0):
    envelope = read_envelope(data, "template")
    text = data.decode("utf-8", "replace") if envelope is None else text_of(envelope["template"])
    given = {} if envelope is None else envelope.get("parameters", {})
    capabilities = CAPABILITIES if envelope is None else envelope.get("capabilities", CAPABILITIES)
    text = text.encode("utf-8", "replace").decode()  # a request is UTF-8
    capabilities = [text_of(each) for each in capabilities] if isinstance(capabilities, list) else CAPABILITIES
    body = {"TemplateBody": text}
    for name in ("ValidateTemplate", "GetTemplateSummary"):
        _call(service, name, body)
    request = {**body, "Capabilities": capabilities, "Parameters": _parameters(given)}
    for stack, kind in ((f"new-{number}", "CREATE"), ("shop", "UPDATE"), (f"imported-{number}", "IMPORT")):
        named = {"StackName": stack, "ChangeSetName": f"c-{number}"}
        if _call(service, "CreateChangeSet", {**request, **named, "ChangeSetType": kind}):
            _call(service, "DescribeChangeSet", {**named, "IncludePropertyValues": True})
            for stage in ("Original", "Processed"):
                _call(service, "GetTemplate", {**named, "TemplateStage": stage})


def _call(service, name, request):
    try:
        return service.call(name, request)
    except Refused:
        return None


def _parameters(given):
    if not isinstance(given, dict):
        return []
    texts = ((name, text_of(value).encode("utf-8", "replace").decode()) for name, value in given.items())
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in texts]


def seeds():
    yield json.dumps(TEMPLATE).encode()
    yield bytes_of({"template": TEMPLATE, "parameters": {"Name": "b"}, "capabilities": []})
    for path in sorted((ROOT / "tests" / "golden" / "template" / "evaluation").iterdir()):
        yield path.read_bytes()
    for path in (ROOT / "examples" / "library.yml", *sorted((ROOT / "examples").glob("*/resource-role.yaml"))):
        yield path.read_bytes()
    yield from (bytes_of(each) for each in (EVERYTHING, LANGUAGE, SERVERLESS))
    yield SHORT


EVERYTHING = {
    "Transform": [],
    "Metadata": {"a": {"Fn::Sub": "x"}},
    "Parameters": {
        "Number": {"Type": "Number", "Default": 3, "MinValue": 1, "MaxValue": 9},
        "List": {"Type": "CommaDelimitedList", "Default": "a,b", "AllowedValues": ["a", "b"]},
        "Zones": {"Type": "List<AWS::EC2::AvailabilityZone::Name>", "Default": "us-east-1a"},
        "Text": {"Type": "String", "Default": "ab", "AllowedPattern": "[a-z]+", "MinLength": 1, "MaxLength": "9"},
    },
    "Mappings": {"Map": {"us-east-1": {"A": "x", "B": ["y", 1]}}},
    "Conditions": {
        "Is": {"Fn::Equals": [{"Ref": "Text"}, "ab"]},
        "Both": {
            "Fn::And": [{"Condition": "Is"}, {"Fn::Not": [{"Fn::Or": [{"Condition": "Is"}, {"Condition": "Is"}]}]}]
        },
    },
    "Rules": {
        "R": {
            "RuleCondition": {"Fn::Equals": [{"Ref": "Text"}, "x"]},
            "Assertions": [{"Assert": {"Fn::Contains": [["ab"], {"Ref": "Text"}]}, "AssertDescription": "d"}],
        }
    },
    "Resources": {
        "A": {
            "Type": "AWS::S3::Bucket",
            "Condition": "Is",
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Snapshot",
            "DependsOn": ["B"],
            "Properties": {
                "BucketName": {
                    "Fn::Sub": ["${Text}-${AWS::Region}-${V}-${!x}", {"V": {"Fn::Select": [0, {"Ref": "List"}]}}]
                },
                "Tags": [
                    {
                        "Key": {"Fn::Join": ["-", {"Ref": "List"}]},
                        "Value": {"Fn::FindInMap": ["Map", {"Ref": "AWS::Region"}, "A"]},
                    }
                ],
            },
        },
        "B": {
            "Type": "AWS::SNS::Topic",
            "Properties": {
                "DisplayName": {"Fn::If": ["Both", {"Fn::Base64": "x"}, {"Ref": "AWS::NoValue"}]},
                "TopicName": {"Fn::Select": ["1", {"Fn::Split": [",", {"Fn::ImportValue": "arn"}]}]},
                "KmsMasterKeyId": "{{resolve:ssm:name:1}}{{resolve:secretsmanager:a:SecretString:b}}",
                "Subscription": {"Fn::Cidr": [{"Fn::GetAZs": ""}, 2, "8"]},
            },
        },
        "C": {
            "Type": "AWS::CloudFormation::Stack",
            "Properties": {"TemplateURL": "https://things.s3.amazonaws.com/thing.zip"},
        },
        "D": {"Type": "Custom::D", "Properties": {"ServiceToken": {"Fn::GetAtt": "C.Outputs.X"}}},
        "E": {
            "Type": "AWS::CloudFormation::WaitCondition",
            "CreationPolicy": {"ResourceSignal": {"Count": 1, "Timeout": "PT1M"}},
        },
    },
    "Outputs": {
        "O": {
            "Value": {"Fn::GetAtt": ["B", "TopicName"]},
            "Condition": "Is",
            "Export": {"Name": {"Fn::Sub": "${AWS::StackName}"}},
        }
    },
}
LANGUAGE = {
    "Transform": "AWS::LanguageExtensions",
    "Mappings": {"M": {"a": {"k": "v"}}},
    "Resources": {
        "Fn::ForEach::Loop": [
            "X",
            ["a", "b"],
            {"T${X}": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Ref": "X"}}}},
        ],
        "N": {
            "Type": "AWS::SNS::Topic",
            "Properties": {
                "TopicName": {
                    "Fn::ToJsonString": {
                        "a": {"Fn::Length": [1, {"Fn::FindInMap": ["M", "a", "z", {"DefaultValue": 2}]}]}
                    }
                }
            },
        },
    },
}
SERVERLESS = {
    "Transform": "AWS::Serverless-2016-10-31",
    "Globals": {"Function": {"Timeout": 3}},
    "Resources": {
        "F": {
            "Type": "AWS::Serverless::Function",
            "Properties": {
                "InlineCode": "x",
                "Handler": "a.b",
                "Runtime": "python3.12",
                "Events": {"E": {"Type": "Api", "Properties": {"Path": "/", "Method": "get"}}},
            },
        }
    },
}
SHORT = b"""Parameters: {Name: {Type: String, Default: &a x}}
Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: !Sub "${Name}-${AWS::AccountId}"
      Tags: [{Key: !Ref Name, Value: !Join ["", [!GetAtt Other.Arn, !Select [0, !Split [a, bab]]]]}]
      DelaySeconds: !If [C, 1, !Ref AWS::NoValue]
  Other: {Type: AWS::SQS::Queue, Metadata: *a}
Conditions: {C: !Not [!Equals [!Ref Name, 2010-09-09]]}
Outputs:
  O: {Value: !Base64 {Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://things/thing.zip}}}}
"""
