"""Prints the microseconds that one READ invocation takes in process, with whichever handler library is installed here.

`production`: the envelope CloudFormation sends, with the caller's credentials. `no-credentials`: the same without them.
`client`: as production, and the handler makes a client of its session, as nearly every handler does.
"""

import statistics
import sys
import time
from dataclasses import dataclass

from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource
from cloudformation_cli_python_lib.interface import BaseModel


@dataclass
class ResourceModel(BaseModel):
    Name: str | None

    @classmethod
    def _deserialize(cls, json_data):
        return cls(Name=json_data.get("Name")) if json_data else None


resource = Resource("Acme::Bench::Thing", ResourceModel)


@resource.handler(Action.READ)
def read_handler(session, request, _callback_context):
    if sys.argv[1] == "client":
        session.client("s3")
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=request.desiredResourceState)


def event(shape):
    keys = {"accessKeyId": "AKIAEXAMPLE", "secretAccessKey": "not-a-secret", "sessionToken": "not-a-token"}
    return {
        "action": "READ",
        "awsAccountId": "123456789012",
        "bearerToken": "4c0d0a3e-0000-4000-8000-000000000000",
        "region": "us-east-1",
        "resourceType": "Acme::Bench::Thing",
        "resourceTypeVersion": "00000001",
        "stackId": "arn:aws:cloudformation:us-east-1:123456789012:stack/bench/0",
        "nextToken": None,
        "callbackContext": None,
        "requestData": {
            "callerCredentials": None if shape == "no-credentials" else keys,
            "logicalResourceId": "Thing",
            "resourceProperties": {"Name": "a"},
            "previousResourceProperties": None,
            "stackTags": {},
            "previousStackTags": {},
            "systemTags": {},
            "previousSystemTags": {},
        },
    }


def main():
    shape = sys.argv[1]
    times = []
    warm_up, runs = (2, 12) if shape == "client" else (20, 200)
    for _ in range(warm_up + runs):
        request = event(shape)
        start = time.perf_counter()
        answer = resource(request, None)
        times.append(time.perf_counter() - start)
        if answer["status"] != "SUCCESS":
            raise SystemExit(f"unexpected answer: {answer}")
    print(statistics.median(times[warm_up:]) * 1_000_000)


if __name__ == "__main__":
    main()
