"""Values that nobody may be shown are in the database only sealed."""

import json

import pytest

from formwork.cloud_control import CloudControl, TypeChoice
from formwork.durable import open_database
from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.engine.drift.detection import DriftDetection
from formwork.provisioning.outcomes import Waiting
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions
from support.engines import HERE, Bench, thing_schema

SECRETS = ("hush-hush", "hush-again")
TEMPLATE = json.dumps(
    {
        "Parameters": {"Word": {"Type": "String", "NoEcho": True}},
        "Resources": {
            "A": {"Type": "Acme::Web::Thing", "Properties": {"Name": "a", "Color": {"Ref": "Word"}}},
            "B": {"Type": "Acme::Web::Thing", "Properties": {"Name": "b", "Secret": {"Fn::Sub": "x${Word}x"}}},
        },
    }
)


@pytest.fixture
def bench(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    yield Bench(database)
    database.close()


def files(folder):
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name.startswith("formwork.db")}


def test_values_of_no_echo_parameters(bench, tmp_path):
    waiting = Waiting(1, {"Name": "b", "Secret": "xhush-hushx"}, {"n": 1})
    bench.things.answer("CREATE", waiting, None, logical_id="B")
    bench.create(TEMPLATE, parameters={"Word": "hush-hush"})
    bench.things.fail("UPDATE", logical_id="B")
    bench.update(TEMPLATE, parameters={"Word": "hush-again"}, options=OperationOptions(keep_on_failure=True))
    assert bench.stack().status == "UPDATE_FAILED"
    request = bench.request(TEMPLATE, parameters={"Word": "hush-again"})
    ChangeSets(bench.engine).create(
        HERE, NewChangeSet(name="c", kind="UPDATE", stack=request, request=ChangeSetRequest())
    )
    bench.update(TEMPLATE, parameters={"Word": "hush-hush"}, options=OperationOptions(keep_on_failure=True))
    assert bench.stack().status == "UPDATE_COMPLETE"
    DriftDetection(bench.engine, bench.work).detect_resource(HERE, "shop", "A")
    assert bench.stack().deployed.given == {"Word": "hush-hush"}
    assert bench.resources()["B"].properties["Secret"] == "xhush-hushx"
    for name, content in files(tmp_path).items():
        assert [each for each in SECRETS if each.encode() in content] == [], name


def test_models_of_cloud_control(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    bench = Bench(database, thing_schema())
    control = CloudControl(bench.engine, bench.work)
    bench.things.answer("CREATE", Waiting(1, None, {"n": 1}), None)
    begun = control.create(HERE, TypeChoice(name="Acme::Web::Thing"), '{"Secret": "hush-hush"}')
    assert control.describe(HERE, begun.token).status == "SUCCESS"
    database.close()
    assert all(b"hush-hush" not in content for content in files(tmp_path).values())
