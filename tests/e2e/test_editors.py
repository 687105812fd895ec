"""Real clients of `cfn lsp`: Neovim as Debian 12 has it, VS Code's protocol client, and pytest-lsp."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.npm import installed_packages
from support.installations import run
from support.toolchains import needs_node
from support.typescript import CACHE
from support.typing_client import CONFIG, INPUTS, SCHEMA

pytestmark = pytest.mark.acceptance
SCRIPTS = Path(__file__).parents[1] / "data" / "editors"
CFN = Path(sys.executable).with_name("cfn")
PACKAGES = {"vscode-languageserver-protocol": "3.17.5"}
NEOVIM = shutil.which("nvim")


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "a project"
    (root / "inputs").mkdir(parents=True)
    (root / ".rpdk-config").write_text(json.dumps(CONFIG))
    (root / "acme-store-thing.json").write_text(json.dumps(SCHEMA, indent=4))
    (root / "inputs" / "inputs_1_create.json").write_text(json.dumps(INPUTS))
    return root


def played(words, **environment):
    ended = subprocess.run(
        [*map(str, words)], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended


@pytest.mark.skipif(
    NEOVIM is None and not os.environ.get("FORMWORK_ALL_TOOLCHAINS"), reason="no Neovim: apt-get install neovim"
)
def test_neovim(project, tmp_path):
    report = tmp_path / "report.json"
    settings = {"FORMWORK_FILE": str(project / "acme-store-thing.json"), "FORMWORK_REPORT": str(report)}
    played(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SCRIPTS / 'neovim.lua'}"],
        **settings,
        FORMWORK_CFN=str(CFN),
        XDG_STATE_HOME=str(tmp_path),
        XDG_CACHE_HOME=str(tmp_path),
    )
    got = json.loads(report.read_text())
    assert "problem" not in got, got
    assert got["hover"].startswith("**Name**: string, required, createOnly")
    held = ("fine", "fault", "fixed", "broken", "whole", "renamed", "stopped")
    assert {key: got[key] for key in held} == dict.fromkeys(held, True)
    assert (got["references"], got["lenses"]) == (6, 2)
    assert got["completion"] >= 5
    assert got["definition"] > 0


@needs_node
def test_vs_codes_protocol_client(project, tmp_path):
    folder = tmp_path / "client"
    folder.mkdir()
    manifest = {"name": "client", "version": "1.0.0", "private": True, "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    modules = installed_packages(folder, BuildSettings(dict(os.environ), CACHE))
    words = [find_node(os.environ).executable, SCRIPTS / "vscode_client.js", CFN, project / "acme-store-thing.json"]
    got = json.loads(played(words, NODE_PATH=str(modules)).stdout)
    assert got["hover"].startswith("**Name**: string, required, createOnly")
    assert "schema.pointer-not-found" in got.pop("changed")
    assert "schema.pointer-not-found" not in got.pop("opened")
    assert got.pop("completion") >= 5
    assert got.pop("actions") >= 0
    # The request is either taken back in time or has been answered: clients accept both.
    assert got.pop("cancelled") in (-32800, "answered")
    got.pop("hover")
    assert got == {
        "encoding": "utf-16",
        "registered": ["workspace/didChangeWatchedFiles"],
        "definition": 1,
        "references": 6,
        "placeholder": "Name",
        "renamed": 2,
        "lenses": 2,
        "exit": 0,
    }


def test_pytest_lsp(project, tmp_path):
    environment = tmp_path / "env"
    lock = SCRIPTS / "pytest_plugin" / "requirements.lock"
    run(sys.executable, "-m", "venv", environment, cwd=tmp_path)
    words = ("install", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement", lock)
    run(environment / "bin" / "python", "-m", "pip", *words, cwd=tmp_path)
    # A copy: beside the original pytest finds this project's settings.
    requests = shutil.copy(SCRIPTS / "pytest_plugin" / "requests.py", tmp_path)
    options = (
        "-q",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
        "-W",
        "error::pytest_lsp.LspSpecificationWarning",
    )
    settings = {"FORMWORK_CFN": str(CFN), "FORMWORK_PROJECT": str(project), "HOME": str(tmp_path)}
    said = run(environment / "bin" / "python", "-m", "pytest", *options, requests, cwd=tmp_path, env=settings)
    assert re.search(r"\b24 passed", said), said
