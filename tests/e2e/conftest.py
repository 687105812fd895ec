"""A desk to run `cfn` at, and a project to spoil."""

import json

import pytest

from support.commands import Desk, copy_project


@pytest.fixture(scope="session")
def desk(tmp_path_factory):
    """Where commands run: one home for the session, so that handler environments are made once."""
    return Desk(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def sample_project(desk, tmp_path_factory):
    """A project as `cfn init --sample` makes it; copy it before changing it."""
    root = tmp_path_factory.mktemp("sample") / "thing"
    root.mkdir()
    ended = desk.cfn(
        "init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "--sample", "python311", "--no-docker", cwd=root
    )
    assert ended.code == 0, str(ended)
    properties = json.loads((root / "inputs" / "inputs_1_create.json").read_text(encoding="utf-8"))
    request = {"desiredResourceState": properties, "previousResourceState": None}
    (root / "request.json").write_text(json.dumps(request), encoding="utf-8")
    return root


@pytest.fixture
def project(sample_project, tmp_path):
    """A project of this test's own, and a store of its own behind its handlers."""
    root = copy_project(sample_project, tmp_path / "thing")
    template = root / "template.yml"
    variables = f"    Environment: {{Variables: {{ACME_STORE_THING_FOLDER: {tmp_path / 'store'}}}}}\n"
    text = template.read_text(encoding="utf-8")
    assert text.count("  Function:\n") == 1
    template.write_text(text.replace("  Function:\n", "  Function:\n" + variables), encoding="utf-8")
    return root
