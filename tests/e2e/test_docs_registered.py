"""`cfn docs` and constructs of types in a registry, by name: all versions, and names that are not registered."""

import pytest

from formwork.cli.main import main
from formwork.stacks import open_stacks
from support.cdk_cases import SHELF


@pytest.fixture
def stacks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened = open_stacks()
    for name, value in opened.variables.items():
        monkeypatch.setenv(name, value)
    yield opened
    opened.close()


def test_registered_versions_are_compared_and_have_constructs(stacks, tmp_path, capsys):
    older = {**SHELF, "properties": {name: each for name, each in SHELF["properties"].items() if name != "Labels"}}
    for document in (older, SHELF):
        stacks.registry.register(document)
    assert main(["docs", SHELF["typeName"]]) == 0, capsys.readouterr().err
    page = (tmp_path / "site" / "acme-store-shelf.html").read_text(encoding="utf-8")
    assert "00000001 → 00000002" in page
    assert main(["generate", "--cdk", "python", f"registry:{SHELF['typeName']}@1"]) == 0
    assert "labels" not in (tmp_path / "cdk" / "acme_store_shelf.py").read_text(encoding="utf-8")
    assert main(["docs", "Acme::Store::Nothing"]) == 1
    assert "registry.type-not-found" in capsys.readouterr().err
