"""The workflows of the how-to page, and the composite action, played: each command in a project of ours."""

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WHEEL = "./tools/formwork_cfn-0.1.0-py3-none-any.whl"
PAGE = ROOT / "docs" / "how-to" / "validate-in-ci.md"
BLOCKS = [yaml.safe_load(each) for each in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)]
GITHUB = next(each for each in BLOCKS if "jobs" in each)
GITLAB = next(each for each in BLOCKS if "extension" in each)
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A committed project of the sample."""
    root = tmp_path_factory.mktemp("ci") / "thing"
    root.mkdir()
    words = ["init", "-a", "RESOURCE", "-t", "Acme::Store::Workflow", "--sample", "python311", "--no-docker"]
    play(shlex.join(["cfn", *words]), root)
    play("git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm Start", root)
    return root


def play(command, root, **environment):
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=root,
        env={"PATH": path, "HOME": str(root.parent), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def check_results(root):
    suites = ET.parse(root / "cfn-test.xml").getroot()
    assert len(list(suites.iter("testcase"))) > 50
    assert not list(suites.iter("failure"))
    (package,) = root.glob("*.zip")
    assert "schema.json" in zipfile.ZipFile(package).namelist()
    for each in (package, root / "cfn-test.xml"):
        each.unlink()


@pytest.mark.acceptance
def test_the_workflow_of_github_actions(repository):
    for step in GITHUB["jobs"]["extension"]["steps"]:
        command = step.get("run", "")
        if command.startswith("pip install"):
            assert command == f"pip install {WHEEL}"
        elif command:
            play(command, repository)
        else:
            assert re.fullmatch(r"(actions|github)/[a-z/-]+@v\d+", step["uses"])
    log = json.loads((repository / "cfn.sarif").read_text())
    assert log["runs"][0]["results"] == []
    (repository / "cfn.sarif").unlink()
    check_results(repository)


@pytest.mark.acceptance
def test_the_pipeline_of_gitlab(repository):
    assert GITLAB["extension"]["before_script"] == [f"pip install {WHEEL}"]
    for command in GITLAB["extension"]["script"]:
        play(command, repository)
    check_results(repository)


def test_the_composite_action(repository):
    """What GitHub does with it, as far as this machine can: inputs have defaults, each step is one for a shell."""
    known = set(ACTION["inputs"])
    used = re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text())
    assert set(used) == known
    for step in ACTION["runs"]["steps"]:
        if "run" not in step:
            continue
        assert step["shell"] == "bash"
        if "pip install" not in step["run"]:
            play(step["run"], repository, TEST_ARGUMENTS="--aws none")
    check_results(repository)


def test_the_page_uses_the_action_as_it_is():
    step = next(each["steps"][1] for each in BLOCKS if "steps" in each)
    assert set(step["with"]) <= set(ACTION["inputs"])
