"""`cfn hook` where the engine is not installed says which extra has it."""

from formwork.cli.commands import hook
from formwork.cli.main import main


def test_the_extra_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(hook, "missing_module", lambda: "sqlalchemy")
    monkeypatch.chdir(tmp_path)
    assert main(["hook", "try", "template.yaml", "--rules", "rules"]) == 3
    said = capsys.readouterr().err
    assert "the engine is not installed here (no module sqlalchemy)" in said
    assert "serve" in said
