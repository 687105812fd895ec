"""Several processes that share the work of one PostgreSQL database, and one of them killed in the middle of it."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from support import forked
from support.crash_life import World, template, work_for_ever
from support.registry import HERE
from support.serving import serving

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
def cfn_worker(folder, url):
    command = [sys.executable, "-m", "formwork.cli.main", "worker", "--database", url, "--state", str(folder / "state")]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("ready worker "), process.stderr.read()
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def test_the_command(make_database, tmp_path):
    url = make_database()
    body = json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    with serving(tmp_path, "--database", url, "--no-work") as server:
        client = server.client("cloudformation")
        client.create_stack(StackName="shared", TemplateBody=body)
        with cfn_worker(tmp_path, url) as worker:
            client.get_waiter("stack_create_complete").wait(StackName="shared")
            worker.send_signal(signal.SIGINT)
            assert worker.wait(30) == 130
            assert worker.stderr.read().splitlines()[-1] == "interrupted"
        client.delete_stack(StackName="shared")
        with cfn_worker(tmp_path, url) as worker:
            client.get_waiter("stack_delete_complete").wait(StackName="shared")
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
