"""The report of contract tests is kept, summed up and read back."""

import json

import pytest

from formwork.agents import server
from formwork.agents.command_runs import CommandRun
from support.agents import in_process

CLAUSES = [
    {"id": "create.echo", "state": "violated"},
    {"id": "read.model", "state": "proved"},
    {"id": "list.token", "state": "not tested"},
]
FINDING = {"clause": "create.echo", "message": "Name differs", "replay": "cfn test --seed 7", "exchanges": [1, 2, 3]}
REPORT = {
    "typeName": "A::B::C",
    "passed": False,
    "interrupted": False,
    "seed": 7,
    "leftovers": [],
    "nameless": 0,
    "clauses": CLAUSES,
    "findings": [FINDING],
    "tests": [],
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def runs(monkeypatch, report):
    async def run(words, folder):
        (file,) = [word.partition("=")[2] for word in words if word.startswith("--report-file=")]
        if report is not None:
            (folder / file).write_text(json.dumps(report))
        return CommandRun(words, 1 if report else 2, None, "said")

    monkeypatch.setattr(server, "run_command", run)


def test_a_report(root, monkeypatch):
    async def work(agent):
        await agent.refused("read_report", project=".")
        tested = await agent.call("contract_tests", project=".", confirm=True, seed=7, tests="contract_create")
        whole = await agent.call("read_report", project=".")
        part = await agent.call("read_report", project=".", clause="create.echo")
        await agent.refused("read_report", project=".", clause="no.clause")
        return tested, whole, part

    runs(monkeypatch, REPORT)
    tested, whole, part = in_process(work, root)
    assert "--aws=none --seed=7 -k contract_create" in tested["command"]
    assert not tested["ok"]
    result = tested["result"]
    assert result["findings"] == [{**FINDING, "exchanges": [2, 3]}]
    assert result["clauseStates"] == {"violated": 1, "proved": 1, "not tested": 1}
    assert [each["id"] for each in result["clauses"]] == ["create.echo", "list.token"]
    assert whole == REPORT
    assert part == {"typeName": "A::B::C", "seed": 7, "clauses": CLAUSES[:1], "findings": [FINDING]}


def test_an_earlier_report_is_not_taken_for_that_of_a_run_without_one(root, monkeypatch):
    async def tested(agent):
        return await agent.call("contract_tests", project=".", confirm=True)

    async def without(agent):
        answer = await agent.refused("contract_tests", project=".", confirm=True)
        await agent.refused("read_report", project=".")
        return answer

    runs(monkeypatch, REPORT)
    in_process(tested, root)
    runs(monkeypatch, None)
    answer = in_process(without, root)
    assert answer["result"] is None
    assert answer["messages"] == "said"
