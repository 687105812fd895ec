"""The Model Context Protocol's own client takes an empty folder to a proven, deployed type, and away again."""

import asyncio
import json
import subprocess

import pytest

from support.agents import over_pipes
from support.commands import CFN, Desk

THING = "Acme::Store::Thing"
TEMPLATE = """\
Parameters: {Key: {Type: String, NoEcho: true}}
Resources:
  One:
    Type: Acme::Store::Thing
    Properties: {Name: one, Copies: %d, AccessKey: !Ref Key}
"""
CANARY = "canary-5f1d0c77"


@pytest.mark.acceptance
def test_from_an_empty_folder_to_a_deployed_type(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    said = asyncio.run(whole_loop(folder, tmp_path))
    assert CANARY not in json.dumps(said)


async def whole_loop(folder, home):
    said = []
    async with over_pipes(folder, home) as agent:

        async def call(tool, **arguments):
            said.append(await agent.call(tool, **arguments))
            return said[-1]

        assert "confirm: true" in agent.client.instructions
        started = await call("scaffold", project="thing", type_name=THING, language="python311", sample=True)
        assert started["ok"], started
        assert (await call("validate", path="thing"))["ok"]
        assert (await call("generate", project="thing"))["ok"]
        tested = await call("contract_tests", project="thing", confirm=True)
        assert tested["result"]["passed"], tested
        assert tested["result"]["clauseStates"]["proved"] > 60
        registered = await call("register", project="thing", confirm=True)
        assert registered["ok"], registered
        (folder / "t.yaml").write_text(TEMPLATE % 1)
        stack = {"stack": "demo", "confirm": True}
        template = {**stack, "template": "t.yaml", "parameters": {"Key": CANARY}}
        assert [each["action"] for each in (await call("diff", **template))["result"]["changes"]] == ["Add"]
        assert (await call("deploy", **template))["result"]["status"] == "CREATE_COMPLETE"
        (folder / "t.yaml").write_text(TEMPLATE % 2)
        assert [each["action"] for each in (await call("diff", **template))["result"]["changes"]] == ["Modify"]
        assert (await call("deploy", **template))["result"]["status"] == "UPDATE_COMPLETE"
        assert (await call("drift", **stack))["result"]["status"] == "IN_SYNC"
        events = (await call("events", stack="demo"))["result"]
        assert "UPDATE_COMPLETE" in {each.get("ResourceStatus") for each in events}
        assert (await call("delete", **stack))["ok"]
        await agent.refused("events", stack="demo")
    return said


@pytest.mark.acceptance
def test_a_server_that_runs_is_used(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    home = Desk(tmp_path)
    environment = {**home.environment, "XDG_STATE_HOME": str(tmp_path / "state")}
    with subprocess.Popen(
        [CFN, "serve", "--port", "0", "--no-console"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout.readline().startswith("ready http://")

            async def session():
                async with over_pipes(folder, tmp_path) as agent:
                    return await agent.call("deploy", stack="empty", template="t.yaml", confirm=True)

            (folder / "t.yaml").write_text("Resources: {Wait: {Type: 'AWS::CloudFormation::WaitConditionHandle'}}\n")
            assert asyncio.run(session())["result"]["status"] == "CREATE_COMPLETE"
            listed = home.cfn(
                "stack", "list", "--local", "--format=json", cwd=folder, env={"XDG_STATE_HOME": str(tmp_path / "state")}
            )
            assert "empty" in listed.out
        finally:
            server.terminate()


def test_without_the_library_it_says_how_to_install_it(tmp_path):
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError('mcp', name='mcp')")
    done = Desk(tmp_path).cfn("mcp", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert done.code == 3
    assert "[mcp]" in done.err


def test_a_folder_that_does_not_exist(tmp_path):
    done = Desk(tmp_path).cfn("mcp", "--folder", "none", cwd=tmp_path)
    assert done.code == 2
    assert 'folder not found: "none"' in done.err
