"""A workspace that a user opens in an editor runs nothing before the user trusts it."""

import json
import os

import pytest

from formwork.editor.protocol.addresses import address_of
from support.chromium import browser_of_tests
from support.code_server import Workbench, serving_code
from support.lsp import LspError, started
from support.toolchains import needs_node
from support.typing_client import CONFIG, SCHEMA
from support.vscode_extension import built_extension


@pytest.fixture
def workspace(tmp_path):
    """A project that has a `cfn` of its own, which leaves a file when it runs."""
    root = tmp_path / "workspace"
    own = root / ".venv" / "bin" / "cfn"
    own.parent.mkdir(parents=True)
    own.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\n")
    own.chmod(0o755)
    (root / ".rpdk-config").write_text(json.dumps(CONFIG))
    (root / "acme-store-thing.json").write_text(json.dumps(SCHEMA, indent=4))
    settings = {"formwork.path": str(own)}  # a setting of the workspace
    (root / ".vscode").mkdir()
    (root / ".vscode" / "settings.json").write_text(json.dumps(settings))
    return root


@pytest.mark.acceptance
@pytest.mark.xdist_group("vscode")
@needs_node
def test_vs_code_runs_nothing_of_a_workspace_that_is_not_trusted(workspace, tmp_path):
    with (
        browser_of_tests(tmp_path / "profile") as browser,
        serving_code(tmp_path / "code", built_extension().package, settings={}, PATH=os.defpath) as address,
    ):
        bench = Workbench(browser, address, workspace)
        bench.wait_for_text(".notification-toast", "cfn was not found on the search path")
        assert not (tmp_path / "ran").exists()
        bench.run("Workspaces: Manage Workspace Trust")
        bench.click(".workspace-trust-editor .monaco-button", "Trust")
        bench.wait_for_text(".notification-toast", "has no language server: it is AWS's cfn, or an older Formwork")
        assert (tmp_path / "ran").exists()


def test_the_server_runs_tests_of_projects_in_the_workspace_alone(workspace, tmp_path):
    client = started("--own-types-only")
    empty = tmp_path / "empty"
    empty.mkdir()
    client.initialize(empty)
    for method, params in (
        (
            "workspace/executeCommand",
            {"command": "formwork.testHandler", "arguments": [address_of(workspace), "create"]},
        ),
        ("formwork/clauses", {"folder": address_of(workspace)}),
    ):
        with pytest.raises(LspError):
            client.ask(method, params)
    assert client.ask("formwork/status", {})["awsTypes"]  # left to another server
    assert client.close() == 0
    assert not (tmp_path / "ran").exists()
