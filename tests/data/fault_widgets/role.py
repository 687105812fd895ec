"""Handlers of a role with an inline policy: an IAM role, on moto. The name is the identifier, and the user's."""

import contextlib
import time

import boto3
import botocore.exceptions
from botocore.config import Config

TRUST = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}'
POLICY = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:Get%s", "Resource": "*"}]}'
CODES = {
    "Throttling": "Throttling",
    "InternalFailure": "ServiceInternalError",
    "AccessDenied": "AccessDenied",
    "ExpiredToken": "InvalidCredentials",
    "NoSuchEntity": "NotFound",
}


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def resource(event, context):
    data = event["requestData"]
    desired = data.get("resourceProperties") or {}
    action, token = event["action"], event["bearerToken"]
    iam = boto3.client("iam", config=Config(connect_timeout=5, read_timeout=5))
    try:
        return HANDLERS[action](iam, desired, token, event)
    except Refused as error:
        return failed(error.code, str(error), desired)
    except botocore.exceptions.ClientError as error:
        return failed(code_of(error), "the call failed: " + code_of(error), desired)
    except botocore.exceptions.HTTPClientError:
        return failed("NetworkFailure", "IAM can't be reached", desired)


def code_of(error):
    return CODES.get(error.response["Error"]["Code"], "GeneralServiceException")


def failed(code, message, model):
    answer = {"status": "FAILED", "errorCode": code, "message": message}
    if model.get("Name") and code not in ("AlreadyExists", "NotFound"):
        answer["resourceModel"] = {"Name": model["Name"]}
    return answer


def success(model):
    return {"status": "SUCCESS", "resourceModel": model}


def create(iam, desired, token, event):
    name = desired["Name"]
    tags = [{"Key": "token", "Value": token}]
    try:
        iam.create_role(RoleName=name, AssumeRolePolicyDocument=TRUST, Description=desired["Comment"], Tags=tags)
    except iam.exceptions.EntityAlreadyExistsException:
        found = iam.list_role_tags(RoleName=name)["Tags"]
        if found != tags:
            raise Refused("AlreadyExists", name + " exists") from None
    iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])
    for _ in range(10):
        try:
            iam.get_role(RoleName=name)
            return success({"Name": name, "Comment": desired["Comment"], "Reach": desired["Reach"]})
        except iam.exceptions.NoSuchEntityException:
            time.sleep(0.05)
    raise Refused("NotStabilized", "the role does not show")


def described(iam, name):
    role = iam.get_role(RoleName=name)["Role"]
    policy = iam.get_role_policy(RoleName=name, PolicyName="inline")["PolicyDocument"]
    action = policy["Statement"][0]["Action"]
    return {"Name": name, "Comment": role["Description"], "Reach": action.partition("s3:Get")[2]}


def read(iam, desired, token, event):
    return success(described(iam, desired["Name"]))


def update(iam, desired, token, event):
    name = desired["Name"]
    described(iam, name)
    iam.update_role(RoleName=name, Description=desired["Comment"])
    iam.put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=POLICY % desired["Reach"])
    return success({"Name": name, "Comment": desired["Comment"], "Reach": desired["Reach"]})


def delete(iam, desired, token, event):
    name = desired["Name"]
    iam.get_role(RoleName=name)
    with contextlib.suppress(iam.exceptions.NoSuchEntityException):
        iam.delete_role_policy(RoleName=name, PolicyName="inline")
    iam.delete_role(RoleName=name)
    return {"status": "SUCCESS"}


def list_all(iam, desired, token, event):
    pages = iam.get_paginator("list_roles").paginate()
    names = [role["RoleName"] for page in pages for role in page["Roles"]]
    return {"status": "SUCCESS", "resourceModels": [{"Name": name} for name in names]}


HANDLERS = {"CREATE": create, "READ": read, "UPDATE": update, "DELETE": delete, "LIST": list_all}
