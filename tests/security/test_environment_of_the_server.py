"""A handler reads the environment and the memory of the process that started it, and of that one's other children."""

import base64
import json
import os
import pwd
import subprocess
import sys
import urllib.request

import pytest

from support.commands import CFN
from support.lambdas import alive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
CANARY = "canary-of-the-environment"
KEY = base64.b64encode(b"k" * 32).decode()
SECRETS = {
    "AWS_ACCESS_KEY_ID": CANARY,
    "AWS_SECRET_ACCESS_KEY": CANARY,
    "AWS_SESSION_TOKEN": CANARY,
    "PGPASSWORD": CANARY,
    "SOME_TOKEN": CANARY,
    "FORMWORK_STATE_KEY": KEY,
}
# What a handler can look at: its parent, the parent's parent and all of the parent's children, as its own user.
HANDLER = """
import os, pathlib

def look(pid):
    found = {}
    for name in ("environ", "cmdline"):
        try:
            found[name] = pathlib.Path(f"/proc/{pid}/{name}").read_bytes().decode("latin-1")
        except OSError as error:
            found[name] = type(error).__name__
    return found

def handler(event, context):
    parent = os.getppid()
    children = pathlib.Path(f"/proc/{parent}/task").glob("*/children")
    pids = {parent, *(int(pid) for path in children for pid in path.read_text().split())}
    return {"parent": parent, "own": dict(os.environ), "seen": {pid: look(pid) for pid in pids - {os.getpid()}}}
"""
TEMPLATE = """
Resources:
  TypeFunction:
    Type: AWS::Serverless::Function
    Properties:
      Handler: index.handler
      Runtime: python3.11
      CodeUri: src
"""


@pytest.fixture
def server(tmp_path):
    """A server with secrets in its environment, and a project whose function looks for them."""
    project = tmp_path / "project"
    project.mkdir()
    words = ["init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311", "--no-docker"]
    subprocess.run([CFN, *words], cwd=project, check=True, capture_output=True)
    (project / "template.yml").write_text(TEMPLATE)
    (project / "src/index.py").write_text(HANDLER)
    own = {"FORMWORK_CACHE": str(tmp_path / "cache"), "FORMWORK_STATE": str(tmp_path / "state")}
    with subprocess.Popen(
        [CFN, "serve", "--port", "0"], cwd=project, env={**os.environ, **own, **SECRETS}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            yield process, process.stdout.readline().split()[1]
        finally:
            process.terminate()
            process.communicate()


def test_a_handler_finds_no_secret_in_the_processes_around_it(server):
    process, url = server
    asked = urllib.request.Request(f"{url}/2015-03-31/functions/TypeFunction/invocations", b"{}")
    with urllib.request.urlopen(asked, timeout=60) as answer:
        told = json.loads(answer.read())
    assert told["parent"] == process.pid
    assert len(told["seen"]) >= 2, "the server and its reaper"
    assert CANARY not in json.dumps(told)
    assert KEY not in json.dumps(told)
    assert "FORMWORK_STATE" not in json.dumps(told["seen"])


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_another_user_finds_nothing_either(server):
    process, _ = server
    nobody = pwd.getpwnam("nobody").pw_uid
    command = ["cat", *(f"/proc/{process.pid}/{name}" for name in ("environ", "mem", "maps", "auxv"))]
    ended = subprocess.run(command, user=nobody, capture_output=True, check=False)
    assert (ended.stdout, ended.stderr.count(b"Permission denied")) == (b"", 4)
    assert alive(process.pid)


# Root may read everything, so that the process gives its rights away first; that is what makes it undumpable already,
# so that it takes this back.
OWN_USER = """
import ctypes, os, subprocess, sys
from formwork.cli.private_environment import conceal_environment

os.setgroups([]), os.setgid(int(sys.argv[1])), os.setuid(int(sys.argv[1]))
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)

def attack():
    command = ["cat", f"/proc/{os.getpid()}/environ", f"/proc/{os.getpid()}/maps"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    print(len(ended.stdout) > 0, "SECRET=" in ended.stdout, ended.stderr.count("Permission denied"))

attack()
conceal_environment()
attack()
own = subprocess.run(["printenv", "SECRET", "KEPT"], capture_output=True, text=True).stdout.split()
print(os.environ["SECRET"], *own, ctypes.CDLL(None).getenv(b"SECRET") != 0)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_handler_of_the_same_user_that_is_not_root():
    nobody = str(pwd.getpwnam("nobody").pw_uid)
    environment = {**os.environ, "SECRET": CANARY, "KEPT": "too"}
    ended = subprocess.run(
        [sys.executable, "-c", OWN_USER, nobody], env=environment, capture_output=True, text=True, check=True
    )
    before, after, own = ended.stdout.splitlines()
    assert before == "True True 0", "the attack works"
    assert after == "False False 2"
    assert own == f"{CANARY} {CANARY} too True", "the process and its children have their environment"


@pytest.mark.parametrize("command", [["invoke", "resource", "READ", "missing.json"], ["stack", "list"], ["test"]])
def test_every_command_that_starts_handlers_clears_its_environment(command, tmp_path):
    """Seen by root, which no mode of a file binds."""
    show = "import os, sys; from formwork.cli.main import main; main(sys.argv[1:]);"
    show += "print(open('/proc/self/environ').read().strip('\\0').count('='), os.environ['SOME_TOKEN'])"
    own = {"HOME": str(tmp_path), "FORMWORK_STATE": str(tmp_path / "state"), "AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    environment = {**os.environ, **SECRETS, **own}
    if os.geteuid() != 0:
        pytest.skip("only root can read the file of a process that closed it")
    ended = subprocess.run(
        [sys.executable, "-c", show, *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.splitlines()[-1] == f"0 {CANARY}", ended.stderr


def test_the_mark_of_a_handlers_processes_stays():
    show = "from formwork.cli.private_environment import conceal_environment; conceal_environment();"
    show += "print(open('/proc/self/environ').read().strip('\\0'))"
    if os.geteuid() != 0:
        pytest.skip("only root can read the file of a process that closed it")
    environment = {"PATH": os.environ["PATH"], "FORMWORK_SANDBOX": "1234", "SECRET": CANARY}
    ended = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "FORMWORK_SANDBOX=1234"
