import json
import os
import subprocess
import sys

import pytest

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.function import simulate
from support.shapes import composite, generated, named


def session_of(schema, behaviour=None):
    waited = []
    simulator = Simulator(schema, behaviour, seed=2)
    return HandlerSession(InProcessTransport(simulator), schema.type_name, sleep=waited.append), waited


def test_the_service_decides_read_only_values_and_defaults():
    session, _ = session_of(generated())
    created = session.run("CREATE", {"Title": "One", "Password": "12345678"})
    model = created.event["resourceModel"]
    assert model["Size"] == 3
    assert set(model) == {"Id", "Arn", "Title", "Size"}
    assert generated().validate_model(model, shape_only=True) == []


def test_the_default_of_a_read_only_identifier_is_not_its_value():
    value = {**generated().document.value, "primaryIdentifier": ["/properties/Id"]}
    value["properties"] = {**value["properties"], "Id": {"type": "string", "default": ""}}
    schema = build_resource_schema(parse_document(json.dumps(value), name="x.json"))
    session, _ = session_of(schema)
    made = {session.run("CREATE", {"Title": title}).event["resourceModel"]["Id"] for title in ("One", "Two")}
    assert len(made) == 2
    assert "" not in made


def test_slow_handlers_stabilize_over_callbacks():
    session, waited = session_of(generated(), Behaviour(stabilization=2, lag=1, throttled=1, delay_seconds=7))
    created = session.run("CREATE", {"Title": "One"})
    assert [each.status for each in created.exchanges] == ["IN_PROGRESS"] * 4 + ["SUCCESS"]
    assert waited == [7] * 4
    deleted = session.run("DELETE", created.event["resourceModel"])
    assert [each.status for each in deleted.exchanges] == ["IN_PROGRESS"] * 3 + ["SUCCESS"]


def test_resources_are_found_by_every_identifier():
    session, _ = session_of(composite())
    model = {"Parent": "parent", "Name": "thingthing", "Alias": "aliasalias"}
    arn = session.run("CREATE", model).event["resourceModel"]["Arn"]
    for identifier in ({"Parent": "parent", "Name": "thingthing"}, {"Arn": arn}, {"Alias": "aliasalias"}):
        assert session.run("READ", identifier).event["resourceModel"]["Name"] == "thingthing"
    assert session.run("READ", {"Alias": "otherother"}).event["errorCode"] == "NotFound"


def test_what_the_contract_refuses_is_refused():
    session, _ = session_of(named())
    session.run("CREATE", {"Name": "thingthing", "Kind": "small"})
    assert session.run("CREATE", {"Name": "thingthing"}).event["errorCode"] == "AlreadyExists"
    assert session.run("CREATE", {"Name": "otherother", "Arn": "x"}).event["errorCode"] == "InvalidRequest"
    assert session.run("UPDATE", {"Name": "thingthing", "Kind": "huge"}).event["errorCode"] == "NotUpdatable"
    assert session.run("DELETE", {"Name": "otherother"}).event["errorCode"] == "NotFound"


def test_lists_come_in_pages():
    session, _ = session_of(generated(), Behaviour(page_size=2))
    for number in range(5):
        session.run("CREATE", {"Title": f"Number {number}"})
    sizes, token = [], None
    while True:
        event = session.run("LIST", {}, next_token=token).event
        sizes.append(len(event["resourceModels"]))
        token = event.get("nextToken")
        if token is None:
            break
    assert sizes == [2, 2, 1]


def test_a_function_module_serves_a_schema_file(tmp_path):
    (tmp_path / "schema.json").write_text(json.dumps(dict(named().value)))
    (tmp_path / "main.py").write_text(
        "from pathlib import Path\nfrom formwork.simulate.function import simulate\n"
        "handler = simulate(Path(__file__).with_name('schema.json'))\n"
    )
    program = (
        "import json, main; event = {'action': 'CREATE', 'bearerToken': 't', "
        "'requestData': {'resourceProperties': {'Name': 'thingthing'}}}; print(json.dumps(main.handler(event, None)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout)["resourceModel"]["Name"] == "thingthing"


def test_a_broken_schema_file_is_bad_input(tmp_path):
    (tmp_path / "schema.json").write_text("[]")
    with pytest.raises(BadInputError):
        simulate(tmp_path / "schema.json")
