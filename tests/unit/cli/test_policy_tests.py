"""`cfn test` in a folder of Guard rules: options, reports and exit codes."""

import importlib.util
import io
import json

import pytest

from formwork.cli.main import main
from formwork.command_context.output import CommandOutput

RULES = "rule NAMED { Resources.*.Properties.Name exists }\n"
GOOD = "Type: Acme::Store::Thing\nProperties: {Name: a}\n"


@pytest.fixture
def rules(tmp_path, monkeypatch):
    (tmp_path / "names.guard").write_text(RULES)
    (tmp_path / "tests/names/pass").mkdir(parents=True)
    (tmp_path / "tests/names/pass/good.yaml").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cfn(*words):
    output = CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)
    code = main(["test", *words], output)
    return code, output.out.getvalue(), output.err.getvalue()


def test_cases_are_run_and_reported(rules):
    pytest.importorskip("cloudformation_validate")
    code, out, err = cfn()
    assert (code, err) == (0, "")
    assert "✓ tests/names/pass/good.yaml\n" in out
    assert out.endswith("cfn test: 1 cases, 0 failed; 2 parts of rules not covered; 0 mutants not refused of 1\n")
    (rules / "tests/names/fail").mkdir()
    (rules / "tests/names/fail/good.yaml").write_text(GOOD)
    code, out, _ = cfn("--quiet")
    assert code == 1
    assert out.startswith(
        "✗ tests/names/fail/good.yaml\n  tests/names/fail/good.yaml:1: a rule of names.guard: expected"
    )
    code, out, err = cfn("--report", "json", "--report-file", "report.json")
    assert (code, out) == (1, "")
    assert "report: report.json" in err
    assert json.loads((rules / "report.json").read_text())["passed"] is False


def test_proof_may_be_required(rules):
    pytest.importorskip("cloudformation_validate")
    code, _, err = cfn("--require-proof")
    assert code == 1
    assert "--require-proof: names.guard:1: the rule never failed: NAMED" in err
    assert cfn("--require-proof", "--unproved", "NAMED")[0] == 0
    (rules / "tests/names/fail").mkdir()
    (rules / "tests/names/fail/bad.yaml").write_text("Type: Acme::Store::Thing\nProperties: {}\n")
    assert cfn("--require-proof")[0] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--aws", "moto"], "--aws has no meaning for Guard rules"),
        (["-k", "x"], "-k has no meaning for Guard rules"),
        (["--", "-x"], "what follows -- has no meaning"),
        (["--require-proof", "most"], "--require-proof most is not available"),
        (["--unproved", "NAMED"], "--unproved only means something with --require-proof"),
        (["--require-proof", "--unproved", "NOPE"], '"NOPE" is not a rule'),
        (["--examples", "-1"], "--examples is -1"),
        (["--report-file", "no/such/file"], '--report-file is "no/such/file"'),
    ],
)
def test_options_that_need_handlers_are_refused(rules, words, told):
    pytest.importorskip("cloudformation_validate")
    code, _, err = cfn(*words)
    assert code == 2
    assert told in err


def test_rules_without_cases_and_rules_that_do_not_compile(rules):
    pytest.importorskip("cloudformation_validate")
    (rules / "tests/names/pass/good.yaml").unlink()
    code, _, err = cfn()
    assert code == 1
    assert "error[policy.no-cases]: these rules have no cases" in err
    assert "tests/names/pass/" in err
    (rules / "names.guard").write_text("rule a {\n  b ===  1\n}")
    code, _, err = cfn()
    assert code == 1
    assert "error[hook.rules]: names.guard:2:7: syntax error at '1', expected" in err
    assert " --> names.guard:2:7\n" in err


def test_without_the_engine_the_extra_is_named(rules, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    code, _, err = cfn()
    assert code == 3
    assert "with the extra guard" in err
