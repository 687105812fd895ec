"""`cfn dev`: a broken handler's clause is named, a fixed one passes, and no process is left by Ctrl-C or a kill."""

import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from e2e.test_cfn_test import cfn, edit, sample  # noqa: F401 - a fixture
from e2e.test_cfn_test_watch import alive, children_of, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals")

COMMAND = [sys.executable, "-u", "-m", "formwork.cli.main", "dev"]
FEW = ["--", "-k", "contract_update_read or contract_update_missing"]
IDLE = "watching for saved files"


def start(project, *words):
    """A session in the project, without a terminal."""
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=dict(os.environ),
    )


def wait_until_gone(processes):
    """Wait for the end of processes that are told by the end of another one."""
    deadline = time.monotonic() + 60
    while left := {each for each in processes if alive(each)}:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def test_a_broken_handler_is_named_and_a_fixed_one_passes(sample):  # noqa: F811
    project = sample("session")
    with start(project, *FEW) as running:
        try:
            assert re.search(r"ok: no violation in \d+ tests, \d+ clauses proved", until(running, IDLE))
            edit(project, '    """Replace every property', '    raise KeyError("zone")\n    """Replace every property')
            told = until(running, IDLE)
            assert "handlers.py changed\nthe tests of update" in told
            assert re.search(r"FAILED: violated: .*update\.applied.* s after the save\)", told)
            assert "\x1b" not in told
            edit(project, '    raise KeyError("zone")\n', "")
            assert "ok: no violation" in until(running, IDLE)
            (schema,) = project.glob("acme-*.json")
            text = schema.read_text()
            schema.write_text(text.replace('"typeName"', '"typName"', 1))
            assert "FAILED: not valid" in until(running, IDLE)
            left = children_of(running.pid)
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 130
        finally:
            running.kill()
    wait_until_gone(left)


def test_a_killed_session_leaves_no_handler(sample):  # noqa: F811
    project = sample("killed")
    edit(project, '    """Start to create', '    import time\n    time.sleep(300)\n    """Start to create')
    with start(project, *FEW) as running:
        try:
            deadline = time.monotonic() + 60
            while not (handlers := children_of(running.pid)):
                assert time.monotonic() < deadline
                time.sleep(0.1)
        finally:
            running.kill()
    wait_until_gone(handlers)


@pytest.mark.acceptance
def test_keys_of_a_terminal(sample):  # noqa: F811
    import pty

    project = sample("keys")
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *FEW], cwd=project, stdin=theirs, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        try:
            read_until(ours, "q quit")
            os.write(ours, b"d")
            assert "cfn test --seed" in read_until(ours, "--debug-port 5678")
            os.write(ours, b"f")
            read_until(ours, ">> ")
            os.write(ours, b"update.applied\n")
            assert "focus: update.applied" in read_until(ours, "q quit")
            os.write(ours, b"q")
            assert running.wait(30) == 0
        finally:
            running.kill()
            os.close(ours)


def read_until(descriptor, words):
    """What a terminal shows up to these words."""
    shown = b""
    while words.encode() not in shown:
        assert select.select([descriptor], [], [], 60)[0], shown
        shown += os.read(descriptor, 4096)
    return shown.decode(errors="replace")


@pytest.mark.acceptance
def test_a_stack_follows_what_is_saved(sample, tmp_path, monkeypatch):  # noqa: F811
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"FORMWORK_{name}", str(tmp_path / name.lower()))
    project = sample("deployed")
    (schema,) = project.glob("acme-*.json")
    kind = re.search(r'"typeName": "(.*)"', schema.read_text())[1]
    template = tmp_path / "stack.yaml"
    template.write_text(f"Resources:\n  Thing:\n    Type: {kind}\n    Properties: {{Name: Deployed}}\n")
    with start(project, "--stack", "demo", "--template", str(template), *FEW) as running:
        try:
            told = until(running, IDLE)
            assert "serving the registry at" in told
            assert "demo: CREATE_COMPLETE" in told
            template.write_text(template.read_text().replace("}", ", Copies: 4}"))
            told = until(running, IDLE)
            assert "demo: UPDATE_COMPLETE" in told
            assert "only the stack's template was saved; the stack is deployed" in told
            edit(project, '    """Replace every property', '    raise KeyError("zone")\n    """Replace every property')
            told = until(running, IDLE)
            assert "FAILED: violated" in told
            assert "demo" not in told
            left = children_of(running.pid)
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 130
        finally:
            running.kill()
    wait_until_gone(left)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--stack", "demo"), "--stack needs --template"),
        (("--template", ".rpdk-config"), "--template needs --stack"),
        (("--parameter", "A=1"), "--parameter needs --stack"),
        (("--stack", "demo", "--template", "none.yaml"), '--template is "none.yaml"'),
        (("--", "--require-proof"), "cfn dev has no --require-proof"),
        (("--", "--nonsense"), "--nonsense"),
    ],
)
def test_options_that_miss_what_they_need(sample, words, says):  # noqa: F811
    done = cfn(sample("refused"), "dev", *words)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr


def test_no_project(tmp_path):
    done = cfn(tmp_path, "dev")
    assert done.returncode == 1
    assert "project.not-found" in done.stderr


@pytest.mark.acceptance
def test_a_module_is_expanded(tmp_path):
    assert cfn(tmp_path, "init", "-a", "MODULE", "-t", "Acme::Dev::Queue::MODULE").returncode == 0
    template = tmp_path / "use.yaml"
    template.write_text("Resources:\n  Mine:\n    Type: Acme::Dev::Queue::MODULE\n    Properties: {Attempts: 3}\n")
    with start(tmp_path, "--template", str(template)) as running:
        try:
            told = until(running, IDLE)
            assert "ok: the module is valid" in told
            assert "AWS::SQS::Queue" in told
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 130
        finally:
            running.kill()
