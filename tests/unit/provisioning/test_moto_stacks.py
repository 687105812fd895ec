"""AWS's types made in moto: other clients see them, and what they do to them is seen."""

import contextlib
import os

import boto3
import pytest

from formwork.aws import local_credentials
from formwork.aws.access import AwsAccess
from formwork.aws.moto import MotoServer
from formwork.aws.scope import Scope
from formwork.durable import open_database
from formwork.provisioning import HandlerCall
from formwork.provisioning.moto_stacks import Moto
from formwork.provisioning.outcomes import Failed, Succeeded
from formwork.provisioning.physical_ids import physical_id_of
from formwork.provisioning.stand_ins import StandIns
from formwork.schema.at_hand import installed_schemas

HERE = Scope("123456789012", "eu-west-1")
BUCKET, QUEUE, TOPIC, VPC = "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::SNS::Topic", "AWS::EC2::VPC"


class Place:
    """A moto server that makes resources, and clients of it."""

    def __init__(self, server, database):
        moto = Moto(AwsAccess(local_credentials, server.url), server)
        self.stand_ins = StandIns(database, installed_schemas().find, moto)
        self._url = server.url

    def client(self, service):
        session = boto3.Session("testing", "testing", "testing", region_name=HERE.region)
        return session.client(service, endpoint_url=self._url)

    def call(self, action, name, desired, *, token="token-1", logical_id="Thing"):
        tags = {"aws:cloudformation:stack-name": "shop"}
        call = HandlerCall(action=action, desired=desired, token=token, logical_id=logical_id, system_tags=tags)
        return self.stand_ins.find(HERE, name).invoke(call)

    def create(self, name, desired, **more):
        outcome = self.call("CREATE", name, desired, **more)
        assert isinstance(outcome, Succeeded), outcome
        return dict(outcome.model)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    database = open_database(tmp_path_factory.mktemp("state"))
    database.migrate()
    with contextlib.closing(MotoServer(os.environ)) as server:
        yield Place(server, database)
    database.close()


def test_a_queue_lives_in_moto(place):
    made = place.create(QUEUE, {"VisibilityTimeout": 30})
    assert made["Arn"].startswith("arn:aws:sqs:eu-west-1:123456789012:shop-Thing-")
    assert place.create(QUEUE, {"VisibilityTimeout": 30}) == made  # a call that is repeated
    sqs = place.client("sqs")
    assert len(sqs.list_queues()["QueueUrls"]) == 1
    identifier = {"QueueUrl": made["QueueUrl"]}

    changed = place.call("UPDATE", QUEUE, {**identifier, "VisibilityTimeout": 60})
    assert changed.model["VisibilityTimeout"] == 60
    url = sqs.list_queues()["QueueUrls"][0]
    assert sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]["VisibilityTimeout"] == "60"

    sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "5"})
    assert place.call("READ", QUEUE, identifier).model["VisibilityTimeout"] == 5
    assert place.call("LIST", QUEUE, {}).models == (identifier,)
    assert isinstance(place.call("DELETE", QUEUE, identifier), Succeeded)
    assert "QueueUrls" not in sqs.list_queues()
    assert place.call("DELETE", QUEUE, identifier).code == "NotFound"


def test_what_is_deleted_elsewhere_is_not_found(place):
    name = place.create(BUCKET, {}, token="bucket")["BucketName"]
    assert name.startswith("shop-thing-")
    place.client("s3").delete_bucket(Bucket=name)
    assert place.call("READ", BUCKET, {"BucketName": name}).code == "NotFound"


def test_what_moto_refuses_is_told(place):
    place.client("s3").create_bucket(Bucket="taken", CreateBucketConfiguration={"LocationConstraint": HERE.region})
    refused = place.call("CREATE", BUCKET, {"BucketName": "taken"}, token="taken")
    assert isinstance(refused, Failed)
    assert refused.code == "AlreadyExists"
    refused = place.call("CREATE", QUEUE, {"VisibilityTimeout": "long"}, token="wrong")
    assert refused.message.startswith("Property validation failure: /VisibilityTimeout")


def test_identifiers_are_motos_own(place):
    assert place.create(TOPIC, {"TopicName": "news"})["TopicArn"] == "arn:aws:sns:eu-west-1:123456789012:news"
    vpc = place.create(VPC, {"CidrBlock": "10.0.0.0/16"})
    found = place.client("ec2").describe_vpcs(VpcIds=[vpc["VpcId"]])["Vpcs"]
    assert found[0]["CidrBlock"] == "10.0.0.0/16"
    assert "read" not in place.stand_ins.find(HERE, VPC).schema.handlers  # nobody knows how: its drift is not checked


def test_arns_are_not_overwritten_by_names(place):
    rule = place.create("AWS::Events::Rule", {"ScheduleExpression": "rate(1 day)"}, token="rule")
    assert rule["Arn"].startswith("arn:aws:events:eu-west-1:123456789012:rule/shop-Thing-")
    statement = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
    document = {"Version": "2012-10-17", "Statement": [statement]}
    policy = place.create("AWS::IAM::ManagedPolicy", {"PolicyDocument": document}, token="policy")
    schema = place.stand_ins.find(HERE, "AWS::IAM::ManagedPolicy").schema
    assert physical_id_of(schema, policy).startswith("arn:aws:iam::123456789012:policy/shop-Thing-")


def test_fifo_and_documented_attributes_are_motos(place):
    assert place.create(QUEUE, {"FifoQueue": True}, token="fifo")["QueueName"].endswith(".fifo")
    vpc = place.create(VPC, {"CidrBlock": "10.1.0.0/16"}, token="vpc")
    wanted = {"VpcId": vpc["VpcId"], "CidrBlock": "10.1.0.0/24"}
    assert place.create("AWS::EC2::Subnet", wanted, token="subnet")["AvailabilityZone"].startswith(HERE.region)


def test_what_moto_does_not_know_is_simulated(place):
    assert place.stand_ins.find(HERE, "AWS::DAX::Cluster").note == "simulated"
    assert place.stand_ins.find(HERE, QUEUE).note == "moto"
    assert place.stand_ins.find(HERE, "Acme::Some::Thing") is None
