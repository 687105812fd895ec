"""Failures injected into calls: which call fails, how often, and how."""

import json

import pytest

from formwork.egress.faults.fault import FAULTS, Fault, FaultKind, Injection, Persistence
from formwork.egress.faults.injector import HOLD_SECONDS, SLOW_SECONDS, Injector
from formwork.egress.messages import BrokenConnectionError, Outgoing, Reply
from formwork.lambda_host.http_messages import Request

HOST = "api.example.com"


def call(method, path, body=None, **headers):
    data = b"" if body is None else json.dumps(body).encode()
    return Outgoing("https", HOST, 443, Request(method, path, "", headers, data))


def iam(action, **members):
    form = "&".join(["Version=2010-05-08", f"Action={action}", *(f"{name}={value}" for name, value in members.items())])
    signed = "AWS4-HMAC-SHA256 Credential=AK/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0"
    headers = {"content-type": "application/x-www-form-urlencoded", "authorization": signed}
    return Outgoing("https", "iam.amazonaws.com", 443, Request("POST", "/", "", headers, form.encode()))


class Service:
    """Things by their names, which it creates, shows and deletes."""

    def __init__(self):
        self.things = {}
        self.asked = []

    def __call__(self, outgoing):
        request = outgoing.request
        self.asked.append((request.method, request.path))
        name = request.path.rpartition("/")[2]
        if outgoing.host != HOST:
            return Reply(200)
        if request.method == "POST":
            self.things[json.loads(request.body)["name"]] = json.loads(request.body)
            return Reply(201, request.body)
        if request.method == "PUT":
            self.things[name] = json.loads(request.body)
            return Reply(200, request.body)
        if name not in self.things:
            return Reply(404, json.dumps({"missing": name}).encode())
        return Reply(200, json.dumps(self.things[name]).encode())


@pytest.fixture
def waits():
    return []


@pytest.fixture
def injector(waits):
    return Injector(sleep=waits.append)


@pytest.fixture
def service():
    return Service()


def begin(injector, name, fault, occurrence=1):
    injector.begin(Injection(name, occurrence, FAULTS[fault]))


def test_calls_are_named_without_their_ids(injector, service):
    answer = injector.around(service)
    injector.begin()
    answer(call("POST", "/v1/things", {"name": "blue-lamp"}))
    answer(call("GET", "/v1/things/blue-lamp"))
    answer(call("GET", "/v1/things/0c9a8b7f"))
    answer(iam("GetRole", RoleName="web"))
    assert [(each.name, each.reads, each.after_write) for each in injector.seen] == [
        ("POST api.example.com/v1/things", False, False),
        ("GET api.example.com/v1/things/{}", True, True),
        ("GET api.example.com/v1/things/{}", True, True),
        ("iam GetRole", True, True),
    ]


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("throttle", 400, "Throttling"),
        ("5xx", 500, "InternalFailure"),
        ("denied", 403, "AccessDenied"),
        ("expired", 403, "ExpiredToken"),
    ],
)
def test_aws_refuses_in_its_own_words(injector, service, kind, status, code):
    begin(injector, "iam CreateRole", kind)
    reply = injector.around(service)(iam("CreateRole", RoleName="web"))
    assert reply.status == status
    assert f"<Code>{code}</Code>".encode() in reply.body
    assert (reply.fault, injector.injected, service.asked) == (kind, 1, [])


@pytest.mark.parametrize(("kind", "status"), [("throttle", 429), ("5xx", 503), ("denied", 403), ("expired", 401)])
def test_other_services_refuse_by_status(injector, service, kind, status):
    begin(injector, "GET api.example.com/v1/things", kind)
    assert injector.around(service)(call("GET", "/v1/things")).status == status


def test_a_call_fails_for_one_invocation(injector, service):
    answer = injector.around(service)
    begin(injector, "POST api.example.com/v1/things", "5xx")
    lamp, desk = call("POST", "/v1/things", {"name": "lamp"}), call("POST", "/v1/things", {"name": "desk"})
    assert [answer(lamp).status, answer(lamp).status, answer(desk).status] == [503, 503, 201]
    injector.next_invocation()
    assert answer(lamp).status == 201
    assert injector.injected == 2


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [("5xx-once", [503, 200, 200, 200]), ("5xx-thrice", [503, 503, 503, 200]), ("5xx-always", [503] * 4)],
)
def test_a_call_fails_so_often(injector, service, fault, statuses):
    service.things["lamp"] = {}
    begin(injector, "GET api.example.com/v1/lamp", fault)
    answer = injector.around(service)
    found = []
    for _ in statuses:
        found.append(answer(call("GET", "/v1/lamp")).status)
        injector.next_invocation()
    assert found == statuses


def test_a_later_call_of_the_name_fails(injector, service):
    answer = injector.around(service)
    begin(injector, "POST api.example.com/v1/things", "denied", occurrence=2)
    assert [answer(call("POST", "/v1/things", {"name": name})).status for name in ("lamp", "desk", "chair")] == [
        201,
        403,
        201,
    ]


def test_without_an_injection_nothing_fails(injector, service):
    begin(injector, "POST api.example.com/v1/things", "5xx-always")
    injector.begin()
    assert injector.around(service)(call("POST", "/v1/things", {"name": "lamp"})).status == 201


def test_connections_break(injector, service, waits):
    for fault, waited in (("reset", []), ("timeout", [HOLD_SECONDS])):
        begin(injector, "GET api.example.com/v1/things", fault)
        waits.clear()
        with pytest.raises(BrokenConnectionError, match=fault) as broken:
            injector.around(service)(call("GET", "/v1/things"))
        assert (broken.value.kills, waits, service.asked) == (False, waited, [])


def test_processes_are_killed_before_and_after_the_call(injector, service):
    for fault, asked in (("kill-before", []), ("kill-after", [("POST", "/v1/things")])):
        begin(injector, "POST api.example.com/v1/things", fault)
        with pytest.raises(BrokenConnectionError) as broken:
            injector.around(service)(call("POST", "/v1/things", {"name": "lamp"}))
        assert (broken.value.kills, service.asked) == (True, asked)


def test_a_slow_answer_is_the_service_s(injector, service, waits):
    begin(injector, "POST api.example.com/v1/things", "slow")
    reply = injector.around(service)(call("POST", "/v1/things", {"name": "lamp"}))
    assert (reply.status, reply.fault, waits) == (201, "slow", [SLOW_SECONDS])


def test_a_thing_that_was_just_created_does_not_show(injector, service):
    answer = injector.around(service)
    begin(injector, "GET api.example.com/v1/things/{}", "stale")
    answer(call("POST", "/v1/things", {"name": "blue-lamp-7"}))
    replies = [answer(call("GET", "/v1/things/blue-lamp-7")) for _ in range(4)]
    assert [each.status for each in replies] == [404, 404, 404, 200]
    assert json.loads(replies[0].body) == {"missing": "blue-lamp-7"}


def test_a_change_does_not_show(injector, service):
    answer = injector.around(service)
    injector.begin()
    answer(call("PUT", "/v1/things/lamp", {"colour": "red"}))
    injector.begin()
    answer(call("GET", "/v1/things/lamp"))
    begin(injector, "GET api.example.com/v1/things/lamp", "stale")
    answer(call("PUT", "/v1/things/lamp", {"colour": "blue"}))
    shown = [json.loads(answer(call("GET", "/v1/things/lamp")).body)["colour"] for _ in range(4)]
    assert shown == ["red", "red", "red", "blue"]


def test_what_was_read_before_an_earlier_write_is_not_shown(injector, service):
    answer = injector.around(service)
    injector.begin()
    answer(call("PUT", "/v1/things/lamp", {"colour": "red"}))
    answer(call("GET", "/v1/things/lamp"))
    answer(call("PUT", "/v1/things/lamp", {"colour": "green"}))
    begin(injector, "GET api.example.com/v1/things/lamp", "stale")
    answer(call("PUT", "/v1/things/lamp", {"colour": "blue"}))
    assert answer(call("GET", "/v1/things/lamp")).status == 404, (
        "nothing is known of the time before but that it was not blue"
    )


def test_reads_before_the_first_write_are_not_stale(injector, service):
    service.things["lamp"] = {"colour": "red"}
    begin(injector, "GET api.example.com/v1/things/lamp", "stale")
    assert injector.around(service)(call("GET", "/v1/things/lamp")).fault == ""
    assert injector.injected == 0


def test_names_of_failures():
    assert str(Fault(FaultKind.THROTTLE, Persistence.INVOCATION)) == "throttle"
    assert str(Fault(FaultKind.THROTTLE, Persistence.ALWAYS)) == "throttle-always"
    assert str(Fault(FaultKind.KILL, Persistence.BEFORE)) == "kill-before"
    assert str(Fault(FaultKind.STALE, Persistence.THRICE)) == "stale"
    assert all(str(fault) == name for name, fault in FAULTS.items())
