"""A server that is killed or asked to end leaves nothing in the folder for temporary files, its key least of all."""

import os
import signal

import pytest

from support.registry import THING, resource_package
from support.serving import register, serving

HANDLERS = "def resource(event, context):\n    return {'status': 'SUCCESS', 'resourceModel': {'Name': 'one'}}\n"
TEMPLATE = f'{{"Resources": {{"Thing": {{"Type": "{THING}", "Properties": {{"Name": "one"}}}}}}}}'
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture
def place(tmp_path, monkeypatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def names(place):
    return sorted(each.name.rpartition("-")[0] for each in place.iterdir())


def call_a_handler(server):
    register(server, content=resource_package(handlers=HANDLERS))
    cloudformation = server.client("cloudformation")
    cloudformation.create_stack(StackName="one", TemplateBody=TEMPLATE)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="one")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGINT])
def test_signals_end_a_server_that_leaves_nothing(tmp_path, place, number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("this run ignores the signal, as under nohup, and so do the servers that it starts")
    with serving(tmp_path, "--ephemeral", forked=True) as server:
        assert "formwork-state" in names(place)
        code, said = server.stop(number)
    assert code == (130 if number == signal.SIGINT else 0)
    assert "Traceback" not in said
    assert names(place) == []


def test_what_killed_servers_leave_is_swept_by_the_next(tmp_path, place):
    for _ in range(2):
        with serving(tmp_path, "--ephemeral", forked=True) as server:
            call_a_handler(server)
            server.stop(signal.SIGKILL)
    left = names(place)  # of the second one alone
    assert left.count("formwork-state") == 1
    assert "formwork-handlers" in left
    with (
        serving(tmp_path, "--ephemeral", forked=True) as server,
        serving(tmp_path, "--ephemeral", forked=True) as other,
    ):
        assert names(place).count("formwork-state") == 2  # their own, and neither sweeps what the other has
        call_a_handler(server)
        other.stop()
        server.stop()
    assert names(place) == []


def test_an_ignored_signal_stays_ignored(tmp_path, place):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    try:
        with serving(tmp_path, "--ephemeral") as server:
            server.process.send_signal(signal.SIGHUP)
            server.client("sts").get_caller_identity()
            code, _said = server.stop()
    finally:
        signal.signal(signal.SIGHUP, before)
    assert code == 0
    assert names(place) == []
