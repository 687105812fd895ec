"""The session: requests as the service sends them, and callbacks followed to the end."""

import itertools
import json
import sys

import pytest

from formwork.diagnostics.secrets import Secret
from formwork.invoke import (
    Answer,
    Credentials,
    FakeTransport,
    HandlerSession,
    InProcessTransport,
    OperationEnd,
    ProblemKind,
)

TYPE = "Acme::Store::Thing"


class Time:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def clock(self):
        return self.now


def fresh_credentials():
    numbers = itertools.count(1)
    return lambda: Credentials("AKIA", Secret("secret"), Secret(f"session-{next(numbers)}"))


def session_of(answers, time=None, **settings):
    transport = FakeTransport(answers)
    time = time or Time()
    return transport, HandlerSession(transport, TYPE, sleep=time.sleep, clock=time.clock, **settings)


def progress(**members):
    return {"status": "IN_PROGRESS", "callbackDelaySeconds": 0, "resourceModel": {"Id": "1"}, **members}


SUCCESS = {"status": "SUCCESS", "resourceModel": {"Id": "1"}}


def test_a_resource_request_has_every_member_of_the_services():
    transport, session = session_of([SUCCESS], credentials=fresh_credentials(), type_configuration={"Key": "k"})
    exchange = session.invoke(
        "UPDATE",
        {"Name": "b"},
        {"Name": "a"},
        token="t",
        logical_id="MyThing",
        tags={"x": "y"},
        previous_tags={"x": "z"},
    )
    stack = session.stack_id
    assert stack.startswith("arn:aws:cloudformation:us-east-1:123456789012:stack/")
    assert transport.requests == [
        {
            "awsAccountId": "123456789012",
            "bearerToken": "t",
            "region": "us-east-1",
            "action": "UPDATE",
            "resourceType": TYPE,
            "resourceTypeVersion": "00000001",
            "stackId": stack,
            "callbackContext": None,
            "nextToken": None,
            "requestData": {
                "callerCredentials": {"accessKeyId": "AKIA", "secretAccessKey": "secret", "sessionToken": "session-1"},
                "logicalResourceId": "MyThing",
                "resourceProperties": {"Name": "b"},
                "previousResourceProperties": {"Name": "a"},
                "stackTags": {"x": "y"},
                "previousStackTags": {"x": "z"},
                "systemTags": {},
                "previousSystemTags": {},
                "typeConfiguration": {"Key": "k"},
            },
        }
    ]
    assert exchange.event == SUCCESS
    assert exchange.problem is None
    assert exchange.status == "SUCCESS"


def test_a_list_request_carries_its_next_token():
    transport, session = session_of([{"status": "SUCCESS", "resourceModels": []}])
    session.invoke("LIST", {}, next_token="page-2")
    assert transport.requests[0]["nextToken"] == "page-2"
    assert transport.requests[0]["requestData"]["callerCredentials"] is None


def test_a_hook_request_holds_its_credentials_as_a_string():
    transport, session = session_of(
        [{"hookStatus": "SUCCESS"}], credentials=fresh_credentials(), type_configuration={"L": 1}
    )
    exchange = session.invoke_hook(
        "CREATE_PRE_PROVISION", "AWS::S3::Bucket", {"resourceProperties": {"BucketName": "b"}}, token="t"
    )
    request = transport.requests[0]
    assert json.loads(request["requestData"].pop("callerCredentials"))["accessKeyId"] == "AKIA"
    assert request == {
        "awsAccountId": "123456789012",
        "clientRequestToken": "t",
        "stackId": session.stack_id,
        "changeSetId": None,
        "hookTypeName": TYPE,
        "hookTypeVersion": "00000001",
        "hookModel": {"L": 1},
        "actionInvocationPoint": "CREATE_PRE_PROVISION",
        "requestData": {
            "targetName": "AWS::S3::Bucket",
            "targetType": "RESOURCE",
            "targetLogicalId": "MyBucket",
            "targetModel": {"resourceProperties": {"BucketName": "b"}},
        },
        "requestContext": {"invocation": 1, "callbackContext": None},
    }
    assert exchange.status == "SUCCESS"


def test_callbacks_carry_model_and_context_with_fresh_credentials_and_the_same_token():
    time = Time()
    transport, session = session_of(
        [progress(callbackDelaySeconds=7, callbackContext={"n": 1}, resourceModel={"Id": "1", "Name": "a"}), SUCCESS],
        time,
        credentials=fresh_credentials(),
    )
    operation = session.run("CREATE", {"Name": "a"})
    first, second = transport.requests
    assert operation.end is OperationEnd.ANSWERED
    assert operation.succeeded
    assert time.slept == [7]
    assert second["bearerToken"] == first["bearerToken"]
    assert second["callbackContext"] == {"n": 1}
    assert second["requestData"]["resourceProperties"] == {"Id": "1", "Name": "a"}
    assert second["requestData"]["callerCredentials"]["sessionToken"] == "session-2"
    assert second["stackId"] == first["stackId"]


def test_a_hook_is_called_again_through_its_request_context():
    transport, session = session_of(
        [{"hookStatus": "IN_PROGRESS", "callbackContext": {"n": 1}}, {"hookStatus": "SUCCESS"}]
    )
    operation = session.run_hook("DELETE_PRE_PROVISION", "AWS::S3::Bucket", {"resourceProperties": {}})
    assert operation.succeeded
    assert transport.requests[1]["requestContext"] == {"invocation": 2, "callbackContext": {"n": 1}}
    assert transport.requests[1]["requestData"]["targetModel"] == {"resourceProperties": {}}


def test_an_event_without_a_model_keeps_the_properties():
    transport, session = session_of([{"status": "IN_PROGRESS"}, {"status": "SUCCESS"}])
    session.run("DELETE", {"Id": "1"})
    assert transport.requests[1]["requestData"]["resourceProperties"] == {"Id": "1"}


@pytest.mark.parametrize(("limit", "calls"), [(0, 1), (1, 2), (3, 4)])
def test_max_reinvoke_counts_the_calls_after_the_first(limit, calls):
    transport, session = session_of([progress()])
    operation = session.run("CREATE", {}, max_reinvoke=limit)
    assert operation.end is OperationEnd.REINVOKE_LIMIT
    assert len(transport.requests) == len(operation.exchanges) == calls


def test_the_handlers_timeout_ends_the_operation_without_sleeping_past_it():
    time = Time()
    transport, session = session_of([progress(callbackDelaySeconds=50)], time)
    operation = session.run("CREATE", {}, timeout_minutes=2)
    assert operation.end is OperationEnd.TIMED_OUT
    assert time.slept == [50, 50]
    assert len(transport.requests) == 3
    assert not operation.succeeded


def test_a_negative_delay_means_no_reinvocation():
    transport, session = session_of([progress(callbackDelaySeconds=-1)])
    operation = session.run("CREATE", {})
    assert operation.end is OperationEnd.DELAY_NEGATIVE
    assert len(transport.requests) == 1


@pytest.mark.parametrize("action", ["READ", "LIST"])
def test_read_and_list_are_never_called_again(action):
    transport, session = session_of([progress()])
    assert session.run(action, {}).end is OperationEnd.SYNCHRONOUS
    assert len(transport.requests) == 1


def test_nonsense_as_a_delay_is_no_delay():
    time = Time()
    _, session = session_of([progress(callbackDelaySeconds="soon"), progress(callbackDelaySeconds=True), SUCCESS], time)
    assert session.run("CREATE", {}).succeeded
    assert time.slept == []


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (b"", ProblemKind.NOT_JSON, "empty"),
        (b"<html>", ProblemKind.NOT_JSON, "<html>"),
        (b'{"status": NaN}', ProblemKind.NOT_JSON, "NaN"),
        (b"\xff\xfe", ProblemKind.NOT_JSON, "not JSON"),
        (b"[" * 100_000, ProblemKind.NOT_JSON, "too deeply"),
        (b"[1, 2]", ProblemKind.NOT_OBJECT, "[1, 2]"),
        (b"null", ProblemKind.NOT_OBJECT, "null"),
        (Answer(b'{"errorType": "KeyError", "errorMessage": "x"}', "Unhandled"), ProblemKind.FUNCTION_ERROR, "x"),
        (Answer(b"gone", "Unhandled"), ProblemKind.FUNCTION_ERROR, "gone"),
    ],
)
def test_what_is_no_event_is_told_as_what_it_is(answer, kind, says):
    _, session = session_of([answer])
    operation = session.run("CREATE", {})
    assert operation.event is None
    assert operation.problem.kind is kind
    assert says in operation.problem.message
    assert operation.end is OperationEnd.ANSWERED
    assert not operation.succeeded


def test_whoever_listens_hears_every_exchange():
    heard = []
    _, session = session_of([progress(), SUCCESS], on_exchange=heard.append)
    operation = session.run("CREATE", {})
    assert tuple(heard) == operation.exchanges


def test_the_time_limit_reaches_the_transport():
    transport, session = session_of([SUCCESS], invocation_timeout=60)
    session.invoke("CREATE", {})
    assert transport.timeouts == [60]


def test_credentials_do_not_show_in_a_repr():
    assert "hunter2" not in repr(Credentials("AKIA", Secret("hunter2-secret"), Secret("hunter2-token")))


def in_process(function, **settings):
    return HandlerSession(InProcessTransport(function, **settings), TYPE).invoke("READ", {"Id": "1"})


def test_a_function_in_process():
    exchange = in_process(
        lambda event, context: {
            "status": "SUCCESS",
            "got": event["action"],
            "ms": context.get_remaining_time_in_millis() > 0,
        }
    )
    assert exchange.event == {"status": "SUCCESS", "got": "READ", "ms": True}


def test_what_an_in_process_function_does_wrong_is_an_answer():
    def fails(_event, _context):
        raise LookupError("no such thing")

    def leaves(_event, _context):
        raise SystemExit(3)

    assert in_process(fails).problem.error_type == "LookupError"
    assert in_process(leaves).problem.error_type == "Runtime.ExitError"
    assert in_process(lambda event, context: {1, 2}).problem.error_type == "Runtime.MarshalError"
    assert in_process(lambda event, context: float("nan")).problem.error_type == "Runtime.MarshalError"
    assert in_process(lambda event, context: sys.stdout.write("hello\n") and None, capture=True).answer.log == "hello\n"
