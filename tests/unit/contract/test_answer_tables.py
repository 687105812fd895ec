"""What is found in single answers, of each action, status and kind of mistake, compared with golden files."""

import itertools
import json

from formwork.contract.answers import (
    check_exchange,
    check_hook_exchange,
    concerned_clauses,
    concerned_hook_clauses,
)
from formwork.contract_results.findings import ABSENT
from formwork.invoke import Answer, Exchange
from formwork.invoke.answer import UNHANDLED, parse_event
from support.contract_subjects import subject_of
from support.hooks import POINTS
from support.shapes import SHAPES

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
MODEL = {"Name": "abcdefgh", "Id": "abcdef123456", "Title": "a"}
# What an answer has beside its status, which is one of each below.
MEMBERS = {
    "nothing": {},
    "a model": {"resourceModel": MODEL},
    "a model without an identifier": {"resourceModel": {"Title": "a"}},
    "a model with part of one": {"resourceModel": {"Name": "", "Id": None, "Title": "a"}},
    "no object as model": {"resourceModel": ["a"]},
    "null as model": {"resourceModel": None},
    "models": {"resourceModels": [MODEL, MODEL]},
    "no models": {"resourceModels": []},
    "null as models": {"resourceModels": None},
    "an object as models": {"resourceModels": {"a": 1}},
    "entries without identifiers": {"resourceModels": [MODEL, {"Title": "a"}, {}, {"Title": "b"}, {"Title": "c"}]},
    "a wrong type": {"resourceModel": {**MODEL, "Size": "many"}},
    "an undeclared property": {"resourceModel": {**MODEL, "Other": 1, "Settings": {"Other": 2}}},
    "a null": {"resourceModel": {**MODEL, "Size": None, "Settings": {"Mode": None}}},
    "what is writeOnly": {"resourceModel": {**MODEL, "Password": "a long secret"}},
    "a wrong entry": {"resourceModels": [{**MODEL, "Size": "many", "Kind": None, "Password": "a long secret"}]},
    "a code": {"errorCode": "NotFound", "resourceModel": MODEL},
    "an unknown code": {"errorCode": "Odd", "message": "m"},
    "a code alone": {"errorCode": "AlreadyExists"},
    "a blank message": {"errorCode": "NotUpdatable", "message": " "},
    "a number as message": {"errorCode": "NotFound", "message": 5},
    "a whole failure": {"errorCode": "NotFound", "message": "m"},
    "an empty code": {"errorCode": "", "resourceModel": MODEL},
    "a delay": {"callbackDelaySeconds": 5, "resourceModel": MODEL, "errorCode": None},
    "a negative delay": {"callbackDelaySeconds": -1, "resourceModel": MODEL},
    "half a second": {"callbackDelaySeconds": 0.5, "resourceModel": MODEL},
    "a delay that is true": {"callbackDelaySeconds": True, "resourceModel": MODEL},
    "a delay as text": {"callbackDelaySeconds": "5", "resourceModel": MODEL},
    "a synchronous failure": {"errorCode": "InternalFailure", "message": "READ handler must return synchronously"},
}
STATUSES = ("SUCCESS", "FAILED", "IN_PROGRESS", "PENDING")
OTHERS = {
    "an unknown status": {"status": "DONE"},
    "no status": {"message": "m"},
    "a number as status": {"status": 5},
    "a hook's status": {"hookStatus": "SUCCESS"},
}
BODIES = {
    "no JSON": Answer(b"nothing", None, 1.0),
    "an array": Answer(b"[1]", None, 1.0),
    "null": Answer(b"null", None, 1.0),
    "an error": Answer(b'{"errorType": "KeyError", "errorMessage": "zone"}', UNHANDLED, 1.0),
    "a hang": Answer(b'{"errorType": "Sandbox.Timedout", "errorMessage": "timed out"}', UNHANDLED, 99.0),
}


def of_type(schema, value):
    """`value` without the identifier that the type does not have."""
    if isinstance(value, dict):
        return {
            name: of_type(schema, each)
            for name, each in value.items()
            if name not in {"Name", "Id"} or name in schema.properties
        }
    return [of_type(schema, each) for each in value] if isinstance(value, list) else value


def sent(action, **properties):
    return {"action": action, "requestData": {"resourceProperties": {"Title": "a", **properties}}}


def exchange(request, given):
    answer = given if isinstance(given, Answer) else Answer(json.dumps(given).encode(), None, 1.0)
    event, problem = parse_event(answer)
    return Exchange(request, answer, event, problem)


def lines(name, findings, clauses):
    yield f"{name}: {', '.join(sorted(clauses)) or '-'}"
    for each in findings:
        differences = [(one.pointer, _value(one.expected), _value(one.actual)) for one in each.differences]
        yield f"    {each.level} {each.clause}: {each.text} {differences or ''}".rstrip()


def _value(value):
    return "(absent)" if value is ABSENT else value


def test_answers_of_resources(golden):
    found = []
    # What the request had too is not the handler's fault; what only the service can name may be missing.
    for name, actions, properties in (("named", ACTIONS, {}), ("generated", ("CREATE",), {"Size": "many"})):
        schema = SHAPES[name]()
        subject = subject_of(None, schema)
        given = {
            f"{status} with {name}": {"status": status, **of_type(schema, members)}
            for status, (name, members) in itertools.product(STATUSES, MEMBERS.items())
        }
        for action, (words, event) in itertools.product(actions, [*given.items(), *OTHERS.items(), *BODIES.items()]):
            one = exchange(sent(action, **properties), event)
            title = f"{schema.type_name.rpartition(':')[2]} {action} {words}"
            found += lines(title, check_exchange(subject, action, one), concerned_clauses(subject, action, one))
    golden("contract/answers/resources.txt", "\n".join(found) + "\n")


def test_answers_that_are_late(golden):
    schema, found = SHAPES["named"](), []
    subject, model = subject_of(None, schema), of_type(schema, MODEL)
    body = json.dumps({"status": "SUCCESS", "resourceModel": model, "resourceModels": [model]}).encode()
    for action, seconds in itertools.product(ACTIONS, (29.9, 30.0, 30.1, 60.0, 60.1)):
        one = exchange(sent(action), Answer(body, None, seconds))
        found += lines(f"{action} after {seconds}", check_exchange(subject, action, one), ())
    for seconds in (5.0, 5.1):
        one = exchange(request("RESOURCE", "t"), Answer(b'{"hookStatus": "SUCCESS"}', None, seconds))
        found += lines(f"hook after {seconds}", check_hook_exchange(one, seconds=5.0, what="the hook"), ())
    golden("contract/answers/late.txt", "\n".join(found) + "\n")


def request(kind, token):
    return {"clientRequestToken": token, "actionInvocationPoint": POINTS[0], "requestData": {"targetType": kind}}


HOOK_MEMBERS = {
    **{name: MEMBERS[name] for name in MEMBERS if "code" in name or "message" in name or "delay" in name},
    **{name: MEMBERS[name] for name in ("nothing", "a whole failure", "half a second")},
    "a result": {"result": "x"},
    "null as result": {"result": None},
    "its token": {"clientRequestToken": "t"},
    "another token": {"clientRequestToken": "other"},
    "an empty token": {"clientRequestToken": ""},
}
HOOK_STATUSES = (*STATUSES, "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK", "DONE")


def test_answers_of_hooks(golden):
    found = []
    for kind, token in (("RESOURCE", "t"), ("CHANGE_SET", "t"), ("STACK", None)):
        given = {
            f"{status} with {name}": {"hookStatus": status, **members}
            for status, (name, members) in itertools.product(HOOK_STATUSES, HOOK_MEMBERS.items())
        }
        for name, event in [*given.items(), *OTHERS.items(), *BODIES.items()]:
            one = exchange(request(kind, token), event)
            findings = check_hook_exchange(one, seconds=30.0, what="preCreate")
            found += lines(f"{kind} {name}", findings, concerned_hook_clauses(one))
    golden("contract/answers/hooks.txt", "\n".join(found) + "\n")
