"""The pages on tests of applications, as their readers follow them: the files that they show, and their commands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from formwork.toolchain.node import find_node
from support.applications import cdk_for_node, cdk_for_python
from support.corpus import REPOSITORY
from support.pages import commands
from support.toolchains import needs_node

HOW_TO = REPOSITORY / "docs" / "how-to"
SHOWN = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
INSTALLED = ("pip install", "npm install")


def play(name, folder, **more):
    """Write the files of a page and run its commands; all that they wrote."""
    text = (HOW_TO / f"{name}.md").read_text(encoding="utf-8")
    for path, content in SHOWN.findall(text):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    played = [line for line in commands(text) if not line.startswith(INSTALLED)]
    programs = [sys.executable, *([find_node(os.environ).executable] if "CDK" in text else [])]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([*(str(Path(each).parent) for each in programs), os.environ["PATH"]]),
        "PYTEST_ADDOPTS": "-p formwork.testing.plugin -p no:cacheprovider",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1",
        "NODE_NO_WARNINGS": "1",
        **more,
    }
    script = "\n".join(["set -eu", *played])
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.acceptance
def test_templates_and_policies(tmp_path):
    pytest.importorskip("cloudformation_validate")
    assert play("test-templates", tmp_path).count("5 passed") == 2


@pytest.mark.acceptance
def test_a_sam_application(tmp_path):
    pytest.importorskip("samtranslator")
    assert "1 passed" in play("test-a-sam-application", tmp_path)


@needs_node
@pytest.mark.acceptance
def test_a_cdk_app_in_python(tmp_path):
    assert "3 passed" in play("test-a-cdk-app-in-python", tmp_path, PYTHONPATH=str(cdk_for_python()))


@needs_node
@pytest.mark.acceptance
def test_a_cdk_app_in_typescript(tmp_path):
    (tmp_path / "node_modules").symlink_to(cdk_for_node(tmp_path))
    assert play("test-a-cdk-app-in-typescript", tmp_path).count("1 passed") == 2
