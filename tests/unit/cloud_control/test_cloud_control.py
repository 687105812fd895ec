"""Resources outside any stack."""

import json

import pytest

from formwork.cloud_control import CloudControl, RequestQuery, TypeChoice
from formwork.durable import open_database
from formwork.hooks import FailureMode, HookFailed, HookWaiting, TargetKind
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, Guard, thing_schema

THING = TypeChoice(name="Acme::Web::Thing")


@pytest.fixture
def bench(database):
    bench = Bench(database)
    bench.control = CloudControl(bench.engine, bench.work)
    return bench


def settled(bench, begun):
    return bench.control.describe(HERE, begun.token)


def create(bench, token=None, **model):
    return settled(bench, bench.control.create(HERE, THING, json.dumps(model), token))


def listed(bench, **query):
    return bench.control.list_requests(HERE, RequestQuery(**query))[0]


def test_a_resource_from_its_creation_to_its_end(bench):
    made = create(bench, Color="red", Secret="hush")
    assert (made.status, made.operation) == ("SUCCESS", "CREATE")
    assert "hush" not in json.dumps(made.stage.to_value())
    identifier, model = bench.control.get(HERE, THING, made.identifier)
    assert (identifier, model["Color"]) == (made.identifier, "red")
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    updated = settled(bench, bench.control.update(HERE, THING, identifier, patch))
    assert (updated.status, updated.stage.model["Color"]) == ("SUCCESS", "blue")
    assert [each for each, _ in bench.control.list(HERE, THING, None, None)[0]] == [identifier]
    assert settled(bench, bench.control.delete(HERE, THING, identifier)).status == "SUCCESS"
    with pytest.raises(StackError) as caught:
        bench.control.get(HERE, THING, identifier)
    assert (caught.value.code, caught.value.status) == ("ResourceNotFoundException", 404)
    assert [each.operation for each in listed(bench)] == ["DELETE", "UPDATE", "CREATE"]


def test_a_failure_is_told(bench):
    bench.things.fail("CREATE", code="ServiceLimitExceeded", message="full")
    made = create(bench, Color="red")
    assert (made.status, made.error_code, made.message) == ("FAILED", "ServiceLimitExceeded", "full")


def test_callbacks_and_retries(bench):
    bench.things.answer("CREATE", Failed("Throttling", "slow"), Waiting(3, {"Color": "red"}, {"n": 1}), None)
    start = bench.clock.time
    assert create(bench, Color="red").status == "SUCCESS"
    assert bench.clock.time - start > 3
    assert bench.things.calls[-1].context == {"n": 1}


GONE = Failed("NotFound", "no such thing")


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ([GONE], "FAILED"),
        ([Failed("InternalFailure", "killed", lost=True), Failed("Throttling", "slow"), GONE], "SUCCESS"),
        ([Failed("InternalFailure", "killed", lost=True), Waiting(0, None, {"n": 1}), GONE], "FAILED"),
        ([Failed("Throttling", "slow"), GONE], "FAILED"),
    ],
)
def test_what_a_lost_call_has_deleted_is_deleted(bench, answers, status):
    known = create(bench, Color="red").identifier
    bench.things.answer("DELETE", *answers)
    assert settled(bench, bench.control.delete(HERE, THING, known)).status == status


def test_what_a_killed_process_has_deleted_is_deleted(bench, monkeypatch):
    known = create(bench, Color="red").identifier
    bench.things.answer("DELETE", None, GONE)
    invoke = bench.things.invoke

    def die(call):
        invoke(call)
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(bench.things, "invoke", die)
        with pytest.raises(KeyboardInterrupt):
            bench.control.delete(HERE, THING, known)
    (request,) = [each for each in listed(bench) if each.operation == "DELETE"]
    bench.work.started.clear()
    bench.control.resume()
    assert settled(bench, request).status == "SUCCESS"


def test_a_request_twice(bench):
    first = create(bench, "token-1", Color="red")
    assert create(bench, "token-1", Color="red").token == first.token
    with pytest.raises(StackError) as caught:
        create(bench, "token-1", Color="blue")
    assert caught.value.code == "ClientTokenConflictException"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda control, _: control.create(HERE, TypeChoice(name="Nobody::Has::It"), "{}"), "TypeNotFoundException"),
        (lambda control, _: control.create(HERE, THING, "["), "InvalidRequestException"),
        (lambda control, _: control.create(HERE, THING, "[]"), "InvalidRequestException"),
        (lambda control, _: control.describe(HERE, "no-such-token"), "RequestTokenNotFoundException"),
        (lambda control, _: control.get(HERE, THING, "thing-00000000"), "ResourceNotFoundException"),
        (lambda control, known: control.update(HERE, THING, known, "[{}]"), "InvalidRequestException"),
        (
            lambda control, known: control.update(
                HERE, THING, known, '[{"op": "add", "path": "/Name", "value": "new"}]'
            ),
            "NotUpdatableException",
        ),
    ],
)
def test_what_is_refused(bench, call, code):
    known = create(bench, Color="red").identifier
    with pytest.raises(StackError) as caught:
        call(bench.control, known)
    assert caught.value.code == code


def test_a_request_that_is_given_up(bench):
    bench.things.answer("CREATE", Waiting(60, {"Color": "red"}, {"n": 1}))
    original = bench.work.sleep

    def give_up(seconds):
        original(seconds)
        (running,) = listed(bench)
        if not running.ended and running.status != "CANCEL_IN_PROGRESS":
            bench.control.cancel(HERE, running.token)

    bench.work.sleep = give_up
    assert create(bench, Color="red").status == "CANCEL_COMPLETE"
    (ended,) = listed(bench)
    with pytest.raises(StackError) as caught:
        bench.control.cancel(HERE, ended.token)
    assert (caught.value.code, caught.value.status) == ("ConcurrentModificationException", 500)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ({"Foo": 1}, "#: extraneous key [Foo] is not permitted"),
        ({"Color": 3}, "#/Color: expected type: String, found: Integer"),
        ({"Tags": {"a": True}}, "#/Tags: expected type: JSONArray, found: JSONObject"),
        ({"Id": "thing-00000000"}, "#: readOnlyProperties [/properties/Id] cannot be specified"),
        ({"A": 1, "B": 2}, "#: 2 schema violations found\n#: extraneous key [A] is not permitted\n"),
    ],
)
def test_models_that_are_none(bench, model, message):
    made = create(bench, **model)
    assert (made.status, made.error_code) == ("FAILED", "InvalidRequest")
    assert made.message.startswith(f"Model validation failed ({message}")
    assert bench.things.calls == []


def test_required_properties_that_nobody_can_read(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    bench = Bench(database, thing_schema(required=["Secret", "Color"]))
    bench.control = CloudControl(bench.engine, bench.work)
    assert "required key [Secret] not found" in create(bench, Color="red").message
    known = create(bench, Color="red", Secret="hush-hush").identifier
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    assert settled(bench, bench.control.update(HERE, THING, known, patch)).status == "SUCCESS"
    patch = json.dumps([{"op": "remove", "path": "/Color"}])
    assert settled(bench, bench.control.update(HERE, THING, known, patch)).message == (
        "Model validation failed (#: required key [Color] not found)"
    )
    database.close()


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ('[{"op": "add", "path": "/Arn", "value": "arn:thing:000000"}]', "readOnlyProperties [/properties/Arn]"),
        ('[{"op": "remove", "path": "/Nowhere"}]', "Invalid patch update"),
        ('[{"op": "test", "path": "/Color", "value": "blue"}]', "Invalid patch update"),
        ('[{"op": "leap", "path": "/Color"}]', "Invalid patch update"),
        ('[{"op": "replace", "path": "Color", "value": 1}]', "Invalid patch update"),
        ('["add"]', "Invalid patch update"),
        ('{"op": "add"}', "PatchDocument is not a JSON array"),
        ('[{"op": "replace", "path": "", "value": 1}]', "a resource is a JSON object"),
        ("[" * 100_000, "PatchDocument is not valid JSON"),
    ],
)
def test_patches_that_are_none(bench, patch, message):
    known = create(bench, Color="red").identifier
    with pytest.raises(StackError) as caught:
        bench.control.update(HERE, THING, known, patch)
    assert caught.value.code == "InvalidRequestException"
    assert message in caught.value.message


def test_a_client_token_is_forgotten_after_36_hours(bench):
    first = create(bench, "token-1", Color="red")
    bench.clock.sleep(36 * 3600 + 1)
    second = create(bench, "token-1", Color="blue")
    assert (second.status, second.token != first.token) == ("SUCCESS", True)
    assert create(bench, "token-1", Color="blue").token == second.token


def test_an_update_again_is_the_same_one(bench):
    known = create(bench, Color="red").identifier
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    first = bench.control.update(HERE, THING, known, patch, "token-2")
    assert bench.control.update(HERE, THING, known, patch, "token-2").token == first.token
    with pytest.raises(StackError) as caught:
        bench.control.update(HERE, THING, known, "[]", "token-2")
    assert caught.value.code == "ClientTokenConflictException"


def test_two_requests_on_one_resource(bench):
    known = create(bench, Color="red").identifier
    bench.things.answer("UPDATE", Waiting(5, {"Id": known}, None))
    original = bench.work.sleep
    refused = []

    def meddle(seconds):
        with pytest.raises(StackError) as caught:
            bench.control.delete(HERE, THING, known)
        refused.append(caught.value.code)
        original(seconds)

    bench.work.sleep = meddle
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    assert settled(bench, bench.control.update(HERE, THING, known, patch)).status == "SUCCESS"
    assert refused == ["ConcurrentOperationException"]


def test_requests_are_listed_by_what_they_are_in_pages(bench):
    for colour in ("red", "green", "blue"):
        last = create(bench, Color=colour)
    create(bench, Color=3)
    bench.control.delete(HERE, THING, last.identifier)
    assert len(listed(bench, operations=["CREATE"])) == 4
    assert [each.status for each in listed(bench, statuses=["FAILED"])] == ["FAILED"]
    page, following = bench.control.list_requests(HERE, RequestQuery(size=3))
    rest, end = bench.control.list_requests(HERE, RequestQuery(size=3, start=following))
    assert len({each.token for each in (*page, *rest)}) == 5
    assert end is None
    bench.clock.sleep(8 * 24 * 3600)
    assert listed(bench) == []
    assert settled(bench, rest[-1]) == rest[-1]
    bench.control.resume()
    with pytest.raises(StackError, match="was not found"):
        settled(bench, rest[-1])


def test_a_handler_that_takes_too_long(bench):
    bench.things.answer("CREATE", *[Waiting(3600, {"Color": "red"}, None)] * 5)
    made = create(bench, Color="red")
    assert (made.status, made.error_code) == ("FAILED", "ServiceTimeout")


def test_lists_that_need_to_know_more(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    handlers = {each: {"permissions": ["a:B"]} for each in ("create", "read", "delete", "list")}
    handlers["list"]["handlerSchema"] = {"properties": {"Of": {"type": "string"}}, "required": ["Of"]}
    bench = Bench(database, thing_schema(handlers=handlers))
    control = CloudControl(bench.engine, bench.work)
    with pytest.raises(StackError) as caught:
        control.list(HERE, THING, None, None)
    assert caught.value.code == "InvalidRequestException"
    assert "Required property: (Of)" in caught.value.message
    assert control.list(HERE, THING, '{"Of": "x"}', None) == ([], None)
    with pytest.raises(StackError) as caught:
        control.update(HERE, THING, "thing-00000000", "[]")
    assert caught.value.code == "UnsupportedActionException"
    database.close()


def looking(bench, *answers, **more):
    guard = Guard(*answers, kinds=(TargetKind.CLOUD_CONTROL,), **more)
    bench.hooks.hooks.append(guard)
    return guard


@pytest.mark.parametrize(("most", "pages"), [(None, [3, 2]), (2, [2, 1, 2]), (3, [3, 2]), (1, [1] * 5), (100, [3, 2])])
@pytest.mark.parametrize("token", ["two", "+0+two", "+"])
def test_lists_have_pages_within_those_of_the_handler(bench, most, pages, token):
    models = [{"Id": f"thing-{number:08}"} for number in range(5)]
    asked = []

    def listed(call):
        asked.append(call.next_token)
        return Succeeded(None, tuple(models[3:])) if call.next_token else Succeeded(None, tuple(models[:3]), token)

    bench.things.invoke = listed
    found, place = [], None
    while not found or place is not None:
        page, place = bench.control.list(HERE, THING, None, place, most=most)
        found.append([identifier for identifier, _ in page])
    assert [len(each) for each in found] == pages
    assert [each for page in found for each in page] == [each["Id"] for each in models]
    assert set(asked) == {None, token}


@pytest.mark.parametrize("token", ["+", "+x+", "+1", "+٣+"])
def test_places_that_are_none(bench, token):
    with pytest.raises(StackError, match="The NextToken is not valid"):
        bench.control.list(HERE, THING, None, token)


def test_a_role_is_part_of_the_request(bench):
    role = "arn:aws:iam::111122223333:role/maker"
    with_role = TypeChoice(name=THING.name, role_arn=role)
    first = bench.control.create(HERE, with_role, "{}", "token-3")
    assert bench.control.create(HERE, with_role, "{}", "token-3").token == first.token
    with pytest.raises(StackError, match="has already been used in another resource request"):
        bench.control.create(HERE, THING, "{}", "token-3")


def test_hooks_look_at_requests(bench):
    guard = looking(bench, HookWaiting(2, None))
    made = create(bench, Color="red")
    assert (made.status, len(guard.calls)) == ("SUCCESS", 2)
    call = guard.calls[0]
    assert (call.target.name, call.target.stack_arn, call.model) == (
        THING.name,
        None,
        {"resourceProperties": {"Color": "red"}},
    )
    (answer,) = bench.control.hook_answers(made)
    assert (answer.status, answer.target.listed_as) == ("HOOK_COMPLETE_SUCCEEDED", made.hooks_token)
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    bench.control.update(HERE, THING, made.identifier, patch)
    model = guard.calls[-1].model
    assert (model["previousResourceProperties"]["Color"], model["resourceProperties"]["Color"]) == ("red", "blue")
    bench.control.delete(HERE, THING, made.identifier)
    assert guard.calls[-1].model["resourceProperties"]["Color"] == "blue"


def test_a_request_that_hooks_refuse(bench):
    looking(bench, HookFailed("no red", refused=True))
    made = create(bench, Color="red")
    assert (made.status, made.message) == ("FAILED", "The following hook(s) failed: [Acme::Web::Guard]")
    assert bench.things.calls == []
    (answer,) = bench.control.hook_answers(made)
    assert answer.reason == "Hook failed with message: no red"


def test_a_request_that_hooks_only_warn_of(bench):
    looking(bench, HookFailed("no red", refused=True), mode=FailureMode.WARN)
    assert create(bench, Color="red").status == "SUCCESS"
