"""Resources outside any stack."""

import json

import pytest

from formwork.durable import open_database
from formwork.engine.cloud_control import CloudControl
from formwork.engine.errors import StackError
from formwork.engine.outcomes import Failed, Waiting
from support.engines import HERE, Bench

THING = "Acme::Web::Thing"


@pytest.fixture
def bench(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    bench = Bench(database)
    bench.control = CloudControl(bench.engine, bench.work)
    yield bench
    database.close()


def create(bench, token=None, **model):
    return bench.control.describe(bench.control.create(HERE, THING, json.dumps(model), token).token)


def test_a_resource_from_its_creation_to_its_end(bench):
    made = create(bench, Color="red", Secret="hush")
    assert (made.status, made.operation) == ("SUCCESS", "CREATE")
    assert "hush" not in json.dumps(made.progress)
    identifier, model = bench.control.get(HERE, THING, made.identifier)
    assert (identifier, model["Color"]) == (made.identifier, "red")
    patch = json.dumps([{"op": "replace", "path": "/Color", "value": "blue"}])
    updated = bench.control.describe(bench.control.update(HERE, THING, identifier, patch).token)
    assert (updated.status, updated.progress["model"]["Color"]) == ("SUCCESS", "blue")
    assert [each for each, _ in bench.control.list(HERE, THING, None, None)[0]] == [identifier]
    assert bench.control.describe(bench.control.delete(HERE, THING, identifier).token).status == "SUCCESS"
    with pytest.raises(StackError) as caught:
        bench.control.get(HERE, THING, identifier)
    assert (caught.value.code, caught.value.status) == ("ResourceNotFoundException", 404)
    assert [each.operation for each in bench.control.list_requests(HERE)] == ["DELETE", "UPDATE", "CREATE"]


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


def test_a_request_twice(bench):
    first = create(bench, "token-1", Color="red")
    assert create(bench, "token-1", Color="red").token == first.token
    with pytest.raises(StackError) as caught:
        create(bench, "token-1", Color="blue")
    assert caught.value.code == "ClientTokenConflictException"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda control, _: control.create(HERE, "Nobody::Has::It", "{}"), "TypeNotFoundException"),
        (lambda control, _: control.create(HERE, THING, "["), "InvalidRequestException"),
        (lambda control, _: control.create(HERE, THING, "[]"), "InvalidRequestException"),
        (lambda control, _: control.describe("no-such-token"), "RequestTokenNotFoundException"),
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
        (running,) = bench.control.list_requests(HERE)
        if not running.ended and running.status != "CANCEL_IN_PROGRESS":
            bench.control.cancel(running.token)

    bench.work.sleep = give_up
    assert create(bench, Color="red").status == "CANCEL_COMPLETE"
