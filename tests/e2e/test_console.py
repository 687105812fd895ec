"""`cfn serve` with its console, and `cfn console`."""

import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.commands import Desk, refuses
from support.console import ConsoleBrowser, make_link
from support.serving import serving

VISIT = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}


def state_in(folder):
    return {"FORMWORK_STATE": str(folder / "state")}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served"), forked=True) as running:
        yield running


@pytest.fixture
def desk(server):
    return Desk(server.folder)


def test_the_api_port_names_the_console_to_a_browser_and_does_nothing_else(server):
    visitor = ConsoleBrowser(server.url)
    status, text = visitor.get("/", **VISIT)
    assert status == 200
    assert 'is at <a href="http://127.0.0.1:' in text
    assert "token" not in text
    assert visitor.get("/?Action=ListStacks&Version=2010-05-15", **VISIT)[0] == 403
    assert visitor.get("/bucket", **VISIT)[0] == 403
    assert visitor.send("POST", "/", headers=VISIT)[0] == 403
    assert visitor.get("/", **VISIT, Host="evil.example")[0] == 200  # it is the same for everyone
    assert visitor.get("/")[0] == 403  # a program gets S3's answer
    assert "AccessDenied" in visitor.get("/")[1]


def test_cfn_console_prints_a_link_that_begins_a_session(server, desk):
    done = desk.cfn("console", "--print", cwd=server.folder, env=state_in(server.folder))
    assert done.code == 0, str(done)
    link = done.out.strip()
    browser = ConsoleBrowser(link)
    assert browser.get(link.partition(browser.address)[2])[0] == 200
    status, _ = browser.get("/")
    assert (status, browser.headers["location"]) == (303, "/stacks")
    status, text = browser.get("/stacks")
    assert (status, "There are no stacks yet" in text) == (200, True)


def test_stacks_are_listed_and_searched(server):
    client = server.client("cloudformation")
    template = '{"Resources": {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}'
    for name in ("orders-1", "orders-2", "users"):
        client.create_stack(StackName=name, TemplateBody=template)
        client.get_waiter("stack_create_complete").wait(StackName=name)
    client.delete_stack(StackName="users")
    client.get_waiter("stack_delete_complete").wait(StackName="users")
    browser = ConsoleBrowser.entered(server)

    def listed(query):
        _, text = browser.get(f"/stacks{query}")
        return [name for name in ("orders-1", "orders-2", "users") if f">{name}<" in text]

    assert listed("") == ["orders-1", "orders-2"]
    assert listed("?q=ORDERS-2") == ["orders-2"]
    assert listed("?q=%25") == []
    assert listed("?q=_") == []
    assert listed("?deleted=1") == ["orders-1", "orders-2", "users"]
    assert listed("?group=bad") == []
    assert listed("?group=good") == ["orders-1", "orders-2"]


def test_without_a_server_there_is_no_console(tmp_path):
    refuses(
        Desk(tmp_path).cfn("console", cwd=tmp_path, env=state_in(tmp_path)),
        3,
        "no server of this user is running",
        "cfn serve",
    )


def test_servers_that_start_together_each_have_a_console(tmp_path):
    """One of them may have the usual port, 3011: --port says nothing about the console's."""
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(3)]
    with contextlib.ExitStack() as running, ThreadPoolExecutor() as pool:
        begun = [serving(tmp_path / str(port), "--port", str(port), cwd=tmp_path, forked=True) for port in ports]
        servers = list(pool.map(running.enter_context, begun))
        consoles = {make_link(each).split("/")[2] for each in servers}
    assert len(consoles) == 3


def test_the_console_can_be_switched_off(tmp_path):
    with serving(tmp_path, "--no-console", forked=True) as running:
        refuses(
            Desk(tmp_path).cfn("console", cwd=tmp_path, env=state_in(tmp_path)), 3, "has no console", "--no-console"
        )
        assert "switched off" in ConsoleBrowser(running.url).get("/", **VISIT)[1]


@pytest.mark.parametrize("words", [["--console-port", "70000"], ["--no-console", "--console-port", "0"]], ids=" ".join)
def test_options_that_make_no_sense_are_refused(words, tmp_path):
    refuses(Desk(tmp_path).cfn("serve", *words, cwd=tmp_path), 2, "--console-port")
