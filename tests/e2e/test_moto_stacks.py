"""`cfn serve --aws moto`: what a stack makes is there for handlers, and for every client of moto."""

import json

import boto3
import pytest

from support.registry import THING, resource_package, zipped
from support.serving import register, serving

# A type whose handlers put an object into a bucket of the account, and find their stack.
HANDLERS = """
import boto3

def resource(event, context):
    model = event["requestData"]["resourceProperties"]
    bucket, _, key = model["Name"].partition("/")
    s3 = boto3.client("s3")
    if event["action"] == "CREATE":
        s3.put_object(Bucket=bucket, Key=key, Body=b"made by a handler")
        stack = event["stackId"].split("/")[1]
        assert boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    elif event["action"] == "DELETE":
        s3.delete_object(Bucket=bucket, Key=key)
        return {"status": "SUCCESS"}
    else:
        s3.head_object(Bucket=bucket, Key=key)
    return {"status": "SUCCESS", "resourceModel": {"Name": model["Name"]}}
"""
TEMPLATE = {
    "Resources": {
        "Shelf": {"Type": "AWS::S3::Bucket"},
        "Thing": {"Type": THING, "Properties": {"Name": {"Fn::Sub": "${Shelf}/thing"}}},
        "Where": {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Type": "String", "Value": {"Fn::GetAtt": "Shelf.Arn"}},
        },
        "Cache": {
            "Type": "AWS::DAX::Cluster",
            "Properties": {"IAMRoleARN": "x", "NodeType": "x", "ReplicationFactor": 1},
        },
    }
}


@pytest.mark.slow
def test_a_handler_finds_the_bucket_of_its_stack(tmp_path):
    with serving(tmp_path, "--aws", "moto") as server:
        address = server.process.stderr.readline().split()[-1]
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        s3, ssm = (session.client(each, endpoint_url=address) for each in ("s3", "ssm"))
        register(server, content=resource_package(handlers=HANDLERS), account="123456789012")
        client = server.client("cloudformation", account="123456789012")
        client.create_stack(StackName="shop", TemplateBody=json.dumps(TEMPLATE))
        client.get_waiter("stack_create_complete").wait(StackName="shop")
        made = {
            each["LogicalResourceId"]: each
            for each in client.describe_stack_resources(StackName="shop")["StackResources"]
        }
        bucket = made["Shelf"]["PhysicalResourceId"]
        assert s3.get_object(Bucket=bucket, Key="thing")["Body"].read() == b"made by a handler"
        assert ssm.get_parameter(Name=made["Where"]["PhysicalResourceId"])["Parameter"]["Value"].endswith(bucket)
        events = client.describe_stack_events(StackName="shop")["StackEvents"]
        told = {each["LogicalResourceId"]: each.get("DetailedStatus") for each in events}
        assert told == {"Shelf": "MOTO", "Where": "MOTO", "Cache": "SIMULATED", "Thing": None, "shop": None}

        ssm.put_parameter(Name=made["Where"]["PhysicalResourceId"], Value="elsewhere", Overwrite=True)
        drift = client.detect_stack_resource_drift(StackName="shop", LogicalResourceId="Where")["StackResourceDrift"]
        assert drift["StackResourceDriftStatus"] == "MODIFIED"
        assert drift["PropertyDifferences"][0]["ActualValue"] == "elsewhere"

        client.delete_stack(StackName="shop")
        client.get_waiter("stack_delete_complete").wait(StackName="shop")
        assert s3.list_buckets()["Buckets"] == []


FUNCTION = {
    "Resources": {
        "Role": {
            "Type": "AWS::IAM::Role",
            "Properties": {"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": []}},
        },
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Role": {"Fn::GetAtt": "Role.Arn"},
                "Runtime": "python3.12",
                "Handler": "index.handler",
                "Code": {"S3Bucket": "artifacts", "S3Key": "code.zip"},
            },
        },
    }
}


@pytest.mark.slow
def test_the_code_of_functions_is_where_moto_looks_for_it(tmp_path):
    with serving(tmp_path, "--aws", "moto") as server:
        address = server.process.stderr.readline().split()[-1]
        where = {"account": "123456789012"}
        s3 = server.client("s3", **where)
        s3.create_bucket(Bucket="artifacts")
        s3.put_object(Bucket="artifacts", Key="code.zip", Body=zipped({"index.py": "def handler(e, c): pass\n"}))
        client = server.client("cloudformation", **where)
        body = json.dumps(FUNCTION)
        client.create_stack(StackName="fn", TemplateBody=body, Capabilities=["CAPABILITY_IAM"])
        client.get_waiter("stack_create_complete").wait(StackName="fn")
        made = client.describe_stack_resource(StackName="fn", LogicalResourceId="Function")["StackResourceDetail"]
        functions = boto3.Session("testing", "testing", region_name="us-east-1").client("lambda", endpoint_url=address)
        found = functions.get_function(FunctionName=made["PhysicalResourceId"])["Configuration"]
        assert found["CodeSize"] > 0


@pytest.mark.slow
def test_rules_in_moto_get_the_events_of_stacks(tmp_path):
    with serving(tmp_path, "--aws", "moto") as server:
        address = server.process.stderr.readline().split()[-1]
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        moto = {name: session.client(name, endpoint_url=address) for name in ("events", "sqs")}
        url = moto["sqs"].create_queue(QueueName="heard")["QueueUrl"]
        arn = moto["sqs"].get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        pattern = {"source": ["aws.cloudformation"], "detail-type": ["CloudFormation Stack Status Change"]}
        moto["events"].put_rule(Name="stacks", EventPattern=json.dumps(pattern))
        moto["events"].put_targets(Rule="stacks", Targets=[{"Id": "q", "Arn": arn}])
        stacks = server.client("cloudformation")
        body = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
        stacks.create_stack(StackName="told", TemplateBody=body)
        stacks.get_waiter("stack_create_complete").wait(StackName="told")
        heard = []
        for _ in range(20):
            messages = moto["sqs"].receive_message(QueueUrl=url, WaitTimeSeconds=1, MaxNumberOfMessages=10)
            heard += [json.loads(each["Body"])["detail"]["status-details"] for each in messages.get("Messages", ())]
            if len(heard) == 2:
                break
        assert [each["status"] for each in heard] == ["CREATE_IN_PROGRESS", "CREATE_COMPLETE"]


@pytest.mark.slow
def test_topics_in_moto_get_the_events_of_stacks_that_notify_them(tmp_path):
    with serving(tmp_path, "--aws", "moto") as server:
        address = server.process.stderr.readline().split()[-1]
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        moto = {name: session.client(name, endpoint_url=address) for name in ("sns", "sqs")}
        url = moto["sqs"].create_queue(QueueName="heard")["QueueUrl"]
        queue = moto["sqs"].get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        topic = moto["sns"].create_topic(Name="stacks")["TopicArn"]
        moto["sns"].subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue)
        stacks = server.client("cloudformation")
        body = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
        stacks.create_stack(StackName="told", TemplateBody=body, NotificationARNs=[topic])
        stacks.get_waiter("stack_create_complete").wait(StackName="told")
        heard = []
        for _ in range(20):
            messages = moto["sqs"].receive_message(QueueUrl=url, WaitTimeSeconds=1, MaxNumberOfMessages=10)
            heard += [json.loads(each["Body"]) for each in messages.get("Messages", ())]
            if len(heard) == 5:
                break
        assert {each["Subject"] for each in heard} == {"AWS CloudFormation Notification"}
        told = {line for each in heard for line in each["Message"].splitlines()}
        assert {"StackName='told'", "ResourceStatus='CREATE_COMPLETE'", "LogicalResourceId='Topic'"} <= told
