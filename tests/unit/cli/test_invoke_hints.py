"""What `cfn invoke` says to do where a handler's module does not load."""

import json

import pytest

from formwork.cli.commands.invoke import _hint
from formwork.invoke import AnswerProblem
from formwork.invoke.answer import ProblemKind


def problem(message, error_type="Runtime.ImportModuleError"):
    return AnswerProblem(ProblemKind.FUNCTION_ERROR, message, error_type=error_type)


@pytest.mark.parametrize("name", ["botocore", "dateutil", "boto3"])
def test_what_lambda_includes_is_not_to_be_added_to_the_requirements(name):
    told = _hint(problem(f"Unable to import module 'a.handlers': No module named '{name}'"))
    assert f"Lambda includes {name}" in told
    assert "requirements.txt" not in told


def test_other_packages_are():
    assert "contains nowhere to requirements.txt" in _hint(problem("No module named 'nowhere.deep'"))


def test_a_path_alias_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"compilerOptions": {"paths": {"@shared/*": ["../shared/*"]}}}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), encoding="utf-8")
    assert '"@shared/*" is a path alias' in _hint(problem("Error: Cannot find module '@shared/named'", "Error"))
    assert _hint(problem("Error: Cannot find module 'aws-sdk'", "Error")) is None
