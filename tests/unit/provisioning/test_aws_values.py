"""Simulated resources of AWS types have names, identifiers and ARNs in the forms of their services."""

import re

import pytest

from formwork.aws.scope import Scope
from formwork.documents import parse_document
from formwork.provisioning.aws_values import chosen_values, decided_values
from formwork.provisioning.physical_ids import identifying_model, physical_id_of
from formwork.provisioning.provisioner import HandlerCall
from formwork.schema import load_resource_schema
from formwork.schema.at_hand import installed_schemas

HERE = Scope("111122223333", "eu-west-1")


def schema_of(name):
    return load_resource_schema(parse_document(installed_schemas().find(name), name=f"{name}.json")).schema


def decided(name, token="token-1", logical_id="Thing", **desired):
    call = HandlerCall(
        action="CREATE",
        desired=desired,
        token=token,
        logical_id=logical_id,
        system_tags={"aws:cloudformation:stack-name": "shop"},
    )
    return decided_values(schema_of(name), call, HERE)


@pytest.mark.parametrize(
    ("name", "desired", "expected"),
    [
        ("AWS::SNS::Topic", {"TopicName": "news"}, {"TopicArn": "arn:aws:sns:eu-west-1:111122223333:news"}),
        (
            "AWS::SQS::Queue",
            {"QueueName": "jobs"},
            {
                "Arn": "arn:aws:sqs:eu-west-1:111122223333:jobs",
                "QueueUrl": "https://sqs.eu-west-1.amazonaws.com/111122223333/jobs",
            },
        ),
        ("AWS::IAM::Role", {"RoleName": "doer"}, {"Arn": "arn:aws:iam::111122223333:role/doer"}),
        ("AWS::DynamoDB::Table", {"TableName": "t"}, {"Arn": "arn:aws:dynamodb:eu-west-1:111122223333:table/t"}),
        ("AWS::Kinesis::Stream", {"Name": "s"}, {"Arn": "arn:aws:kinesis:eu-west-1:111122223333:stream/s"}),
        (
            "AWS::IAM::ManagedPolicy",
            {"ManagedPolicyName": "may", "Path": "/app/"},
            {"PolicyArn": "arn:aws:iam::111122223333:policy/app/may"},
        ),
    ],
)
def test_arns(name, desired, expected):
    found = decided(name, **desired)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "property_name", "pattern"),
    [
        ("AWS::SNS::Topic", "TopicName", r"shop-Thing-\w{12}"),
        ("AWS::S3::Bucket", "BucketName", r"shop-thing-[a-z0-9]{12}"),
        ("AWS::RDS::DBSubnetGroup", "DBSubnetGroupName", r"shop-thing-[a-z0-9]{12}"),
        ("AWS::SSM::Parameter", "Name", r"CFN-Thing-\w{12}"),
        ("AWS::EC2::VPC", "VpcId", r"vpc-[0-9a-f]{17}"),
        ("AWS::EC2::SecurityGroup", "GroupId", r"sg-[0-9a-f]{17}"),
        ("AWS::KMS::Key", "KeyId", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ],
)
def test_generated(name, property_name, pattern):
    first, again, other = (decided(name, token)[property_name] for token in ("a", "a", "b"))
    assert re.fullmatch(pattern, first), first
    assert first == again
    assert first != other


def test_an_arn_holds_the_identifier_that_was_made():
    key = decided("AWS::KMS::Key")
    assert key["Arn"] == f"arn:aws:kms:eu-west-1:111122223333:key/{key['KeyId']}"


def test_long_names_are_cut():
    name = decided("AWS::IAM::Role", logical_id="L" * 80)["RoleName"]
    assert len(name) <= 64
    assert re.search(r"-\w{12}$", name)


def test_what_the_template_names_stays():
    assert "TopicName" not in decided("AWS::SNS::Topic", TopicName="news")


@pytest.mark.parametrize(
    ("name", "desired", "expected"),
    [
        ("AWS::Events::Rule", {"Name": "r", "EventBusName": "bus"}, {"RuleName": "bus|r"}),
        ("AWS::Events::Rule", {"Name": "r"}, {"RuleName": "r", "Arn": "arn:aws:events:eu-west-1:111122223333:rule/r"}),
        (
            "AWS::Lambda::Version",
            {"FunctionName": "arn:aws:lambda:eu-west-1:111122223333:function:f"},
            {"FunctionArn": "arn:aws:lambda:eu-west-1:111122223333:function:f:1", "Version": "1"},
        ),
        ("AWS::EC2::VPCGatewayAttachment", {"VpcId": "vpc-1", "InternetGatewayId": "igw-1"}, {"AttachmentType": "IGW"}),
        ("AWS::EC2::VPCGatewayAttachment", {"VpcId": "vpc-1", "VpnGatewayId": "vgw-1"}, {"AttachmentType": "VGW"}),
    ],
)
def test_values_that_follow_from_properties(name, desired, expected):
    found = decided(name, **desired)
    assert {key: found[key] for key in expected} == expected


def test_a_stream_is_there_where_it_is_asked_for():
    assert "StreamArn" not in decided("AWS::DynamoDB::Table", TableName="t")
    found = decided("AWS::DynamoDB::Table", TableName="t", StreamSpecification={"StreamViewType": "KEYS_ONLY"})
    assert found["StreamArn"].startswith("arn:aws:dynamodb:eu-west-1:111122223333:table/t/stream/")


def test_physical_ids_are_what_references_give():
    schema = schema_of("AWS::ApiGateway::Deployment")
    model = {"DeploymentId": "d1", "RestApiId": "a1", "Description": "x"}
    assert physical_id_of(schema, model) == "d1"
    assert physical_id_of(schema, {"DeploymentId": "d1"}) is None  # its identifier is not complete
    assert identifying_model(schema, "d1", model) == {"DeploymentId": "d1", "RestApiId": "a1"}
    topic = schema_of("AWS::SNS::Topic")
    assert physical_id_of(topic, {"TopicArn": "arn:t"}) == "arn:t"
    assert identifying_model(topic, "arn:t", {}) == {"TopicArn": "arn:t"}
    assert identifying_model(topic, None, {}) == {}


@pytest.mark.parametrize(
    ("name", "property_name", "flag"),
    [("AWS::SQS::Queue", "QueueName", "FifoQueue"), ("AWS::SNS::Topic", "TopicName", "FifoTopic")],
)
def test_names_of_fifo_queues_and_topics_end_so(name, property_name, flag):
    assert decided(name, **{flag: True})[property_name].endswith(".fifo")
    assert decided(name, **{flag: True})["Arn" if name.endswith("Queue") else "TopicArn"].endswith(".fifo")
    assert not decided(name, **{flag: False})[property_name].endswith(".fifo")
    assert len(decided("AWS::SQS::Queue", logical_id="L" * 200, FifoQueue=True)["QueueName"]) <= 80


def chosen(name, region="eu-west-1", **desired):
    return chosen_values(schema_of(name), HandlerCall(action="CREATE", desired=desired, token="t"), Scope("1", region))


def test_attributes_that_the_schema_does_not_list_are_chosen_where_they_are_left_out():
    assert chosen("AWS::EC2::Subnet") == {"AvailabilityZone": "eu-west-1a", "AvailabilityZoneId": "euw1-az1"}
    assert chosen("AWS::EC2::Subnet", "ap-southeast-2", AvailabilityZone="b")["AvailabilityZoneId"] == "apse2-az1"
    assert "AvailabilityZone" not in chosen("AWS::EC2::Instance", AvailabilityZone="b")
    assert chosen("AWS::EC2::Instance")["AvailabilityZone"] == "eu-west-1a"
    assert chosen("AWS::EC2::SecurityGroup")["VpcId"].startswith("vpc-0")
    assert chosen("AWS::SNS::Topic") == {}
