"""The function `TestEntrypoint`: it takes a handler's request as it is, without the service's envelope.

AWS's guide names it as the default of `cfn test --function-name`; its events are those of the guide's `sam-tests/`.
"""

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.invoke.answer import Answer, parse_event
from formwork.invoke.transport import HandlerTransport

TEST_FUNCTION = "TestEntrypoint"
Json = dict[str, Any]


class TestEntryTransport:
    """Reaches a test entry point: the service's envelopes become its events, and a hook's answers the service's."""

    __test__ = False  # pytest: a class of the product

    def __init__(self, transport: HandlerTransport) -> None:
        self._transport = transport

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """See `HandlerTransport`; an event that has no envelope is sent as it is."""
        if "requestData" not in payload:
            return self._transport.invoke(payload, timeout=timeout)
        hook = "actionInvocationPoint" in payload
        event = _hook_event(payload) if hook else _resource_event(payload)
        answer = self._transport.invoke(event, timeout=timeout)
        return _hook_answer(answer, payload) if hook else answer


def _resource_event(envelope: Mapping[str, Any]) -> Json:
    data = envelope["requestData"]
    return {
        "credentials": data["callerCredentials"],
        "action": envelope["action"],
        "request": {
            "clientRequestToken": envelope["bearerToken"],
            "desiredResourceState": data["resourceProperties"],
            "previousResourceState": data["previousResourceProperties"],
            "desiredResourceTags": data["stackTags"],
            "previousResourceTags": data["previousStackTags"],
            "systemTags": data["systemTags"],
            "previousSystemTags": data["previousSystemTags"],
            "awsAccountId": envelope["awsAccountId"],
            "logicalResourceIdentifier": data["logicalResourceId"],
            "typeConfiguration": data["typeConfiguration"],
            "nextToken": envelope["nextToken"],
            "stackId": envelope["stackId"],
            "region": envelope["region"],
        },
        "callbackContext": envelope["callbackContext"],
        "region": envelope["region"],
    }


def _hook_event(envelope: Mapping[str, Any]) -> Json:
    data = envelope["requestData"]
    credentials = data["callerCredentials"]
    return {
        "credentials": json.loads(credentials) if isinstance(credentials, str) else credentials,
        "actionInvocationPoint": envelope["actionInvocationPoint"],
        "request": {
            "clientRequestToken": envelope["clientRequestToken"],
            "hookContext": {
                "awsAccountId": envelope["awsAccountId"],
                "stackId": envelope["stackId"],
                "changeSetId": envelope["changeSetId"],
                "hookTypeName": envelope["hookTypeName"],
                "hookTypeVersion": envelope["hookTypeVersion"],
                "invocationPoint": envelope["actionInvocationPoint"],
                "targetName": data["targetName"],
                "targetType": data["targetType"],
                "targetLogicalId": data["targetLogicalId"],
                "targetModel": data["targetModel"],
            },
        },
        "callbackContext": envelope["requestContext"]["callbackContext"],
        "typeConfiguration": envelope["hookModel"],
        "region": None,
    }


def _hook_answer(answer: Answer, envelope: Mapping[str, Any]) -> Answer:
    """`answer`, a progress event with `status`, as the service's hook protocol has it: with `hookStatus`."""
    event, _problem = parse_event(answer)
    if event is None or "status" not in event:
        return answer
    known = ("errorCode", "message", "callbackContext", "callbackDelaySeconds", "annotations", "result")
    translated = {
        "hookStatus": event["status"],
        "clientRequestToken": envelope["clientRequestToken"],
        **{name: event[name] for name in known if event.get(name) is not None},
    }
    return replace(answer, body=json.dumps(translated).encode())
