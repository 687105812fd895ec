"""`cfn diff` as a user runs it."""

import json
import os
import subprocess

import pytest

from support.faults import RESOURCE, seed_fault
from support.forked import run_command
from support.registry import resource_package
from support.serving import register, serving


@pytest.fixture
def diff(tmp_path):
    def run(*argv):
        return run_command(["diff", *map(str, argv)], cwd=tmp_path, env=os.environ, timeout=60)

    return run


def write(path, **changes):
    path.write_text(json.dumps(seed_fault(RESOURCE, changes), indent=1))


def test_files(diff, tmp_path):
    write(tmp_path / "old.json")
    write(tmp_path / "new.json", **{"/properties/Size/maximum": 9, "/properties/New": {"type": "string"}})
    shown = diff("old.json", "new.json")
    assert shown.returncode == 1
    assert "error[change.range-tightened]" in shown.stdout
    assert "new.json:" in shown.stdout
    assert "property-added" not in shown.stdout
    assert "property-added" in diff("old.json", "new.json", "--all").stdout
    backwards = diff("new.json", "old.json", "--format", "json")
    assert backwards.returncode == 1
    assert [each["code"] for each in json.loads(backwards.stdout)["diagnostics"]] == ["change.property-removed"]
    same = diff("old.json", "old.json")
    assert (same.returncode, same.stdout) == (0, "no change breaks users\n")


def test_git_revision(diff, tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    write(tmp_path / "thing.json")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "a"], check=True)
    write(tmp_path / "thing.json", **{"/required": ["Name", "Size"]})
    shown = diff("HEAD", "thing.json")
    assert shown.returncode == 1
    assert "change.newly-required" in shown.stdout


@pytest.mark.parametrize("old", ["nope", "-x", "--upload-pack=touch"])
def test_no_such_old(diff, tmp_path, old):
    write(tmp_path / "thing.json")
    shown = diff("--", old, "thing.json")
    assert shown.returncode == 1
    assert "is not a file, a project, or a git revision" in shown.stderr


def test_broken_schema(diff, tmp_path):
    write(tmp_path / "old.json")
    write(tmp_path / "new.json", **{"/properties/Size/type": "int"})
    shown = diff("old.json", "new.json")
    assert shown.returncode == 1
    assert "schema.unknown-type" in shown.stderr


def test_a_registered_version(diff, tmp_path, monkeypatch):
    """The second version breaks what the first one's users wrote; the project is at the second one."""
    tightened = {"/properties/Size/maximum": 9}
    write(tmp_path / "new.json", **tightened)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "111111111111")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    with serving(tmp_path, "--ephemeral", forked=True) as server:
        for number, changes in enumerate([{}, tightened]):
            content = resource_package(schema=seed_fault(RESOURCE, changes))
            register(server, RESOURCE["typeName"], key=f"{number}.zip", content=content)
        where = ("new.json", "--endpoint-url", server.url, "--region", "us-east-1")
        first = diff("registry:Acme::Store::Thing@1", *where)
        second = diff("registry:Acme::Store::Thing@00000002", *where)
        default = diff("registry:Acme::Store::Thing", *where)
        absent = diff("registry:Acme::Store::Thing@4", *where)
    assert first.returncode == 1, first.stderr
    assert "error[change.range-tightened]" in first.stdout
    assert "/properties/Size" in first.stdout
    assert (second.returncode, second.stdout) == (0, "no change breaks users\n"), second.stderr
    assert (default.returncode, default.stdout) == (first.returncode, first.stdout), "the first one is the default"
    assert absent.returncode == 1
    assert "error[change.old-not-registered]" in absent.stderr


def test_words_that_name_no_registered_version(diff, tmp_path):
    write(tmp_path / "new.json")
    assert diff("registry:Thing", "new.json").returncode == 2
    gone = diff("registry:Acme::Store::Thing", "new.json", "--endpoint-url", "http://127.0.0.1:9")
    assert gone.returncode == 3
    assert "cannot be asked" in gone.stderr
    assert "Traceback" not in gone.stdout + gone.stderr
