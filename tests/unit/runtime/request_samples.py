"""Requests as CloudFormation sends them, for tests of the entry points."""

import json

CREDENTIALS = {
    "accessKeyId": "AKIDCANARY0000000000",
    "secretAccessKey": "canary/secret+access=key",
    "sessionToken": "canary-session-token",
}
PROVIDER = {
    "accessKeyId": "AKIDPROVIDER00000000",
    "secretAccessKey": "provider-canary-secret-key",
    "sessionToken": "provider-canary-session-token",
}
SECRETS = [*CREDENTIALS.values(), *PROVIDER.values()]
STACK_ID = "arn:aws:cloudformation:eu-west-1:123456789012:stack/sample/9f6f7b0e"


def resource_request(action="CREATE", properties=None, *, data=None, **members):
    return {
        "action": action,
        "awsAccountId": "123456789012",
        "bearerToken": "bearer-token-canary",
        "region": "eu-west-1",
        "stackId": STACK_ID,
        "requestData": {
            "callerCredentials": CREDENTIALS,
            "resourceProperties": {"Name": "n"} if properties is None else properties,
            "logicalResourceId": "MyThing",
            **(data or {}),
        },
        **members,
    }


def hook_request(point="CREATE_PRE_PROVISION", *, data=None, **members):
    return {
        "actionInvocationPoint": point,
        "awsAccountId": "123456789012",
        "clientRequestToken": "bearer-token-canary",
        "stackId": STACK_ID,
        "hookTypeName": "Acme::Store::Check",
        "hookTypeVersion": "00000001",
        "hookModel": {},
        "requestContext": {"callbackContext": None},
        "requestData": {
            "callerCredentials": json.dumps(CREDENTIALS),
            "targetName": "AWS::S3::Bucket",
            "targetType": "RESOURCE",
            "targetLogicalId": "MyBucket",
            "targetModel": {"resourceProperties": {"BucketName": "b"}},
            **(data or {}),
        },
        **members,
    }


def observed(request, *, group="provider-log"):
    """The request with the provider's credentials and log group, as production has it."""
    as_text = isinstance(request["requestData"]["callerCredentials"], str)
    request["requestData"]["providerCredentials"] = json.dumps(PROVIDER) if as_text else PROVIDER
    if group:
        request["requestData"]["providerLogGroupName"] = group
    return request
