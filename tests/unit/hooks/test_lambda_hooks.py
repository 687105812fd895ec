"""A Lambda hook's function: what it gets, and what becomes of each way in which it can end."""

import json
import threading

import pytest

from formwork.aws.scope import Scope
from formwork.diagnostics import EnvironmentProblemError
from formwork.hooks import HookCall, HookFailed, HookPassed, HookTarget, HookWaiting, TargetKind
from formwork.hooks.lambda_function import LambdaEvaluator, function_arn
from formwork.lambda_host.outcome import Outcome, OutcomeKind

SCOPE = Scope("123456789012", "us-west-2")
ARN = "arn:aws:lambda:us-west-2:123456789012:function:Policy"
STACK = "arn:aws:cloudformation:us-west-2:123456789012:stack/shop/1"


def target(kind=TargetKind.RESOURCE, action="CREATE", **more):
    given = {"name": "AWS::SNS::Topic", "identifier": "Topic", "execution": STACK, **more}
    return HookTarget(kind=kind, action=action, **given)


def call_of(asked=None, **more):
    model = {"resourceProperties": {"DisplayName": "red"}}
    return HookCall(**{"target": asked or target(), "model": model, "token": "token-1", **more})


def evaluator(answer, *, function="Policy", seconds=30.0):
    sent = []

    def invoke(name, payload):
        sent.append((name, json.loads(payload)))
        return answer(sent[-1][1]) if callable(answer) else answer

    made = LambdaEvaluator(
        invoke=invoke,
        scope=SCOPE,
        type_name="Acme::Policy::Hook",
        version="00000001",
        configuration=lambda: {"LambdaFunction": function},
        seconds=seconds,
    )
    return made, sent


def returned(value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Outcome(OutcomeKind.RETURNED, body, "request")


def response(**more):
    return returned({"hookStatus": "SUCCESS", "clientRequestToken": "token-1", **more})


def test_the_request_about_a_resource():
    asked, sent = evaluator(response(message="fine"))
    assert asked(call_of(invocation=2, context={"seen": 1})) == HookPassed("fine", [])
    assert sent == [
        (
            "Policy",
            {
                "clientRequestToken": "token-1",
                "awsAccountId": "123456789012",
                "stackId": STACK,
                "changeSetId": None,
                "hookTypeName": "Acme::Policy::Hook",
                "hookTypeVersion": "00000001",
                "hookModel": {"LambdaFunction": ARN},
                "actionInvocationPoint": "CREATE_PRE_PROVISION",
                "requestData": {
                    "targetName": "AWS::SNS::Topic",
                    "targetType": "AWS::SNS::Topic",
                    "targetLogicalId": "Topic",
                    "targetModel": {"resourceProperties": {"DisplayName": "red"}, "previousResourceProperties": {}},
                },
                "requestContext": {"invocation": 2, "callbackContext": {"seen": 1}},
            },
        )
    ]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (target(action="DELETE"), {"resourceProperties": {}, "previousResourceProperties": {"DisplayName": "red"}}),
        (target(action="CREATE"), {"resourceProperties": {"DisplayName": "red"}, "previousResourceProperties": {}}),
    ],
)
def test_properties_are_empty_on_one_side(asked, expected):
    made, sent = evaluator(response())
    made(call_of(asked))
    assert sent[0][1]["requestData"]["targetModel"] == expected


def test_the_request_about_a_resource_of_cloud_control():
    made, sent = evaluator(response())
    made(call_of(target(TargetKind.CLOUD_CONTROL)))
    assert (sent[0][1]["stackId"], sent[0][1]["requestData"]["targetType"]) == (None, "RESOURCE")


@pytest.mark.parametrize("kind", [TargetKind.STACK, TargetKind.CHANGE_SET])
def test_templates_are_behind_a_url(kind):
    made, sent = evaluator(response())
    made(call_of(target(kind, name=str(kind), identifier="shop"), model={}, payload_url="https://s3/payload"))
    assert sent[0][1]["requestData"] == {
        "targetName": str(kind),
        "targetType": str(kind),
        "targetLogicalId": "shop",
        "payload": "https://s3/payload",
    }


def test_a_refusal_with_annotations():
    note = {"annotationName": "COLOUR", "status": "FAILED", "remediationMessage": "paint it", "severityLevel": "HIGH"}
    given = response(hookStatus="FAILED", errorCode="NonCompliant", message="no black", annotations=[note])
    assert evaluator(given)[0](call_of()) == HookFailed("no black", refused=True, annotations=[note])


def test_a_function_at_work_is_called_again():
    given = response(hookStatus="IN_PROGRESS", callbackContext={"n": 1}, callbackDelaySeconds=5)
    assert evaluator(given)[0](call_of()) == HookWaiting(5.0, {"n": 1})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "the Lambda function Policy was not found"),
        (returned(b"<html>"), "not a JSON object: null"),
        (returned(["SUCCESS"]), 'not a JSON object: ["SUCCESS"]'),
        (returned({}), "hookStatus is null, not one of SUCCESS, FAILED, IN_PROGRESS"),
        (response(hookStatus="DONE"), 'hookStatus is "DONE", not one of'),
        (response(clientRequestToken=None), "clientRequestToken is missing"),
        (response(clientRequestToken="other"), "clientRequestToken is not that of the request"),
        (response(hookStatus="FAILED"), "errorCode is null, not one of NonCompliant, InternalFailure"),
        (response(callbackDelaySeconds=-1), "callbackDelaySeconds is -1, not a number"),
        (response(callbackDelaySeconds="soon"), 'callbackDelaySeconds is "soon", not a number'),
        (response(annotations={"a": 1}), "annotations is not a list of objects"),
        (
            Outcome(OutcomeKind.HANDLER_ERROR, b'{"errorType": "E", "errorMessage": "boom"}', "r"),
            "the Lambda function failed: boom",
        ),
        (Outcome(OutcomeKind.EXITED, b"gone", "r"), "the Lambda function failed: gone"),
    ],
)
def test_what_is_no_response_is_a_failure_of_the_hook(given, said):
    outcome = evaluator(given)[0](call_of())
    assert isinstance(outcome, HookFailed)
    assert not outcome.refused
    assert said in outcome.message


def test_a_function_that_cannot_be_invoked():
    def fail(_event):
        raise EnvironmentProblemError("no python3.6 here")

    outcome = evaluator(fail)[0](call_of())
    assert outcome == HookFailed("the Lambda function can't be invoked: no python3.6 here", refused=False)


def test_a_function_that_hangs():
    ended = threading.Event()

    def hang(_event):
        ended.wait(20)
        return response()

    outcome = evaluator(hang, seconds=0.05)[0](call_of())
    ended.set()
    assert outcome == HookFailed("the Lambda function did not answer within 0.05 seconds", refused=False)


def test_secrets_of_the_target_are_masked():
    model = {"resourceProperties": {"Password": "correct-horse"}}
    note = {"annotationName": "A", "status": "PASSED", "statusMessage": "seen correct-horse"}
    made, sent = evaluator(response(message="the password is correct-horse", annotations=[note]))
    outcome = made(call_of(model=model, write_only=(("Password",),)))
    assert sent[0][1]["requestData"]["targetModel"]["resourceProperties"]["Password"] == "correct-horse"
    assert "correct-horse" not in repr(outcome)


@pytest.mark.parametrize(("kind", "longest"), [(TargetKind.RESOURCE, 4096), (TargetKind.CLOUD_CONTROL, 1024)])
def test_messages_are_cut(kind, longest):
    outcome = evaluator(response(message="x" * 5000))[0](call_of(target(kind)))
    assert len(outcome.message) == longest


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("Policy", ARN),
        ("Policy:prod", f"{ARN}:prod"),
        ("function:Policy", ARN),
        ("210987654321:function:Policy", "arn:aws:lambda:us-west-2:210987654321:function:Policy"),
        (f"{ARN}:$LATEST", f"{ARN}:$LATEST"),
    ],
)
def test_arns_of_functions(named, expected):
    assert function_arn(SCOPE, named) == expected
