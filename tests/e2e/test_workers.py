"""Several processes that share the work of one PostgreSQL database, and one of them killed in the middle of it."""

import configparser
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import boto3
import pytest
from botocore.exceptions import WaiterError

from support import forked
from support.crash_life import World, template, work_for_ever
from support.registry import GUARD, HERE, hook_package, hook_schema
from support.serving import serving, upload

STACKS = 4


@pytest.fixture(scope="module")
def url(make_database):
    return make_database()


@pytest.fixture(scope="module")
def folder(url, tmp_path_factory):
    """What the processes share besides the database; the types are registered by a worker, not by who asks for it."""
    folder = tmp_path_factory.mktemp("shared")
    with World(folder, url, works=False) as world, workers(folder, url, 1):
        world.register()
    return folder


@contextlib.contextmanager
def workers(folder, url, number):
    context = forked.processes()
    events = [context.Event() for _ in range(number)]
    found = [context.Process(target=work_for_ever, args=(folder, url, event), daemon=True) for event in events]
    for each in found:
        each.start()
    try:
        for each in events:
            assert each.wait(60)
        yield found
    finally:
        for each in found:
            each.kill()
            each.join()


def owners(world, ended="ended IS NULL OR ended > 0"):
    statement = f"SELECT owner FROM engine_operation WHERE owner IS NOT NULL AND ({ended})"
    with world.database.read() as connection:
        return set(connection.exec_driver_sql(statement).scalars())


def kill_one_at_work(world, running, moments):
    """Who it was; one of those that have an operation in their hands."""
    while not (found := owners(world, "ended IS NULL")):
        time.sleep(0.01)
    time.sleep(moments.uniform(0.0, 0.3))
    victim = min(owners(world, "ended IS NULL") or found)
    (process,) = [each for each in running if each.pid == int(victim.partition("-")[0])]
    process.kill()
    return victim


def all_at_rest(world, names):
    return {name: world.rest(name) for name in names}


@pytest.mark.acceptance
def test_what_a_killed_worker_did_goes_on_in_the_others(url, folder):
    names = [f"shop{number}" for number in range(STACKS)]
    moments = random.Random(3)
    with World(folder, url, works=False, dead_seconds=2.0) as world, workers(folder, url, 3) as running:
        for turn, color in enumerate(("red", "blue")):
            wanted = {}
            for name in names:
                wanted[name] = template(10, f"{name}-", color)
                world.begin("create" if color == "red" else "update", wanted[name], turn, name)
            victim = kill_one_at_work(world, running, moments)
            at_rest = all_at_rest(world, names)
            status = "CREATE_COMPLETE" if color == "red" else "UPDATE_COMPLETE"
            assert world.complaints(*((at_rest[each], status, wanted[each]) for each in names)) == []
            assert owners(world) - {victim}
        for name in names:
            world.begin("delete", {}, 2, name)
        at_rest = all_at_rest(world, names)
        assert world.complaints(*((each, "DELETE_COMPLETE", {}) for each in at_rest.values())) == []


@pytest.mark.slow
def test_a_worker_that_was_taken_for_dead_writes_nothing_more(url, folder):
    """Suspended in the middle of an operation, it wakes when another one has finished that."""
    with World(folder, url, works=False, dead_seconds=2.0) as world, workers(folder, url, 1) as (sleeper,):
        wanted = template(10, "asleep-", "red")
        world.begin("create", wanted, 100, "asleep")
        while not world.engine.lookups.list_resources(HERE, "asleep"):
            time.sleep(0.01)
        os.kill(sleeper.pid, signal.SIGSTOP)
        before = owners(world)
        with workers(folder, url, 1):
            stack = world.rest("asleep")
            os.kill(sleeper.pid, signal.SIGCONT)
            time.sleep(1)
            assert str(stack.status) == "CREATE_COMPLETE"
            assert world.told_twice(stack) == []
            assert owners(world) != before
            world.begin("delete", {}, 101, "asleep")
            assert world.complaints((world.rest("asleep"), "DELETE_COMPLETE", {})) == []


@contextlib.contextmanager
def cfn_worker(folder, url, *options):
    state = str(folder / "state")
    command = [sys.executable, "-m", "formwork.cli.main", "worker", "--database", url, "--state", state, *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("ready worker "), process.stderr.read()
            yield process
        finally:
            if process.poll() is None:
                process.kill()


# A hook that fetches what it looks at, and wants everything to say so.
READER = """
import json, urllib.request

def resource(event, context):
    data, answer = event["requestData"], {"clientRequestToken": event["clientRequestToken"]}
    seen = json.dumps(data["targetModel"])
    if "payload" in data:
        with urllib.request.urlopen(data["payload"]) as response:
            seen = response.read().decode()
    return {**answer, "hookStatus": "SUCCESS" if "please" in seen else "FAILED", "errorCode": "NonCompliant"}
"""


def add_reader(server, client, **keys):
    """Register the hook, for stacks and for Cloud Control."""
    point = {"targetNames": ["AWS::SNS::Topic"], "permissions": []}
    content = hook_package(schema=hook_schema(handlers={"preCreate": point}), handlers=READER)
    url = upload(server, content, key="reader.zip", **keys)
    token = client.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    settings = {"HookInvocationStatus": "ENABLED", "FailureMode": "FAIL", "Properties": {}}
    inner = {"HookConfiguration": {**settings, "TargetOperations": ["STACK", "CLOUD_CONTROL"]}}
    text = json.dumps({"CloudFormationConfiguration": inner})
    client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=text)


def make_outside(control, name):
    """Make a topic with Cloud Control; how that ended."""
    state = json.dumps({"DisplayName": name})
    begun = control.create_resource(TypeName="AWS::SNS::Topic", DesiredState=state)["ProgressEvent"]
    with contextlib.suppress(WaiterError):
        control.get_waiter("resource_request_success").wait(RequestToken=begun["RequestToken"])
    found = control.get_resource_request_status(RequestToken=begun["RequestToken"])
    return found["ProgressEvent"]["OperationStatus"], [each["HookStatus"] for each in found["HooksProgressEvent"]]


@pytest.mark.acceptance
def test_the_command(make_database, tmp_path):
    """A server that only answers, and only to those who have a key; everything else is its worker's."""
    url = make_database()
    body = json.dumps({"Description": "please", "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    with serving(tmp_path, "--database", url, "--no-work", "--require-auth") as server:
        read = configparser.RawConfigParser()
        read.read(tmp_path / "state" / "credentials")
        keys = dict(read["default"])
        client = server.client("cloudformation", **keys)
        with cfn_worker(tmp_path, url) as worker:
            add_reader(server, client, **keys)
            client.create_stack(StackName="shared", TemplateBody=body)
            client.get_waiter("stack_create_complete").wait(StackName="shared")
            client.create_stack(StackName="rude", TemplateBody=body.replace("please", "now"))
            with pytest.raises(WaiterError):
                client.get_waiter("stack_create_complete").wait(StackName="rude")
            (result,) = client.list_hook_results(TargetType="STACK", TargetId="shared")["HookResults"]
            assert result["Status"] == "HOOK_COMPLETE_SUCCEEDED"
            control = server.client("cloudcontrol", **keys)
            assert make_outside(control, "please") == ("SUCCESS", ["HOOK_COMPLETE_SUCCEEDED"])
            assert make_outside(control, "now") == ("FAILED", ["HOOK_COMPLETE_FAILED"])
            worker.send_signal(signal.SIGINT)
            assert worker.wait(30) == 130
            assert worker.stderr.read().splitlines()[-1] == "interrupted"
        client.delete_stack(StackName="shared")
        with cfn_worker(tmp_path, url) as worker:
            client.get_waiter("stack_delete_complete").wait(StackName="shared")
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0


@pytest.mark.slow
def test_workers_have_the_moto_of_their_server(make_database, tmp_path):
    url = make_database()
    body = json.dumps({"Resources": {"Shelf": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "a-shelf"}}}})
    with serving(tmp_path, "--database", url, "--no-work", "--aws", "moto") as server:
        address = server.process.stderr.readline().split()[-1]
        client = server.client("cloudformation")
        with cfn_worker(tmp_path, url, "--aws", "moto"):
            client.create_stack(StackName="shelves", TemplateBody=body)
            client.get_waiter("stack_create_complete").wait(StackName="shelves")
        s3 = boto3.Session("testing", "testing", region_name="us-east-1").client("s3", endpoint_url=address)
        assert [each["Name"] for each in s3.list_buckets()["Buckets"]] == ["a-shelf"]
        assert server.stop()[0] == 0  # one that is killed leaves the file, and workers find that nothing answers there
    assert not (tmp_path / "state" / "moto").exists()
