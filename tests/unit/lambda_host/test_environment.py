"""What a handler process finds around it: Lambda's variables, its own imports, and nothing of the user's."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from support.lambdas import INTERPRETER, alive, make_function


def invoke(host, **event):
    return json.loads(host.invoke("TypeFunction", json.dumps(event).encode()).body)


def test_the_environment_is_lambdas_and_the_functions(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-users-own")
    monkeypatch.setenv("AWS_PROFILE", "admin")
    monkeypatch.setenv("GITHUB_TOKEN", "the-users-own")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    root = tmp_path / "f"
    function = make_function(root, environment={"STAGE": "test", "TZ": "Europe/Berlin"})
    with LambdaHost([function], settings=HostSettings(environment={"AWS_REGION": "eu-west-1"})) as host:
        environment = invoke(host, what="environment")
    assert "the-users-own" not in environment.values()
    assert "AWS_PROFILE" not in environment
    for name in ("AWS_LAMBDA_RUNTIME_API", "FORMWORK_SANDBOX", "_X_AMZN_TRACE_ID"):
        assert environment.pop(name)
    environment.pop("LC_CTYPE", None)  # Python's own, where the machine lacks Lambda's locale
    assert environment == {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.11",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_FUNCTION_NAME": "TypeFunction",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/TypeFunction",
        "AWS_LAMBDA_LOG_STREAM_NAME": "formwork/[$LATEST]local",
        "AWS_REGION": "eu-west-1",
        "AWS_SAM_LOCAL": "true",
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "LAMBDA_TASK_ROOT": str(root),
        "LANG": "en_US.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(root),
        "STAGE": "test",
        "TZ": "Europe/Berlin",
        "_HANDLER": "handlers.main.handler",
    }


def test_the_context(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")]) as host:
        names = [
            "function_name",
            "function_version",
            "memory_limit_in_mb",
            "log_group_name",
            "invoked_function_arn",
            "client_context",
            "identity",
        ]
        context = invoke(host, what="context", names=names)
        assert context == {
            "function_name": "TypeFunction",
            "function_version": "$LATEST",
            "memory_limit_in_mb": "256",
            "log_group_name": "/aws/lambda/TypeFunction",
            "invoked_function_arn": "arn:aws:lambda:us-east-1:123456789012:function:TypeFunction",
            "client_context": None,
            "identity": None,
        }
        assert 0 < invoke(host)["left_ms"] <= 20_000


def test_nothing_but_the_task_root_and_what_was_given_is_importable(tmp_path):
    shelf = tmp_path / "shelf"
    for name in ("wanted", "unwanted"):
        (shelf / name).mkdir(parents=True)
        (shelf / name / "__init__.py").write_text("inner = 1", encoding="utf-8")
        (shelf / name / "deep.py").write_text("value = 2", encoding="utf-8")
    (tmp_path / "deps").mkdir()
    (tmp_path / "deps" / "dependency.py").touch()
    source = """
import importlib
def handler(event, context):
    found = {}
    for name in event["names"]:
        try:
            importlib.import_module(name)
            found[name] = True
        except ImportError:
            found[name] = False
    return found
"""
    launch = {"paths": [tmp_path / "deps"], "packages": {"wanted": shelf}}
    with LambdaHost([make_function(tmp_path / "f", source=source, launch=launch)]) as host:
        names = [
            "handlers",
            "wanted.deep",
            "dependency",
            "unwanted",
            "pip",
            "pytest",
            "formwork",
            "sqlite3",
            "bootstrap",
        ]
        found = invoke(host, names=names)
    assert [name for name, ok in found.items() if ok] == ["handlers", "wanted.deep", "dependency", "sqlite3"]


@pytest.mark.parametrize("minor", [9, 10, 12, 13, 14])
def test_the_bootstrap_runs_on_every_python_that_handlers_have(tmp_path, minor):
    from formwork.toolchain.python import find_interpreter

    found = find_interpreter(f"python3.{minor}", search_path=os.environ["PATH"], home=Path.home())
    if found.note:
        pytest.skip(f"Python 3.{minor} is not installed here")
    from formwork.lambda_host.function import LambdaFunction
    from formwork.languages.python.launch import python_launch

    plain = make_function(tmp_path / "f")
    function = LambdaFunction(
        plain.name,
        plain.handler,
        f"python3.{minor}",
        plain.task_root,
        lambda: python_launch(found.executable, task_root=plain.task_root),
        timeout=20,
        memory_mb=256,
    )
    with LambdaHost([function]) as host:
        assert invoke(host, a=1)["event"] == {"a": 1}
        assert "errorType" in invoke(host, what="raise")
        assert host.invoke("TypeFunction", b'{"what": "exit", "code": 3}').kind == "exited"


HOSTING = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from support.lambdas import make_function
from formwork.lambda_host.host import LambdaHost
host = LambdaHost([make_function(Path(sys.argv[2]))])
print(host.invoke("TypeFunction", b'{"what": "leave children"}').body.decode(), flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="daemons are recognised by /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_a_host_that_was_killed(tmp_path, number):
    tests = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", HOSTING, tests, str(tmp_path / "f")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as hosting:
        pids = json.loads(hosting.stdout.readline())["pids"]
        assert all(map(alive, pids))
        hosting.send_signal(number)
        hosting.wait()
    for _ in range(200):
        if not any(map(alive, pids)):
            break
        time.sleep(0.02)
    assert not any(map(alive, pids))


def test_the_version_of_a_package_that_was_given_can_be_asked_for(tmp_path):
    import botocore

    source = """
import importlib.metadata
def handler(event, context):
    found = {}
    for name in ("botocore", "pytest"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found
"""
    packages = {"botocore": Path(botocore.__file__).parents[1]}
    with LambdaHost([make_function(tmp_path / "f", source=source, launch={"packages": packages})]) as host:
        assert invoke(host) == {"botocore": botocore.__version__, "pytest": None}


def test_the_interpreter_of_these_tests_is_no_virtual_environments():
    assert INTERPRETER.exists()
