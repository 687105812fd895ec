"""Templates, handlers and clients that ask for more than there is, or for ever."""

import asyncio
import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.parse

import pytest
from botocore.exceptions import ClientError, WaiterError

from formwork.api import bodies, connections
from formwork.documents import parse_document
from formwork.durable.clock import SteadyClock
from formwork.template import read_template
from formwork.template.evaluation import Environment, EvaluationError, Evaluator
from formwork.template.evaluation.language_extensions import apply_language_extensions
from formwork.template.expansion import expand_modules
from support.registry import THING, resource_package
from support.serving import register, serving

NEVER_DONE = """
import pathlib
CALLS = pathlib.Path(%r)

def resource(event, context):
    with CALLS.open("a") as file:
        file.write("x")
    return {"status": "IN_PROGRESS", "callbackDelaySeconds": 0, "callbackContext": {},
            "resourceModel": event["requestData"]["resourceProperties"]}
"""
NEVER_BACK = """
import time

def resource(event, context):
    time.sleep(50)
"""


@pytest.mark.parametrize("code", [NEVER_DONE, NEVER_BACK], ids=["never done", "never back"])
def test_a_handler_without_end_neither_keeps_the_server_nor_the_processor(tmp_path, code):
    calls = tmp_path / "calls"
    with serving(tmp_path, forked=True) as server:
        register(server, content=resource_package(handlers=code % str(calls) if "%r" in code else code))
        server.client("cloudcontrol").create_resource(TypeName=THING, DesiredState=json.dumps({"Name": "one"}))
        time.sleep(2)
        status, said = server.stop()
    assert status == 0, said
    if calls.exists():
        assert 1 < len(calls.read_text()) < 100

    with serving(tmp_path, forked=True) as server:  # the folder is free again, and the request is known
        (request,) = server.client("cloudcontrol").list_resource_requests()["ResourceRequestStatusSummaries"]
        assert request["OperationStatus"] == "IN_PROGRESS"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("endless"), forked=True) as running:
        running.client("s3").create_bucket(Bucket="templates")
        yield running


TOPIC = {"Type": "AWS::SNS::Topic"}


def nested(url, **properties):
    return {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url, **properties}}


@pytest.mark.parametrize(
    ("template", "told", "most"),
    [
        ({"Resources": {"Self": nested("s3://templates/self.json")}}, "without end", 2),
        pytest.param(
            {
                "Parameters": {"N": {"Type": "String", "Default": ""}},
                "Resources": {
                    "Self": nested("s3://templates/self.json", Parameters={"N": {"Fn::Sub": "${N}x"}}),
                },
            },
            "more than 20 levels deep",
            21,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["the same", "with other parameters"],
)
def test_a_template_that_names_itself_ends(server, template, told, most):
    cloudformation = server.client("cloudformation")
    server.client("s3").put_object(Bucket="templates", Key="self.json", Body=json.dumps(template))
    name = f"self-{most}"
    cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(template))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(
            StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60}
        )
    made = cloudformation.get_paginator("list_stacks").paginate().build_full_result()["StackSummaries"]
    mine = [each for each in made if each["StackName"].startswith(name)]
    assert len(mine) <= most
    assert {each["StackStatus"] for each in mine} <= {"ROLLBACK_COMPLETE", "DELETE_COMPLETE"}
    reasons = []
    for each in mine:
        events = cloudformation.describe_stack_events(StackName=each["StackId"])["StackEvents"]
        reasons += [event.get("ResourceStatusReason", "") for event in events]
    assert any(told in reason for reason in reasons)


def test_a_change_set_with_nested_stacks_of_the_same_template_ends(server):
    cloudformation = server.client("cloudformation")
    template = json.dumps({"Resources": {"Self": nested("s3://templates/again.json")}})
    server.client("s3").put_object(Bucket="templates", Key="again.json", Body=template)
    cloudformation.create_change_set(
        StackName="again", ChangeSetName="all", ChangeSetType="CREATE", IncludeNestedStacks=True, TemplateBody=template
    )
    described = cloudformation.describe_change_set(StackName="again", ChangeSetName="all")
    assert described["Status"] == "FAILED"
    assert "without end" in described["StatusReason"]


def template_of(**sections):
    return read_template(parse_document(json.dumps(sections), name="template")).template


def chain(text, depth, value="x" * 8):
    for _ in range(depth):
        value = {"Fn::Sub": [text, {"a": value}]}
    return value


def json_chain(depth):
    value = '"'
    for _ in range(depth):
        value = {"Fn::ToJsonString": {"a": value}}
    return value


@pytest.mark.parametrize(
    "value",
    [
        chain("${a}" * 8, 12),
        {"Fn::Join": ["x" * 4000, {"Fn::Split": ["a", "a" * 4000]}]},
        json_chain(40),
        [chain("${a}" * 10, 4, "x" * 90)] * 10,
    ],
    ids=["Sub", "Join", "ToJsonString", "many"],
)
def test_values_are_measured_before_they_are_built(value):
    template = template_of(Resources={"One": {"Type": "Acme::A::B", "Properties": {"P": value}}})
    with pytest.raises(EvaluationError, match="Template may not exceed 1000000 bytes"):
        Evaluator(template, Environment()).properties(template.resources["One"])


def test_a_variable_that_is_named_twice_is_worked_out_once():
    template = template_of(Resources={"One": {"Type": "Acme::A::B", "Properties": {"P": chain("${a}${a}", 60, "")}}})
    assert Evaluator(template, Environment()).properties(template.resources["One"]) == {"P": ""}


def test_loops_are_measured_before_they_are_expanded():
    body = {"${a}${b}${c}${d}${e}": {"Type": "Acme::A::B", "Properties": {"P": "${a}" * 20}}}
    for name in "edcba":
        body = {f"Fn::ForEach::{name.upper()}": [name, [f"{name}{i}" for i in range(20)], body]}
    template = template_of(Transform="AWS::LanguageExtensions", Resources=body)
    with pytest.raises(EvaluationError, match="may not exceed 1000000 bytes"):
        apply_language_extensions(template, Environment())


def test_modules_in_modules_are_counted_as_they_are_expanded():
    def fragment(inner, count=400):
        return template_of(Resources={f"R{i}": {"Type": inner, "Properties": {}} for i in range(count)})

    modules = {"A::A::A::MODULE": fragment("A::A::B::MODULE"), "A::A::B::MODULE": fragment("A::A::C::MODULE")}
    modules["A::A::C::MODULE"] = fragment("Acme::Store::Thing")
    expansion = expand_modules(fragment("A::A::A::MODULE"), modules.get)
    assert any("resources" in each.message for each in expansion.diagnostics)
    assert len(expansion.value["Resources"]) < 2000


def test_values_of_module_parameters_are_measured_before_they_are_written_out():
    fragment = template_of(
        Parameters={"P": {"Type": "String"}},
        Resources={f"R{i}": {"Type": "Acme::A::B", "Properties": {"P": {"Ref": "P"}}} for i in range(400)},
    )
    using = template_of(Resources={"M": {"Type": "A::A::A::MODULE", "Properties": {"P": "x" * 10_000}}})
    expansion = expand_modules(using, {"A::A::A::MODULE": fragment}.get)
    assert [each.message for each in expansion.diagnostics] == ["the expanded template has more than 1000000 bytes"]


TOO_MANY_REFERENCES = "Number of dynamic references, 61, is greater than maximum allowed, 60"


def referring(count):
    """A template with so many dynamic references, in its parameters, resources and outputs."""
    return {
        "Parameters": {"P": {"Type": "String", "Default": "{{resolve:ssm:default}}"}},
        "Resources": {
            "One": {"Type": "Acme::A::B", "Properties": {"P": ["{{resolve:ssm:a}} {{resolve:ssm:a}}"] * 20}},
            "Two": {"Type": "Acme::A::B", "Properties": {"P": ["{{resolve:ssm:b}}"] * (count - 42)}},
        },
        "Outputs": {"O": {"Value": {"Fn::Sub": "{{resolve:ssm:${P}}}"}}},
    }


def test_dynamic_references_are_counted():
    assert read_template(parse_document(json.dumps(referring(60)), name="template")).diagnostics == ()
    (told,) = read_template(parse_document(json.dumps(referring(61)), name="template")).diagnostics
    assert TOO_MANY_REFERENCES in told.message
    assert (told.code, told.location.pointer) == ("template.limit", "/Resources")


def test_dynamic_references_are_counted_after_modules():
    fragment = template_of(
        Parameters={"P": {"Type": "String"}},
        Resources={"R": {"Type": "Acme::A::B", "Properties": {"P": [{"Ref": "P"}] * 61}}},
    )
    for value, told in (("x", []), ("{{resolve:ssm:a}}", ["the expanded template has 61 dynamic references"])):
        using = template_of(Resources={"M": {"Type": "A::A::A::MODULE", "Properties": {"P": value}}})
        expansion = expand_modules(using, {"A::A::A::MODULE": fragment}.get)
        assert [each.message for each in expansion.diagnostics] == told


def looping(count):
    body = {"R${I}": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "{{resolve:ssm:a}}"}}}
    return {
        "Transform": "AWS::LanguageExtensions",
        "Resources": {"Fn::ForEach::Loop": ["I", [f"i{i}" for i in range(count)], body]},
    }


def test_dynamic_references_are_counted_after_loops(server):
    cloudformation = server.client("cloudformation")
    cloudformation.create_stack(
        StackName="loops", TemplateBody=json.dumps(looping(61)), Capabilities=["CAPABILITY_AUTO_EXPAND"]
    )
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="loops", WaiterConfig={"Delay": 1})
    events = cloudformation.describe_stack_events(StackName="loops")["StackEvents"]
    assert any(TOO_MANY_REFERENCES in each.get("ResourceStatusReason", "") for each in events)


@pytest.mark.parametrize(
    ("template", "parameters", "told"),
    [
        (referring(61), {}, TOO_MANY_REFERENCES),
        (
            {"Conditions": {"A": {"Condition": "B"}, "B": {"Condition": "A"}}, "Resources": {}},
            {},
            "Circular dependency between conditions",
        ),
        ({"Parameters": {"P": {"Type": "String"}}, "Resources": {}}, {"P": "x" * 4097}, "at most 4096 bytes"),
    ],
    ids=["dynamic references", "conditions", "parameter"],
)
def test_a_template_that_is_refused(server, template, parameters, told):
    template = {**template, "Resources": template["Resources"] or {"Topic": TOPIC}}
    given = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    with pytest.raises(ClientError, match=told):
        server.client("cloudformation").create_stack(
            StackName="refused", TemplateBody=json.dumps(template), Parameters=given
        )


def test_no_clock_that_is_set_moves_what_is_due(monkeypatch):
    clock = SteadyClock()
    before, wall = clock(), time.time()
    for jump in (-86_400, 86_400):
        monkeypatch.setattr(time, "time", lambda by=jump: wall + by)
        assert 0 <= clock() - before < 60
        assert SteadyClock(latest=before)() >= before


def connect(server):
    place = urllib.parse.urlsplit(server.url)
    return socket.create_connection((place.hostname, place.port), timeout=30)


def test_a_body_without_end_is_not_read_on(server):
    with connect(server) as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        piece = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"
        sent: list[int] = []
        with contextlib.suppress(OSError):  # reset, or a broken pipe
            while len(sent) < 200:
                client.sendall(piece)
                sent.append(len(piece))
    assert len(sent) < 100


def test_a_form_of_two_megabytes_is_refused_by_its_fields(server):
    place = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    with contextlib.closing(connection):
        connection.request("POST", "/", "a=&" * 600_000, headers)
        answer = connection.getresponse()
        assert answer.status == 400
        assert b"fields" in answer.read()


async def _start(protocol, handler):
    import uvicorn

    config = uvicorn.Config(handler, http=protocol, ws="none", lifespan="off", log_config=None, access_log=False)
    config.load()
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    running = asyncio.ensure_future(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    return server, running, listener.getsockname()[1]


async def _hello(scope, receive, send):
    del scope
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def test_idle_connections_make_room_and_heads_have_an_end(monkeypatch):
    monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.5)
    protocol = type("Few", (connections.BoundedProtocol,), {"most": 5})

    async def attack():
        server, running, port = await _start(protocol, _hello)
        try:
            waiting = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await asyncio.wait_for(reader.readline(), 10)).startswith(b"HTTP/1.1 200")
            writer.write(b"GET / HTTP/1.1\r\nHo")  # and never more
            await asyncio.wait_for(reader.read(), 10)
            for other, _ in waiting:
                assert await asyncio.wait_for(other.read(), 10) == b""
            for _, each in (*waiting, (reader, writer)):
                each.close()
        finally:
            server.should_exit = True
            await running

    asyncio.run(attack())


def test_a_client_that_falls_silent_within_its_body_is_answered(server, monkeypatch):
    del monkeypatch
    from starlette.requests import Request

    async def receive():
        await asyncio.sleep(60)

    async def read():
        request = Request({"type": "http", "headers": []}, receive)
        with pytest.raises(bodies.ApiError, match="not read from"):
            await bodies.read_body(request, limit=10)

    bodies._SILENCE_SECONDS, before = 0.1, bodies._SILENCE_SECONDS
    try:
        asyncio.run(read())
    finally:
        bodies._SILENCE_SECONDS = before


@pytest.mark.parametrize("token", ["junk", "-1", "9" * 30, "9" * 5000, "²", "bnVsbA==", "W3sgfV0="])
def test_junk_tokens_of_pages_are_refused(server, token):
    cloudformation, control = server.client("cloudformation"), server.client("cloudcontrol")
    server.client("cloudformation").get_template_summary(TemplateBody=json.dumps({"Resources": {"T": TOPIC}}))
    asks = [
        cloudformation.list_stack_sets,
        cloudformation.list_stacks,
        cloudformation.describe_stacks,
        cloudformation.list_types,
        cloudformation.list_type_registrations,
        control.list_resource_requests,
    ]
    for ask in asks:
        with pytest.raises(ClientError) as refused:
            ask(NextToken=token[:1024])
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_stack_too_many_is_refused(server, monkeypatch):
    del monkeypatch
    from formwork.aws.scope import Scope
    from formwork.engine import quotas
    from formwork.stacks.errors import StackError

    class Many:
        def execute(self, _query):
            return self

        def scalar_one(self):
            return quotas.MAX_STACKS

    with pytest.raises(StackError, match="Limit for stack") as refused:
        quotas.expect_room(Many(), Scope("111111111111", "us-east-1"))
    assert refused.value.code == "LimitExceededException"


def test_requests_are_answered_while_a_large_one_is_read(server):
    answered = []

    def ask():
        server.client("sts").get_caller_identity()
        answered.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert len(answered) == 4
