"""Runs with failures, over handlers in this process that call a service of two lines."""

import contextlib
import json
from collections import Counter

import pytest

from formwork.contract.inputs import GivenInputs
from formwork.contract.memory import Effort
from formwork.contract.subject import ResourceSubject
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import DocumentFormat, parse_document
from formwork.egress.faults.injector import Injector
from formwork.egress.messages import BrokenConnectionError, Outgoing, Reply
from formwork.faults.run import FaultRun
from formwork.faults.scenario import parse_faults, planned
from formwork.faults.world import World, counted, made_since, told
from formwork.invoke import HandlerSession
from formwork.invoke.answer import Answer, error_body
from formwork.lambda_host.http_messages import Request
from formwork.schema.resource import build_resource_schema

SCHEMA = {
    "typeName": "Acme::Store::Lamp",
    "description": "A lamp.",
    "properties": {"Name": {"type": "string"}, "Colour": {"type": "string"}, "Key": {"type": "string"}},
    "required": ["Name"],
    "additionalProperties": False,
    "primaryIdentifier": ["/properties/Name"],
    "createOnlyProperties": ["/properties/Name"],
    "writeOnlyProperties": ["/properties/Key"],
    "tagging": {"taggable": False},
    "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
}
CODES = {
    429: "Throttling",
    503: "ServiceInternalError",
    403: "AccessDenied",
    401: "InvalidCredentials",
    404: "NotFound",
}


class Shop:
    """The service: lamps and their lights, by name."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.kept = {"lamps": {}, "lights": {}}

    def contents(self):
        return {f"shop {place}": frozenset(things) for place, things in self.kept.items() if things}

    def __call__(self, outgoing):
        _, place, *rest = outgoing.path.split("/")
        method, things = outgoing.request.method, self.kept[place]
        if not rest:
            return Reply(200, json.dumps(sorted(things)).encode())
        if method == "PUT":
            things[rest[0]] = json.loads(outgoing.request.body)
        elif rest[0] not in things:
            return Reply(404)
        body = json.dumps(things[rest[0]]).encode()
        if method == "DELETE":
            del things[rest[0]]
        return Reply(200, body)


class Failed(Exception):
    pass


class Handlers:
    """A sound type; subclasses break it. `transport` is what a session calls."""

    def __init__(self, responder):
        self._respond = responder

    def ask(self, method, path, body=None):
        request = Request(method, path, "", {}, json.dumps(body).encode() if body is not None else b"")
        try:
            reply = self._respond(Outgoing("https", "shop.example", 443, request))
        except BrokenConnectionError as broken:
            if broken.kills:
                raise
            raise Failed("NetworkFailure", "no answer") from None
        if reply.status >= 300:
            raise Failed(self.code_of(reply.status), f"the shop answers {reply.status}")
        return json.loads(reply.body)

    def code_of(self, status):
        return CODES[status]

    def invoke(self, payload, *, timeout=None):
        model = payload["requestData"].get("resourceProperties") or {}
        try:
            event = getattr(self, payload["action"].lower())(model, payload["bearerToken"])
        except Failed as failed:
            event = self.failed(*failed.args, model)
        except BrokenConnectionError:
            return Answer(
                error_body("Runtime.ExitError", "RequestId: 1 Error: Runtime exited with error: signal: killed"),
                "Unhandled",
            )
        return Answer(json.dumps(event).encode())

    def failed(self, code, message, model):
        event = {"status": "FAILED", "errorCode": code, "message": message}
        return (
            event if code in {"NotFound", "AlreadyExists"} else {**event, "resourceModel": {"Name": model.get("Name")}}
        )

    def create(self, model, token):
        if self.token_of(model["Name"]) not in (None, token):
            raise Failed("AlreadyExists", "there is a lamp of that name")
        return self.write(model, token)

    def token_of(self, name):
        try:
            return self.ask("GET", f"/lamps/{name}")["token"]
        except Failed as failed:
            if failed.args[0] != "NotFound":
                raise
            return None

    def write(self, model, token):
        self.ask("PUT", f"/lamps/{model['Name']}", {"token": token})
        self.ask("PUT", f"/lights/{model['Name']}", model)
        return self.success(model)

    def success(self, model):
        return {"status": "SUCCESS", "resourceModel": {name: each for name, each in model.items() if name != "Key"}}

    def read(self, model, _token):
        self.ask("GET", f"/lamps/{model['Name']}")
        return self.success(self.ask("GET", f"/lights/{model['Name']}"))

    def update(self, model, token):
        self.ask("GET", f"/lamps/{model['Name']}")
        return self.write(model, token)

    def delete(self, model, _token):
        self.ask("GET", f"/lamps/{model['Name']}")
        try:
            self.ask("DELETE", f"/lights/{model['Name']}")
        except Failed as failed:
            if failed.args[0] != "NotFound":
                raise
        self.ask("DELETE", f"/lamps/{model['Name']}")
        return {"status": "SUCCESS"}

    def list(self, _model, _token):
        return {"status": "SUCCESS", "resourceModels": [{"Name": name} for name in self.ask("GET", "/lamps")]}


def run(handlers=Handlers, faults="all", effort=Effort.QUICK, *, seen=True):
    shop, injector = Shop(), Injector(sleep=lambda _seconds: None)
    schema = build_resource_schema(parse_document(json.dumps(SCHEMA), name="lamp.json", format=DocumentFormat.JSON))
    inputs = GivenInputs(
        schema,
        create={"Name": "blue-lamp", "Colour": "blue", "Key": "a-key-that-is-secret"},
        update={"Name": "blue-lamp", "Colour": "red", "Key": "a-key-that-is-secret"},
    )
    session = HandlerSession(handlers(injector.around(shop)), SCHEMA["typeName"], sleep=lambda _seconds: None)
    subject = ResourceSubject(schema, session, inputs, effort=effort)
    result = SuiteResult()
    FaultRun(
        subject,
        injector,
        World((shop,) if seen else (), () if seen else ("shop.example",)),
        parse_faults(faults),
        result.receive,
    ).run()
    return result


def found(result):
    return {(each.clause, each.message.partition(": ")[0]) for each in result.findings}


def test_a_sound_type_keeps_all_clauses():
    result = run()
    assert result.findings == []
    assert result.proved == {each.clause for each in result.clauses}
    names = {test.name for test in result.tests}
    assert "create/PUT shop.example/lights/{}#1/kill-after" in names
    assert "delete/GET shop.example/lamps/{}#1/throttle-always" in names
    assert Counter(name.partition("/")[0] for name in names)["read"] == 2 * 10


def test_thorough_runs_have_each_way_to_fail():
    names = {test.name.rpartition("/")[2] for test in run(effort=Effort.THOROUGH, faults="reset").tests}
    assert names == {"reset", "reset-once", "reset-thrice", "reset-always"}


def test_a_wrong_code_is_named_with_its_call():
    class WrongCode(Handlers):
        def code_of(self, status):
            return "InternalFailure" if status == 429 else CODES[status]

    (finding,) = run(WrongCode, "create/PUT shop.example/lights/{}#1/throttle").findings
    assert finding.clause == "faults.code"
    assert (
        finding.message
        == "CREATE, with `PUT shop.example/lights/{}` throttled: FAILED with InternalFailure, not Throttling"
    )


def test_the_same_at_other_calls_is_one_finding():
    class WrongCode(Handlers):
        def code_of(self, status):
            return "InternalFailure" if status == 429 else CODES[status]

    messages = [
        each.message
        for each in run(WrongCode, "throttle").findings
        if each.clause == "faults.code" and each.message.startswith("CREATE")
    ]
    assert any("; and so with `PUT shop.example/lamps/{}`" in each for each in messages), messages


def test_a_failure_that_is_swallowed_is_found():
    class Swallows(Handlers):
        def write(self, model, token):
            self.ask("PUT", f"/lamps/{model['Name']}", {"token": token})
            with contextlib.suppress(Failed):
                self.ask("PUT", f"/lights/{model['Name']}", model)
            return self.success(model)

    assert ("faults.success", "CREATE, with `PUT shop.example/lights/{}` denied") in found(run(Swallows, "denied"))


def test_a_create_that_does_not_know_its_token_is_found():
    class Forgets(Handlers):
        def create(self, model, token):
            if model["Name"] in self.ask("GET", "/lamps"):
                raise Failed("AlreadyExists", "it exists")
            return self.write(model, token)

    result = run(Forgets, "kill")
    assert ("faults.leak", "CREATE, killed after `PUT shop.example/lamps/{}`") in found(result)
    (leak,) = [
        each
        for each in result.findings
        if each.clause == "faults.leak" and "kill" in each.message and "lamps" in each.message.partition(":")[0]
    ]
    assert (
        "the same request again is FAILED with AlreadyExists, and this is left behind: shop lamps blue-lamp"
        in leak.message
    )


def test_a_delete_that_gives_up_half_way_is_found():
    class HalfWay(Handlers):
        def delete(self, model, _token):
            self.ask("DELETE", f"/lamps/{model['Name']}")
            self.ask("DELETE", f"/lights/{model['Name']}")
            return {"status": "SUCCESS"}

    assert ("faults.leak", "DELETE, with `DELETE shop.example/lights/{}` throttled") in found(run(HalfWay, "throttle"))


def test_a_poll_without_an_end_is_found():
    class Polls(Handlers):
        def create(self, model, token):
            self.ask("PUT", f"/lamps/{model['Name']}", {"token": token})
            self.ask("PUT", f"/lights/{model['Name']}", model)
            try:
                self.ask("GET", f"/lights/{model['Name']}")
            except Failed:
                return {"status": "IN_PROGRESS", "callbackContext": {}, "resourceModel": {"Name": model["Name"]}}
            return self.success(model)

    assert ("faults.end", "CREATE, with `GET shop.example/lights/{}` throttled each time") in found(
        run(Polls, "throttle")
    )


def test_a_secret_in_a_message_is_found():
    class Tells(Handlers):
        def failed(self, code, message, model):
            return super().failed(code, f"{message} for {model.get('Key')}", model)

    result = run(Tells, "create/PUT shop.example/lamps/{}#1/denied")
    assert [each.clause for each in result.findings] == ["faults.secret"]


def test_a_thing_made_twice_is_found():
    class Twice(Handlers):
        def create(self, model, token):
            self.ask("PUT", f"/lights/{token}-{len(self.ask('GET', '/lights'))}", {})
            return super().create(model, token)

        def delete(self, model, token):
            for name in self.ask("GET", "/lights"):
                self.ask("DELETE", f"/lights/{name}")
            self.ask("DELETE", f"/lamps/{model['Name']}")
            return {"status": "SUCCESS"}

    assert any(clause == "faults.once" for clause, _ in found(run(Twice, "5xx")))


def test_handlers_that_fail_by_themselves_are_not_judged():
    class Broken(Handlers):
        def create(self, model, token):
            raise Failed("InvalidRequest", "no lamps today")

    with pytest.raises(
        BadInputError, match="CREATE does not succeed without failures: FAILED with InvalidRequest: no lamps today"
    ):
        run(Broken)


def test_what_was_not_injected_is_said():
    result = run(faults="create/PUT shop.example/desks/{}#1/reset", seen=False)
    assert result.tests[0].skipped == "the call did not come: nothing was injected"
    assert "not injected: create/PUT shop.example/desks/{}#1/reset" in result.finished.sampled
    assert any("shop.example" in line and "not seen" in line for line in result.finished.sampled)
    assert result.proved == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "loud",
        "throttle,",
        "create/x",
        "make/iam A#1/reset",
        "create/iam A#0/reset",
        "create/iam A#1/loud",
        "create/#1/reset",
    ],
)
def test_what_is_no_failure_is_refused(text):
    with pytest.raises(UsageError):
        parse_faults(text)


def test_scenarios_are_read_as_they_are_written():
    (scenario,) = parse_faults("create/GET api.example.com/v1/a#b/{}#2/kill-after").scenarios
    assert str(scenario) == "create/GET api.example.com/v1/a#b/{}#2/kill-after"
    assert scenario.told == "killed after `GET api.example.com/v1/a#b/{}`"
    assert planned({}, parse_faults("all"), Effort.QUICK)[0] == []


def test_what_exists_is_told():
    before = {"iam roles": frozenset({"old"})}
    after = {
        "iam roles": frozenset({"old", "web"}),
        "iam roles.policies": frozenset({"web/inline"}),
        "sns topics": frozenset({"t"}),
    }
    made = made_since(before, after, {"sns topics"})
    assert counted(made) == {"iam roles": 1, "iam roles.policies": 1}
    assert told(made) == "iam roles web"
    assert (
        told({"s3 buckets": frozenset("abcdef")}) == "s3 buckets a, s3 buckets b, s3 buckets c, s3 buckets d and 2 more"
    )
