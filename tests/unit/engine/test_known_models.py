"""What handlers of a stack's resources are given on read and delete: all that is known, no secrets, not the bare key."""

import json

import pytest

from formwork.engine.drift.detection import DriftDetection
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import OperationOptions
from support.engines import HERE, Bench, Resolving, thing_schema

THING = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red, Size: '3', Secret: s3cret}}}"


def given(bench, action):
    """The models that calls of an action were made with."""
    return [each.desired for each in bench.things.calls if each.action == action]


def test_reads_and_deletes_get_the_last_known_model(bench):
    bench.create(THING)
    model = bench.resources()["A"].model
    assert {"Id", "Arn", "Color", "Size"} <= model.keys()
    assert given(bench, "READ") == [model]
    bench.delete()
    assert given(bench, "DELETE") == [model]


def test_what_the_read_handler_leaves_out_comes_from_the_template(bench):
    bench.create(THING)
    identifier = {"Id": bench.resources()["A"].physical_id}
    bench.things.answer("READ", None)
    bench.update(THING.replace("red", "blue"))
    assert given(bench, "READ")[-1]["Color"] == "blue"
    with bench.engine.database.begin() as connection:  # a read handler that answers the identifier alone
        connection.exec_driver_sql("UPDATE engine_resource SET model_json = ?", (json.dumps(identifier),))
    bench.delete()
    assert given(bench, "DELETE") == [{**identifier, "Color": "blue", "Size": 3}]


def test_half_made_resources_are_deleted_with_what_their_creation_told(bench):
    told = {"Id": "thing-00000001", "Arn": "arn:thing:000001", "Secret": "s3cret"}
    bench.things.answer("CREATE", Waiting(1, told, {"n": 1}), Failed("InvalidRequest", "no"))
    bench.create(THING)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    expected = {"Id": "thing-00000001", "Arn": "arn:thing:000001", "Color": "red", "Size": 3}
    assert given(bench, "DELETE") == [expected]


def test_drift_is_detected_with_the_last_known_model(bench):
    bench.create(THING)
    detection = DriftDetection(bench.engine, bench.work)
    detection.detect_stack(HERE, "shop")
    assert given(bench, "READ")[-1] == bench.resources()["A"].model


def test_a_secret_that_is_gone_is_in_no_deletions_way(database):
    gone = False

    def resolve(_scope, value):
        if isinstance(value, dict):
            return {name: resolve(_scope, each) for name, each in value.items()}
        if isinstance(value, str) and value.startswith("{{resolve:ssm:"):
            if gone:
                raise StackError("Parameters: [ssm:color] cannot be found.")
            return "red"
        return value

    bench = Bench(database, thing_schema(), references=Resolving(resolve))
    bench.create("Resources: {A: {Type: Acme::Web::Thing, Properties: {Of: '{{resolve:ssm:color}}', Color: blue}}}")
    (before,) = given(bench, "READ")
    assert before["Of"] == "red"
    with bench.engine.database.begin() as connection:  # as a handler leaves it that does not read it back
        identifier = json.dumps({"Id": before["Id"]})
        connection.exec_driver_sql("UPDATE engine_resource SET model_json = ?", (identifier,))
    gone = True
    bench.delete()
    assert given(bench, "DELETE") == [{"Id": before["Id"], "Color": "blue"}]
    assert bench.things.stored == []


def chain(*names):
    """A template in which each resource needs the one before it."""
    needs = {
        name: {} if before is None else {"DependsOn": before}
        for before, name in zip((None, *names[:-1]), names, strict=True)
    }
    return json.dumps({"Resources": {name: {"Type": "Acme::Web::Thing", **more} for name, more in needs.items()}})


def deleted(bench):
    return [each.logical_id for each in bench.things.calls if each.action == "DELETE"]


@pytest.mark.parametrize("names", [("A", "B", "C", "D", "E"), ("E", "B", "D", "A", "C")])
def test_what_a_failed_rollback_leaves_is_deleted_in_its_order(bench, names):
    bench.things.fail("CREATE", logical_id="X")
    bench.things.fail("DELETE", logical_id=names[-1])
    bench.create(chain(*names, "X"))
    assert bench.stack().status == "ROLLBACK_FAILED"
    bench.things.calls.clear()
    bench.delete()
    assert deleted(bench) == list(reversed(names))
    assert bench.things.stored == []


@pytest.mark.parametrize("names", [("A", "B", "C", "D", "E"), ("E", "B", "D", "A", "C")])
def test_what_a_failed_update_has_added_is_deleted_in_its_order(bench, names):
    bench.create(chain(names[0]))
    bench.things.fail("CREATE", logical_id="X")
    bench.update(chain(*names, "X"), options=OperationOptions(keep_on_failure=True))
    assert bench.stack().status == "UPDATE_FAILED"
    bench.things.calls.clear()
    bench.delete()
    assert deleted(bench) == list(reversed(names))
    assert bench.things.stored == []
