"""Registered handlers: loaded when they are registered, called when the engine wants them, what they write is kept."""

import os
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from formwork.extensions import ExtensionKind
from formwork.invoke import HandlerSession
from formwork.invoke.masking import Masker
from formwork.registry.logs import MOST_BYTES
from formwork.registry.requests import LoggingConfig
from formwork.registry.settings import HandlerSettings
from support.registry import ELSEWHERE, GUARD, HERE, ROLE, THING, hook_package, open_desk, resource_package, zipped
from support.toolchains import needs_java, needs_node
from support.wheels import make_wheel

LOUD = """
def resource(event, context):
    model = event["requestData"]["resourceProperties"]
    print("making", model["Name"], "with", model.get("Secret"))
    return {"status": "SUCCESS", "resourceModel": model, "message": context.invoked_function_arn}
"""
RESOURCE = ExtensionKind.RESOURCE
RUNNING_MINOR = sys.version_info[1]


@pytest.fixture
def desk(tmp_path):
    settings = HandlerSettings(cache=tmp_path / "cache", home=Path.home(), warm=1)
    made = open_desk(tmp_path / "state", handlers=settings)
    yield made
    made.close()


def event(action="CREATE", **model):
    return {
        "action": action,
        "bearerToken": "token-1",
        "stackId": "arn:aws:cloudformation:us-east-1:111111111111:stack/s/1",
        "requestData": {"resourceProperties": model, "logicalResourceId": "Thing"},
    }


@pytest.mark.parametrize(
    ("handlers", "told"),
    [
        ("import nothing_like_this\n", "nothing_like_this"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("def resource(:\n", "SyntaxError"),
        ("other = 1\n", "resource"),
        ("import os\nos._exit(4)\n", "exit status 4"),
    ],
)
def test_handlers_that_cannot_be_loaded_are_refused_with_the_reason(desk, handlers, told):
    text = desk.refuse(resource_package(handlers=handlers))
    assert "package.handler" in text
    assert told in text
    assert list(desk.state.packages.iterdir()) == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"entrypoint": "nowhere.handlers.resource"}, 'module "nowhere.handlers" not found'),
        ({"entrypoint": None}, "has no entrypoint"),
        ({"runtime": "nodejs20.x", "entrypoint": "dist/handlers.entrypoint"}, "file dist/handlers.js not found"),
        ({"runtime": "provided.al2023", "entrypoint": "bootstrap"}, "program bootstrap not found"),
    ],
)
def test_an_entry_point_that_is_not_there_is_refused(desk, more, told):
    assert told in desk.refuse(resource_package(config_more=more))


@pytest.mark.parametrize(
    ("more", "files"),
    [
        ({"runtime": "nodejs20.x", "entrypoint": "dist/handlers.entrypoint"}, {"dist/handlers.js": "nonsense("}),
        ({"runtime": "provided.al2023", "entrypoint": "bootstrap"}, {"bootstrap": b"MZ"}),
    ],
)
def test_what_cannot_be_run_here_is_registered_with_a_remark(desk, more, files):
    """The tests' desk has an empty environment: Node is not found in it."""
    content = resource_package(files={"ResourceProvider.zip": zipped(files)}, config_more=more)
    token = desk.submit(content, THING, RESOURCE)
    status = desk.registry.describe_type_registration(HERE, token)
    assert status.status == "COMPLETE"
    assert "the package is made for another" in status.description


@needs_node
def test_node_packages_run(tmp_path):
    settings = HandlerSettings(cache=tmp_path / "cache", home=Path.home(), user_environment=dict(os.environ))
    desk = open_desk(tmp_path / "state", handlers=settings)
    more = {"runtime": "nodejs20.x", "entrypoint": "dist/handlers.entrypoint"}

    def package(code):
        return resource_package(files={"ResourceProvider.zip": zipped({"dist/handlers.js": code})}, config_more=more)

    assert "can't be loaded" in desk.refuse(package("throw new Error('no paper')"))
    answer = "exports.entrypoint = async (event) => ({status: 'SUCCESS', message: event.action});"
    desk.register(content=package(answer))
    transport = desk.registry.transport(desk.registry.expect_type(HERE, THING, RESOURCE))
    assert b'"CREATE"' in transport.invoke(event(Name="one")).body
    desk.close()


@needs_java
def test_java_packages_are_loaded(tmp_path):
    settings = HandlerSettings(cache=tmp_path / "cache", home=Path.home(), user_environment=dict(os.environ))
    desk = open_desk(tmp_path / "state", handlers=settings)
    files = {"ResourceProvider.zip": None, "target/thing.jar": zipped({"nothing.txt": ""})}
    text = desk.refuse(
        resource_package(files=files, config_more={"runtime": "java17", "entrypoint": "com.acme.Wrapper::handle"})
    )
    assert "com.acme.Wrapper" in text
    desk.close()


def test_programs_run_on_the_machine_that_they_are_made_for(desk):
    script = "#!/bin/sh\nexit 7\n"
    files = {"ResourceProvider.zip": None, "handler.zip": zipped({"bootstrap": script})}
    more = {"runtime": "provided.al2023", "entrypoint": "bootstrap"}
    assert "exit status 7" in desk.refuse(resource_package(files=files, config_more=more))


def test_programs_that_would_empty_tmp_are_not_started(desk, tmp_path):
    started = tmp_path / "started"
    name = "github.com/aws-cloudformation/cloudformation-cli-go-plugin/cfn.scrubFiles"
    script = f"#!/bin/sh\ntouch {started}\n# {name}\nexit 7\n"
    files = {"ResourceProvider.zip": None, "handler.zip": zipped({"bootstrap": script})}
    more = {"runtime": "provided.al2", "entrypoint": "bootstrap"}
    token = desk.submit(resource_package(files=files, config_more=more), THING, RESOURCE)
    status = desk.registry.describe_type_registration(HERE, token)
    assert status.status == "COMPLETE"
    assert "deletes all of /tmp" in status.description
    assert not started.exists()


def test_programs_that_wait_for_a_retired_runtime_are_refused_at_once(desk, tmp_path):
    started = tmp_path / "started"
    script = f"#!/bin/sh\ntouch {started}\n# _LAMBDA_SERVER_PORT cloudformation-cli-go-plugin/cfn.scrubFiles\nexit 7\n"
    files = {"ResourceProvider.zip": None, "handler.zip": zipped({"bootstrap": script})}
    more = {"runtime": "go1.x", "entrypoint": "bootstrap"}
    assert "is for Lambda's retired runtime go1.x" in desk.refuse(resource_package(files=files, config_more=more))
    assert not started.exists()


NEEDS_SDK = """
import boto3, dateutil
def resource(event, context):
    return {"status": "SUCCESS", "message": f"{boto3.NAME} {dateutil.NAME}"}
"""


def test_python_handlers_have_the_sdk_where_the_toolkits_is_too_new_for_their_python(tmp_path, monkeypatch):
    from formwork.languages.python import runtime_packages

    monkeypatch.setattr(runtime_packages, "_toolkit_packages", lambda _interpreter: {})
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels, "boto3", requires=["python-dateutil"])
    make_wheel(wheels, "python-dateutil", files={"dateutil/__init__.py": "NAME = 'dateutil'\n"})
    notes = []
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}
    settings = HandlerSettings(
        cache=tmp_path / "cache", home=Path.home(), user_environment=environment, note=notes.append
    )
    desk = open_desk(tmp_path / "state", handlers=settings)
    desk.register(content=resource_package(handlers=NEEDS_SDK))
    transport = desk.registry.transport(desk.registry.expect_type(HERE, THING, RESOURCE))
    assert b"boto3 dateutil" in transport.invoke(event(Name="one")).body
    assert [each for each in notes if "installing" in each] == [
        f"installing boto3, which Lambda includes, for Python 3.{RUNNING_MINOR}"
    ]
    desk.close()


def test_an_interpreter_of_another_version_does_not_judge(desk, monkeypatch):
    from formwork.languages.python import packaged as python

    other = python.find_interpreter("python3.11", search_path="", home=Path.home())
    nearest = replace(other, note="python3.9 is not installed here")
    monkeypatch.setattr(python, "find_interpreter", lambda *_what, **_more: nearest)
    token = desk.submit(resource_package(handlers="import nothing_like_this\n"), THING, RESOURCE)
    status = desk.registry.describe_type_registration(HERE, token)
    assert status.status == "COMPLETE"
    assert "nothing_like_this" in status.description


def test_a_good_package_is_registered_and_its_handlers_loaded_within_a_second(desk):
    desk.register("Acme::Store::Thing0")  # the first one finds the interpreter and fills the disk's cache
    started = time.process_time(), time.perf_counter()
    desk.register()
    used = time.process_time() - started[0]
    assert used < 0.5
    assert time.perf_counter() - started[1] < 5  # promised on a machine that does nothing else: under one


def test_the_engine_calls_the_handlers_of_a_version(desk):
    desk.register(content=resource_package(handlers=LOUD))
    desk.register(scope=ELSEWHERE, content=resource_package(handlers=LOUD))
    for scope in (HERE, ELSEWHERE, HERE):
        transport = desk.registry.transport(desk.registry.expect_type(scope, THING, RESOURCE))
        answer = transport.invoke(event(Name="one"))
        assert answer.function_error is None
        assert f"arn:aws:lambda:{scope.region}:111111111111:".encode() in answer.body


def test_processes_of_the_longest_unused_version_go(desk):
    desk.register(content=resource_package(handlers=LOUD))
    desk.register("Acme::Store::Other")
    assert len(desk.registry._parts.handlers._hosts._warm) == 1
    transport = desk.registry.transport(desk.registry.expect_type(HERE, THING, RESOURCE))
    assert transport.invoke(event(Name="one")).function_error is None


def invoke_and_keep(desk, version, payload):
    """What the engine does: the exchange is masked, and its log kept."""
    exchange = HandlerSession(desk.registry.transport(version), version.name).send(payload)
    desk.registry.handler_log(version).keep(Masker([("Secret",)]).exchange(exchange))


def test_what_handlers_write_is_kept_by_type_and_operation_with_secrets_masked(desk):
    desk.register(content=resource_package(handlers=LOUD))
    version = desk.registry.expect_type(HERE, THING, RESOURCE)
    invoke_and_keep(desk, version, event(Name="one", Secret="canary-123456"))
    invoke_and_keep(desk, version, event("UPDATE", Name="two"))
    logs = desk.state.logs / HERE.account / HERE.region
    (folder,) = logs.glob("%2Facme-store-thing-stack-ResourceHandler-*")
    (path,) = [each for each in folder.rglob("*") if each.is_file()]
    assert path.relative_to(folder).as_posix() == ("arn__aws__cloudformation__us-east-1__111111111111__stack/s/1/Thing")
    first, second = path.read_text().splitlines()
    assert first.partition("\t")[2] == "[CREATE token-1] making one with ********"
    assert second.partition("\t")[2] == "[UPDATE token-1] making two with None"


def test_the_log_group_is_the_one_of_the_registration_and_names_stay_inside(desk, monkeypatch):
    desk.register(
        GUARD,
        content=hook_package(handlers="def resource(event, context):\n    print('x' * 100)\n    return {}\n"),
        logging=LoggingConfig(ROLE, "../../mine"),
    )
    version = desk.registry.expect_type(HERE, GUARD, ExtensionKind.HOOK)
    hostile = {**event(Name="one"), "stackId": "../../../../evil"}
    for _ in range(3):
        invoke_and_keep(desk, version, hostile)
        monkeypatch.setattr("formwork.registry.logs.MOST_BYTES", 150)
    folder = desk.state.logs / HERE.account / HERE.region / "%2E%2E%2F%2E%2E%2Fmine"
    found = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())
    assert found == ["_/_/_/_/evil/Thing", "_/_/_/_/evil/Thing.old"]
    assert MOST_BYTES > 150


def test_a_registry_that_runs_nothing_says_so(tmp_path):
    desk = open_desk(tmp_path / "other")
    desk.register()
    with pytest.raises(LookupError, match="without handler settings"):
        desk.registry.transport(desk.registry.expect_type(HERE, THING, RESOURCE))
    desk.close()
