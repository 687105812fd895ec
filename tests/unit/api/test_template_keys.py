"""Every key at every level of a template is honoured or refused: what nobody defined is put in each place.

The tables below name the places where CloudFormation takes anything, or takes functions; everywhere else what a template
says must be known, or the template is refused.
"""

import copy
import json
import re

import pytest
import yaml

from support.recordings.service import Refused, open_service

TEMPLATE = yaml.safe_load("""
AWSTemplateFormatVersion: "2010-09-09"
Description: A shop.
Metadata: {Owner: web, AWS::CloudFormation::Interface: {ParameterLabels: {Size: {default: The size}}}}
Parameters:
  Size: {Type: Number, Default: 3, MinValue: 1, MaxValue: 9, NoEcho: false, Description: A size., ConstraintDescription: small}
  Env: {Type: String, Default: dev, AllowedValues: [dev, prod], AllowedPattern: "[a-z]+", MinLength: 1, MaxLength: 9}
Mappings: {Regions: {us-east-1: {Zone: a, Zones: [a, b]}}}
Conditions:
  IsDev: {Fn::Equals: [{Ref: Env}, dev]}
Rules:
  Small:
    RuleCondition: {Fn::Equals: [{Ref: Env}, dev]}
    Assertions: [{Assert: {Fn::Contains: [["3", "4"], {Ref: Size}]}, AssertDescription: It is small.}]
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Metadata: {Color: red}
    DeletionPolicy: Delete
    UpdateReplacePolicy: Delete
    Properties: {DisplayName: hello, Tags: [{Key: a, Value: b}]}
  Group:
    Type: AWS::AutoScaling::AutoScalingGroup
    DependsOn: Topic
    Condition: IsDev
    CreationPolicy: {ResourceSignal: {Count: 0, Timeout: PT5M}, AutoScalingCreationPolicy: {MinSuccessfulInstancesPercent: 100}}
    UpdatePolicy:
      AutoScalingReplacingUpdate: {WillReplace: false}
      AutoScalingRollingUpdate: {MaxBatchSize: 1, MinInstancesInService: 1, PauseTime: PT5M, SuspendProcesses: [AlarmNotification], WaitOnResourceSignals: true}
      AutoScalingScheduledAction: {IgnoreUnmodifiedGroupSizeProperties: true}
    Properties: {MinSize: "0", MaxSize: "1", AvailabilityZones: [a], LaunchConfigurationName: x}
Outputs:
  Arn: {Description: The topic., Condition: IsDev, Value: {Ref: Topic}, Export: {Name: shop-topic}}
""")

CALLS = {
    "unknown function": {"Fn::Nonsense": "x"},
    "unknown pseudo parameter": {"Ref": "AWS::Nonsense"},
    "parameter": {"Ref": "AWS::Region"},
    "attribute": {"Fn::GetAtt": ["Topic", "TopicArn"]},
}
METADATA = ("/Metadata/.*", "/Resources/Topic/Metadata/.*")  # "arbitrary data": nothing in it is judged
# Known when the group is updated, by a service that is simulated here: their values are not judged.
UPDATE_POLICIES = ("/Resources/Group/UpdatePolicy/.*",)
PROPERTIES = ("/Resources/.*/Properties/(DisplayName|Tags/0/.*|AvailabilityZones/0|LaunchConfigurationName)",)
# What each may be put into, as patterns of JSON pointers.
ACCEPTED = {
    "key": (*METADATA, "/Mappings/Regions/us-east-1/Nonsense"),  # names of attributes are the author's
    "unknown function": METADATA,
    "unknown pseudo parameter": METADATA,
    "parameter": (
        *METADATA,
        *UPDATE_POLICIES,
        *PROPERTIES,
        "/Conditions/IsDev/Fn::Equals/1",
        "/Rules/Small/RuleCondition/Fn::Equals/1",
        "/Rules/Small/Assertions/0/Assert/Fn::Contains/0/1",
        "/Outputs/Arn/Export/Name",
    ),
    "attribute": (*METADATA, *UPDATE_POLICIES, "/Resources/Group/Properties/.*"),
}


def places(value, at=()):
    yield at, value
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(each, (*at, key))


def changed(at, value):
    whole = place = copy.deepcopy(TEMPLATE)
    for step in at[:-1]:
        place = place[step]
    place[at[-1]] = value
    return whole


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with open_service(tmp_path_factory.mktemp("service")) as service:
        yield service


def outcome(service, template):
    """How the creation of a stack ends, or why it is refused."""
    try:
        made = service.call("CreateStack", {"StackName": "shop", "TemplateBody": json.dumps(template)})
    except Refused as refused:
        return refused.answer["Error"]["Message"]
    status = service.call("DescribeStacks", {"StackName": made["StackId"]})["Stacks"][0]["StackStatus"]
    service.call("DeleteStack", {"StackName": "shop"})
    return status


def accepted(service):
    """What is put where, and accepted."""
    for at, value in places(TEMPLATE):
        call = isinstance(value, dict) and len(value) == 1 and next(iter(value)).startswith(("Fn::", "Ref"))
        added = {"key": ((*at, "Nonsense"), "x")} if isinstance(value, dict) and not call else {}
        if at and not isinstance(value, dict):
            added |= {name: (at, call) for name, call in CALLS.items()}
        for name, (place, put) in added.items():
            if outcome(service, changed(place, put)) == "CREATE_COMPLETE":
                yield name, "/" + "/".join(map(str, place))


def test_the_template_is_sound(service):
    assert outcome(service, TEMPLATE) == "CREATE_COMPLETE"


def test_only_what_the_tables_name_is_accepted(service):
    found = list(accepted(service))
    assert [each for each in found if not any(re.fullmatch(pattern, each[1]) for pattern in ACCEPTED[each[0]])] == []
    unused = [
        (name, pattern)
        for name, patterns in ACCEPTED.items()
        for pattern in patterns
        if not any(kind == name and re.fullmatch(pattern, place) for kind, place in found)
    ]
    assert unused == []
