"""Each tool: the command that it is, what it refuses, and what it says before it runs code."""

import json

import pytest

from formwork.agents import server
from formwork.agents.command_runs import CommandRun
from formwork.agents.tools import TOOLS
from support.agents import in_process

RUN_CODE = {"contract_tests", "register", "deploy", "diff", "drift", "delete"}
PROJECT = {"project": "thing"}
STACK = {"stack": "demo"}
TEMPLATE = {**STACK, "template": "t.yaml", "parameters": {"Key": "open=sesame"}, "capabilities": ["CAPABILITY_IAM"]}
COMMANDS = {
    "validate": ({"path": "thing"}, "validate --format=json --offline -- {root}/thing"),
    "scaffold": (
        {"project": "new/one", "type_name": "Acme::Store::Thing", "language": "go", "import_path": "a/b", "yaml": True},
        "init --artifact-type=RESOURCE --type-name=Acme::Store::Thing --yaml --import-path=a/b go",
    ),
    "generate": (PROJECT, "generate --local-only --offline"),
    "register": (PROJECT, "submit --local --set-default"),
    "deploy": (
        TEMPLATE,
        "stack deploy --local --format=json --parameter=Key=open=sesame --capability=CAPABILITY_IAM -- demo {root}/t.yaml",
    ),
    "diff": (
        TEMPLATE,
        "stack diff --local --format=json --parameter=Key=open=sesame --capability=CAPABILITY_IAM -- demo {root}/t.yaml",
    ),
    "drift": (STACK, "stack drift --local --format=json -- demo"),
    "events": (STACK, "stack events --local --format=json -- demo"),
    "delete": (STACK, "stack delete --local --yes -- demo"),
}


@pytest.fixture
def ran(monkeypatch):
    """The commands that the server ran, none of them for real."""
    runs = []

    async def run(words, folder):
        runs.append((" ".join(words), folder))
        return CommandRun(words, 0, {"said": "yes"}, "")

    monkeypatch.setattr(server, "run_command", run)
    return runs


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = (tmp_path / "root").resolve()
    (root / "thing").mkdir(parents=True)
    return root


def call(root, tool, arguments, *, failed=False):
    async def work(agent):
        return await (agent.refused if failed else agent.call)(tool, **arguments)

    return in_process(work, root)


def test_each_tool_is_described(root):
    async def work(agent):
        return (await agent.client.list_tools()).tools

    tools = {each.name: each for each in in_process(work, root)}
    assert set(tools) == set(TOOLS) == set(COMMANDS) | {"explain", "contract_tests", "read_report"}
    for name, tool in tools.items():
        runs = name in RUN_CODE
        assert tool.description.startswith("Runs code: ") == runs
        assert ("confirm" in tool.input_schema["properties"]) == runs
        assert tool.annotations.open_world_hint == tool.meta["formwork/runsCode"] == runs
        assert not (tool.annotations.read_only_hint and runs)
        assert tool.annotations.destructive_hint == (name in {"deploy", "delete"})


@pytest.mark.parametrize("tool", COMMANDS)
def test_a_tool_is_a_command(root, ran, tool):
    arguments, command = COMMANDS[tool]
    answer = call(root, tool, {**arguments, **({"confirm": True} if tool in RUN_CODE else {})})
    (run,) = ran
    assert run[0] == command.format(root=root)
    assert run[1] == {"scaffold": root / "new/one", "deploy": root, "diff": root}.get(
        tool, root / "thing" if tool in {"validate", "generate", "register"} else root
    )
    assert answer["ok"]
    assert answer["result"] == {"said": "yes"}
    assert "sesame" not in json.dumps(answer)  # a parameter can be a secret


@pytest.mark.parametrize("tool", sorted(RUN_CODE))
@pytest.mark.parametrize("confirm", [{}, {"confirm": False}, {"confirm": "true"}])
def test_no_code_runs_unconfirmed(root, ran, tool, confirm):
    arguments = COMMANDS.get(tool, (PROJECT,))[0]
    assert "confirm" in call(root, tool, {**arguments, **confirm}, failed=True)["error"] or confirm
    assert ran == []


REFUSED = {
    "outside": ("validate", {"path": "../x"}, "outside the folders"),
    "absolute": ("generate", {"project": "/etc"}, "outside the folders"),
    "link": ("validate", {"path": "way/out"}, "outside the folders"),
    "scaffold outside": ("scaffold", {"project": "../n", "type_name": "A::B::C"}, "outside"),
    "template outside": ("deploy", {**TEMPLATE, "template": "/etc/passwd", "confirm": True}, "outside"),
    "no folder": ("generate", {"project": "none"}, "folder not found"),
    "an option as a stack": ("events", {"stack": "--profile=x"}, "does not match"),
    "an option as a language": ("scaffold", {**PROJECT, "type_name": "A::B::C", "language": "--force"}, "not match"),
    "an option as a test": ("contract_tests", {**PROJECT, "tests": "--x", "confirm": True}, "not match"),
    "nul": ("validate", {"path": "a\0b"}, "does not match"),
    "real AWS": ("contract_tests", {**PROJECT, "aws": "real", "confirm": True}, "is not one of"),
    "an unknown argument": ("deploy", {**TEMPLATE, "endpoint_url": "https://aws"}, "endpoint_url"),
    "a missing argument": ("generate", {}, "required"),
    "an unknown tool": ("shell", {}, "unknown tool"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_call_is_refused(root, ran, tmp_path, case):
    (root / "way").symlink_to(tmp_path)
    tool, arguments, says = REFUSED[case]
    assert says in call(root, tool, arguments, failed=True)["error"]
    assert ran == []
    assert not (tmp_path / "n").exists()


def test_another_folder_by_option(tmp_path, root, ran):
    async def work(agent):
        return await agent.call("validate", path=str(tmp_path / "other"))

    (tmp_path / "other").mkdir()
    assert in_process(work, root, tmp_path / "other")["ok"]
    assert len(ran) == 1


def test_codes_and_clauses_are_explained(root):
    assert "arrayType" in call(root, "explain", {"code": "schema.array-type"})["title"]
    assert call(root, "explain", {"code": "project.not-found"})["page"].endswith("#projectnot-found")
    assert call(root, "explain", {"code": "create.echo"})["level"] == "MUST"
    assert "create.echo" in call(root, "explain", {"code": "create.ecko"}, failed=True)["similar"]


def test_problems_of_a_real_project(root):
    started = call(root, "scaffold", {**PROJECT, "type_name": "Acme::Store::Thing", "language": "python311"})
    assert started["ok"], started
    schema = root / "thing/acme-store-thing.json"
    schema.write_text(schema.read_text().replace('"/properties/Name"', '"/properties/Nome"', 1))
    answer = call(root, "validate", {"path": "thing"})
    assert not answer["ok"]
    assert any(each["code"].startswith("schema.") for each in answer["result"]["diagnostics"])
