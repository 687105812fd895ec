"""`cfn serve` as a registry: real clients, a restart, another server, a project beside it."""

import concurrent.futures
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from botocore.exceptions import ClientError

from support.handler_projects import make_project
from support.registry import THING, module_package, resource_package
from support.serving import Server, register, serving, upload


def test_a_type_is_registered_and_there_after_a_restart(tmp_path):
    with serving(tmp_path) as server:
        server.client("cloudformation").list_types()  # the first call waits for the registry to start
        started = time.monotonic()
        arn = register(server)
        assert time.monotonic() - started < 25, "the waiter's delay is 30 s"
        assert arn == "arn:aws:cloudformation:us-east-1:111111111111:type/resource/Acme-Store-Thing/00000001"
        assert register(server, region="eu-west-1").startswith("arn:aws:cloudformation:eu-west-1:")
        assert server.client("cloudformation", account="222222222222").list_types()["TypeSummaries"] == []
        code, said = server.stop()
    assert code == 0
    assert "Traceback" not in said
    with serving(tmp_path) as server:
        described = server.client("cloudformation").describe_type(Type="RESOURCE", TypeName=THING)
        assert described["Arn"] == arn
        assert server.stop(signal.SIGINT)[0] == 130


def test_two_servers_on_one_state_folder(tmp_path):
    with serving(tmp_path, forked=True) as server:
        command = [sys.executable, "-m", "formwork.cli.main", "serve", "--port", "0"]
        environment = {**os.environ, "FORMWORK_STATE": str(tmp_path / "state")}
        second = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=30
        )
        assert (second.returncode, second.stdout) == (3, "")
        assert f"is in use by another Formwork (process {server.process.pid}) at {server.url}" in second.stderr


def test_strict_quotas_refuse_what_is_too_much(tmp_path):
    with serving(tmp_path, "--ephemeral", "--strict-quotas", forked=True) as server:
        client = server.client("cloudformation")
        # Versions in progress count, so that none of the fifty has to be waited for.
        wanted = {"Type": "RESOURCE", "TypeName": THING, "SchemaHandlerPackage": upload(server, resource_package())}
        for _ in range(50):
            client.register_type(**wanted)
        with pytest.raises(ClientError, match="has 50 versions, and AWS allows 50"):
            client.register_type(**wanted)


def test_an_ephemeral_server_outside_a_project(tmp_path):
    with serving(tmp_path, "--ephemeral") as server:
        with pytest.raises(ClientError, match="Function not found"):
            server.client("lambda").invoke(FunctionName="TypeFunction")
        assert server.client("cloudformation").list_types()["TypeSummaries"] == []
        code, said = server.stop()
    assert code == 0
    assert "serving the registry" in said
    assert not (tmp_path / "state").exists()


def test_a_project_is_served_beside_another_server(tmp_path):
    project = make_project(tmp_path / "thing")
    with serving(tmp_path, forked=True) as server, serving(tmp_path, cwd=project) as second:
        invoked = second.client("lambda").invoke(FunctionName="TypeFunction", InvocationType="DryRun")
        assert invoked["StatusCode"] == 204
        with pytest.raises(ClientError, match=f"in use by another Formwork.* at {server.url}"):
            second.client("cloudformation").list_types()
        code, said = second.stop()
        assert code == 0
        assert "the registry is not served here" in said


def test_a_project_s_functions_and_the_registry_on_one_port(tmp_path):
    project = make_project(tmp_path / "thing")
    with serving(tmp_path, cwd=project) as server:
        assert (
            not (tmp_path / "state" / "formwork.db").exists()
            or (tmp_path / "state" / "formwork.db").stat().st_size == 0
        )
        assert (
            server.client("lambda").invoke(
                FunctionName="TypeFunction", Payload=b'{"action": "LIST", "requestData": {}}'
            )["StatusCode"]
            == 200
        )
        assert server.client("cloudformation").list_types()["TypeSummaries"] == []
        with pytest.raises(ClientError, match="Function not found"):
            server.client("lambda").invoke(FunctionName="Nope")
        assert server.stop()[0] == 0


def test_signatures_are_verified_when_asked_for(tmp_path):
    with serving(tmp_path, "--require-auth", forked=True) as server:
        with pytest.raises(ClientError, match="InvalidClientTokenId"):
            server.client("sts").get_caller_identity()
        keys = tmp_path / "state" / "credentials"
        assert keys.stat().st_mode & 0o077 == 0
        text = keys.read_text(encoding="utf-8")
        named = dict(line.split(" = ") for line in text.splitlines() if " = " in line)
        sts = server.client("sts", **named)
        assert sts.get_caller_identity()["Account"] == "123456789012"
        _, said = server.stop()
    assert f"AWS_SHARED_CREDENTIALS_FILE={keys}" in said
    assert named["aws_secret_access_key"] not in said


def test_a_state_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").touch()
    command = [sys.executable, "-m", "formwork.cli.main", "serve", "--port", "0", "--state", str(tmp_path / "file")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (3, "")
    assert "Traceback" not in done.stderr
    assert "--state" in done.stderr


def test_a_broken_database_ends_it_with_a_reason(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "formwork.db").write_bytes(b"this is no database at all" * 100)
    command = [sys.executable, "-m", "formwork.cli.main", "serve", "--port", "0", "--state", str(tmp_path / "state")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert "formwork.db" in done.stderr


LOUD = """
def resource(event, context):
    model = event["requestData"]["resourceProperties"]
    print("making", model["Name"], "with", model.get("Secret"))
    return {"status": "SUCCESS", "resourceModel": {"Name": model["Name"]}, "message": ""}
"""


def test_what_registered_handlers_write_is_read_as_logs(tmp_path):
    template = {"Resources": {"T": {"Type": THING, "Properties": {"Name": "one", "Secret": "canary-4711"}}}}
    with serving(tmp_path, forked=True) as server:
        register(server, content=resource_package(handlers=LOUD))
        stacks = server.client("cloudformation")
        stacks.create_stack(StackName="s", TemplateBody=json.dumps(template))
        stacks.get_waiter("stack_create_complete").wait(StackName="s")
        logs = server.client("logs")
        named = "/acme-store-thing-stack-ResourceHandler-"
        (group,) = logs.describe_log_groups(logGroupNamePrefix=named)["logGroups"]
        found = logs.filter_log_events(logGroupName=group["logGroupName"], filterPattern="making")["events"]
        assert found[0]["message"].endswith("] making one with ********")
        assert found[0]["message"].startswith("[CREATE ")
        assert abs(found[0]["timestamp"] / 1000 - time.time()) < 60
        server.stop()


@pytest.mark.parametrize("clients", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_clients_register_and_list_at_once(tmp_path, clients):
    """Modules, which need no handler process; a thread and a connection each."""
    names = [f"Acme::Store::Shelf{number:03}::MODULE" for number in range(clients)]
    with serving(tmp_path, forked=True) as server:
        s3 = server.client("s3", connections=clients)
        s3.create_bucket(Bucket="packages")
        client = server.client("cloudformation", connections=clients)
        client.list_types()

        def register_and_list(name):
            s3.put_object(Bucket="packages", Key=name, Body=module_package(name))
            asked = {"Type": "MODULE", "TypeName": name, "SchemaHandlerPackage": f"s3://packages/{name}"}
            token = client.register_type(**asked)["RegistrationToken"]
            client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
            listed = client.list_types(Type="MODULE", Filters={"TypeNamePrefix": name.removesuffix("::MODULE")})[
                "TypeSummaries"
            ]
            return [each["TypeName"] for each in listed]

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            assert list(pool.map(register_and_list, names)) == [[name] for name in names]
        pages = client.get_paginator("list_types").paginate(Type="MODULE", PaginationConfig={"PageSize": 30})
        assert sorted(each["TypeName"] for page in pages for each in page["TypeSummaries"]) == names
        code, said = server.stop()
        assert (code, "rror" in said) == (0, False), said


@pytest.mark.slow
def test_what_a_killed_server_was_being_sent_is_gone(tmp_path):
    with serving(tmp_path, forked=True) as server:
        server.client("s3").create_bucket(Bucket="packages")
        url = server.client("s3").generate_presigned_url("put_object", Params={"Bucket": "packages", "Key": "k"})
        with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as client:
            path = url.removeprefix(server.url)
            client.sendall(
                f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n".encode() + b"x" * 5000
            )
            objects = tmp_path / "state" / "objects"
            while not list(objects.glob(".making-*")):
                time.sleep(0.01)
            server.process.kill()
            server.process.wait()
    assert list(objects.glob(".making-*"))
    with serving(tmp_path, forked=True) as server:
        server.client("cloudformation").list_types()
        assert list(objects.glob(".making-*")) == []
        assert server.client("s3").list_objects_v2(Bucket="packages")["KeyCount"] == 0
        server.stop()


WITHOUT = "import sys; sys.modules['uvicorn'] = None; from formwork.cli.main import main; sys.exit(main())"


def test_without_the_extra_functions_are_served_and_the_registry_is_not(tmp_path):
    project = make_project(tmp_path / "thing")
    command = [sys.executable, "-c", WITHOUT, "serve", "--port", "0"]
    folders = {"FORMWORK_CACHE": str(tmp_path / "cache"), "FORMWORK_STATE": str(tmp_path / "state")}
    with subprocess.Popen(
        command, cwd=project, env={**os.environ, **folders}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        url = process.stdout.readline().split()[1]
        invoked = Server(process, url).client("lambda").invoke(FunctionName="TypeFunction", InvocationType="DryRun")
        assert invoked["StatusCode"] == 204
        code, said = Server(process, url).stop()
    assert code == 0
    assert "the registry is not served: it is not installed (no module uvicorn)" in said
    assert not (tmp_path / "state").exists()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (3, "")
    assert "pip install '.[serve]'" in done.stderr


@pytest.mark.slow
def test_on_postgresql_two_servers_share_the_registry(make_database, tmp_path):
    options = ("--database", make_database())
    with serving(tmp_path, *options) as first, serving(tmp_path, *options) as second:
        arn = register(first)
        assert second.client("cloudformation").describe_type(Type="RESOURCE", TypeName=THING)["Arn"] == arn
        # What one server does, a waiter at the other one sees: nothing notifies it, it looks once a second.
        client = first.client("cloudformation")
        url = "s3://packages-here/thing.zip"
        asked = {"Type": "RESOURCE", "TypeName": THING, "SchemaHandlerPackage": url}
        token = client.register_type(**asked)["RegistrationToken"]
        started = time.monotonic()
        second.client("cloudformation").get_waiter("type_registration_complete").wait(RegistrationToken=token)
        assert time.monotonic() - started < 15
        for each in (first, second):
            code, said = each.stop()
            assert (code, "Traceback" in said) == (0, False), said
