"""Reading resources of moto's back from their services, so that drift is found: the types for which that is known.

A reader is given clients, the identifier and what is known of the resource; it gives the properties as the service has
them (None: it has none), and lets the service's error through where the resource is gone.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Clients: TypeAlias = Callable[[str], Any]
Reader: TypeAlias = Callable[[Clients, str, Mapping[str, Any]], dict[str, Any]]

_QUEUE = (
    "DelaySeconds",
    "MaximumMessageSize",
    "MessageRetentionPeriod",
    "ReceiveMessageWaitTimeSeconds",
    "VisibilityTimeout",
)


def _bucket(clients: Clients, name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    s3 = clients("s3")
    s3.head_bucket(Bucket=name)
    if "VersioningConfiguration" not in known:
        return {}
    status = s3.get_bucket_versioning(Bucket=name).get("Status")
    return {"VersioningConfiguration": None if status is None else {"Status": status}}


def _queue(clients: Clients, url: str, known: Mapping[str, Any]) -> dict[str, Any]:
    found = clients("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    return {name: int(found[name]) for name in _QUEUE if name in known and name in found}


def _topic(clients: Clients, arn: str, _known: Mapping[str, Any]) -> dict[str, Any]:
    found = clients("sns").get_topic_attributes(TopicArn=arn)["Attributes"]
    return {"DisplayName": found.get("DisplayName") or None}


def _parameter(clients: Clients, name: str, _known: Mapping[str, Any]) -> dict[str, Any]:
    found = clients("ssm").get_parameter(Name=name)["Parameter"]
    return {"Type": found["Type"], "Value": found["Value"]}


def _table(clients: Clients, name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    found = clients("dynamodb").describe_table(TableName=name)["Table"]
    if "BillingMode" not in known:
        return {}
    return {"BillingMode": found.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")}


def _role(clients: Clients, name: str, _known: Mapping[str, Any]) -> dict[str, Any]:
    found = clients("iam").get_role(RoleName=name)["Role"]
    return {"Description": found.get("Description") or None, "MaxSessionDuration": found.get("MaxSessionDuration")}


def _log_group(clients: Clients, name: str, _known: Mapping[str, Any]) -> dict[str, Any]:
    pages = clients("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    found = next((each for each in pages if each["logGroupName"] == name), None)
    if found is None:
        clients("logs").list_tags_log_group(logGroupName=name)  # raises what the service says of groups that are gone
    return {"RetentionInDays": None if found is None else found.get("retentionInDays")}


READERS: Mapping[str, Reader] = {
    "AWS::DynamoDB::Table": _table,
    "AWS::IAM::Role": _role,
    "AWS::Logs::LogGroup": _log_group,
    "AWS::S3::Bucket": _bucket,
    "AWS::SNS::Topic": _topic,
    "AWS::SQS::Queue": _queue,
    "AWS::SSM::Parameter": _parameter,
}
