"""`cfn submit` where there is no project says so first, whatever else is missing."""

import formwork.aws.sessions
from formwork.cli.main import main
from formwork.diagnostics import EnvironmentProblemError


def test_an_empty_folder_has_no_project(tmp_path, monkeypatch, capsys):
    def missing():
        raise EnvironmentProblemError("boto3 is not installed")

    monkeypatch.setattr(formwork.aws.sessions, "expect_boto3", missing)
    monkeypatch.chdir(tmp_path)
    assert main(["submit"]) == 1
    said = capsys.readouterr().err
    assert "project.not-found" in said
    assert "boto3" not in said
