"""Commands run without what leads to AWS, within bounds, and end with a call that is cancelled."""

import asyncio
import json
import os
import sys

import anyio
import pytest

from formwork.agents import command_runs
from formwork.agents.answers import ToolAnswer
from formwork.agents.command_runs import run_command


@pytest.fixture
def program(monkeypatch, tmp_path):
    """Run a program in place of `cfn`: `program(text)` returns the folder to run it in."""

    def make(text):
        monkeypatch.setattr(command_runs, "_CFN", (sys.executable, "-c", text))
        return tmp_path

    return make


def test_the_environment_names_no_aws(program, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "https://aws.example")
    folder = program("import json, os, sys; print(json.dumps([dict(os.environ), sys.stdin.read()]))")
    environment, given = asyncio.run(run_command([], folder)).result
    assert given == ""
    assert {name: value for name, value in environment.items() if name.startswith("AWS_")} == {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


@pytest.mark.parametrize(
    ("printed", "result"),
    [("{}", {}), ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]), ("words\n", None), ("", None)],
)
def test_results(program, printed, result):
    run = asyncio.run(run_command([], program(f"print({printed!r}, end='')")))
    assert run.result == result
    assert run.messages == ("" if result is not None else printed)
    assert not run.failed


@pytest.mark.parametrize(
    ("text", "failed"), [("print('{}'); exit(1)", False), ("exit(1)", True), ("print('{}'); exit(2)", True)]
)
def test_verdicts_are_no_failures(program, text, failed):
    assert asyncio.run(run_command([], program(text))).failed == failed


def test_output_is_bounded(program, monkeypatch):
    monkeypatch.setattr(command_runs, "_MOST_BYTES", 1000)
    assert asyncio.run(run_command([], program("print('x' * 3_000_000)"))).messages == "x" * 1000


WAITS = """
import os, pathlib, signal, time
signal.signal(signal.SIGINT, signal.{action})
pathlib.Path("pid.new").write_text(str(os.getpid()))
os.rename("pid.new", "pid")
time.sleep(600)
"""


@pytest.mark.parametrize("action", ["default_int_handler", "SIG_IGN"])
def test_a_cancelled_run_ends(program, monkeypatch, action):
    monkeypatch.setattr(command_runs, "_SECONDS_TO_END", 0.5 if action == "SIG_IGN" else 60)
    folder = program(WAITS.format(action=action))

    async def session():
        async with anyio.create_task_group() as group:
            group.start_soon(run_command, [], folder)
            while not (folder / "pid").exists():  # noqa: ASYNC110 - another process writes it
                await anyio.sleep(0.05)
            group.cancel_scope.cancel()

    asyncio.run(session())
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), 0)


def test_a_slow_run_ends(program, monkeypatch):
    monkeypatch.setattr(command_runs, "_SECONDS", 1)
    run = asyncio.run(run_command([], program(WAITS.format(action="default_int_handler"))))
    assert run.failed
    assert run.messages.endswith("interrupted after 1 s\n")


def test_answers_are_bounded():
    deep = []
    for _ in range(60):
        deep = [deep]
    answer = ToolAnswer({"list": ["word" * 50] * 5000, "text": "x" * 500_000, "deep": deep, "kept": 1}).bounded()
    assert len(json.dumps(answer)) < 60_000
    assert "elements left out" in answer["list"][-1]
    assert "characters left out" in answer["text"]
    assert answer["kept"] == 1
    many = ToolAnswer({str(number): "value" * 10 for number in range(5000)}).bounded()
    assert len(json.dumps(many)) < 60_000
    assert "members left out" in many["…"]


@pytest.mark.parametrize("name", ["formwork", "json", "argparse"])
def test_modules_of_the_folder_are_not_imported(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("open('ran', 'w')")
    run = asyncio.run(run_command(["validate", "--format=json", "--", str(tmp_path)], tmp_path))
    assert run.exit_code == 1
    assert not (tmp_path / "ran").exists()
