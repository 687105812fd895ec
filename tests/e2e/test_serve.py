"""`cfn serve` as a user, boto3 and `cfn invoke --endpoint` meet it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import boto3
import pytest
from botocore.config import Config

from support.handler_projects import make_project, write_json
from support.lambdas import alive


@contextlib.contextmanager
def serving(project, *options):
    """A running `cfn serve` and its address."""
    command = [sys.executable, "-m", "formwork.cli.main", "serve", *options]
    folders = {"FORMWORK_CACHE": str(project.parent / "cache"), "FORMWORK_STATE": str(project.parent / "state")}
    environment = {**os.environ, **folders}
    with subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("ready http://127.0.0.1:"), process.stderr.read()
            yield process, line.split()[1]
        finally:
            if process.poll() is None:
                process.kill()


def client_of(address):
    return boto3.client(
        "lambda",
        endpoint_url=address,
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="y",
        config=Config(retries={"max_attempts": 0}),
    )


def invoke(address, properties):
    event = {"action": "CREATE", "requestData": {"resourceProperties": properties}, "bearerToken": "t"}
    answer = client_of(address).invoke(FunctionName="TypeFunction", Payload=json.dumps(event).encode())
    return json.loads(answer["Payload"].read())


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "thing")


def test_a_project_is_served_without_the_libraries_of_the_registry():
    """They are imported when the registry starts: a user of the functions alone does not wait for them."""
    late = ("sqlalchemy", "alembic", "formwork.engine.engine", "formwork.registry.registry", "formwork.egress.gate")
    code = f"import sys, formwork.command_context.registry_service\nprint([n for n in {late} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_it_says_that_it_is_ready_and_serves(project):
    with serving(project, "--port", "0") as (process, address):
        assert invoke(address, {"Name": "x"})["status"] == "SUCCESS"
        file = write_json(
            project.parent / "request.json", {"desiredResourceState": {"Name": "progress", "Password": "canary-4711"}}
        )
        command = [sys.executable, "-m", "formwork.cli.main", "invoke", "CREATE", str(file), "--endpoint", address]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=30)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("=== Handler response ===") == 4
        assert "canary" not in done.stdout
        done = subprocess.run(
            [*command, "--function-name", "Nope"], cwd=project, capture_output=True, text=True, check=False, timeout=30
        )
        assert done.returncode == 3
        assert "ResourceNotFoundException" in done.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_ctrl_c_ends_it_and_every_handler(project):
    source = "import os, time\ndef resource(event, context): return os.getpid()\n"
    (project / "src" / "acme_store_thing" / "handlers.py").write_text(source, encoding="utf-8")
    with serving(project, "--port", "0") as (process, address):
        pid = invoke(address, {})
        assert alive(pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert "Traceback" not in process.stderr.read()
        assert process.stdout.read() == "", "one line, no more"
        assert not alive(pid)
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=1)


def test_what_handlers_print_goes_to_standard_error(project):
    with serving(project, "--port", "0") as (process, address):
        invoke(address, {"Name": "loud", "Password": "canary-4711"})
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        log = process.stderr.read()
    assert "[TypeFunction " in log
    assert "my password is ********" in log


def test_a_changed_template_is_read_anew(project):
    with serving(project, "--port", "0") as (process, address):
        assert invoke(address, {})["status"] == "SUCCESS"
        template = (project / "template.yml").read_text(encoding="utf-8")
        (project / "template.yml").write_text("Resources: {", encoding="utf-8")
        time.sleep(0.8)
        assert invoke(address, {})["status"] == "SUCCESS", "what it had stays"
        (project / "template.yml").write_text(template.replace("TestEntrypoint:", "Another:"), encoding="utf-8")
        time.sleep(0.8)
        assert client_of(address).invoke(FunctionName="Another", InvocationType="DryRun")["StatusCode"] == 204
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        log = process.stderr.read()
    assert "error[document." in log
    assert "template.yml changed: serving Another, TypeFunction" in log


def test_a_port_in_use(project):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "formwork.cli.main", "serve", "--port", str(port)]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"can't listen on 127.0.0.1 port {port}: Address already in use" in done.stderr
    assert "--port N" in done.stderr


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--port", "70000"], 2, "--port is 70000"),
        (["--port", "x"], 2, "a whole number"),
        (["--concurrency", "0"], 2, "1 or more"),
        (["--host", "203.0.113.1", "--port", "0"], 3, "can't listen on 203.0.113.1"),
    ],
)
def test_options_that_make_no_sense(project, monkeypatch, capsys, *, options, code, says):
    from formwork.cli.main import main

    monkeypatch.setenv("FORMWORK_STATE", str(project.parent / "state"))
    monkeypatch.chdir(project)
    assert main(["serve", *options]) == code
    assert says in capsys.readouterr().err


def test_a_template_that_cannot_be_used(project, monkeypatch, capsys):
    from formwork.cli.main import main

    (project / "template.yml").write_text("Resources:\n  F:\n    Type: AWS::Serverless::Function\n", encoding="utf-8")
    monkeypatch.chdir(project)
    assert main(["serve", "--port", "0"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "template.yml:3:" in captured.err
    assert "function F: Handler is missing" in captured.err
