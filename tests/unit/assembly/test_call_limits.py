"""A handler that does not answer in the service's time is stopped, and what called it fails."""

import json
import time

from formwork.cloud_control.cloud_control import TypeChoice
from formwork.provisioning.call_limits import CallLimits
from formwork.registry.requests import SetTypeConfigurationRequest
from formwork.stacks.store.events import list_events
from support.crash_life import ENABLED, World, handler_processes
from support.registry import GUARD, HERE, THING, by_name, hook_package, hook_schema, resource_package

SLEEPS = """
import time

def resource(event, context):
    time.sleep(600)
"""
TEMPLATE = {"A": {"Type": THING, "Properties": {"Name": "a"}}}


def failures(world):
    with world.database.read() as connection:
        events = [each for _, each in list_events(connection, world.stack().id, limit=100)]
    return {each.logical_id: each.reason for each in events if each.status == "CREATE_FAILED"}


def test_the_service_s_limits():
    assert CallLimits() == CallLimits(resource=60.0, hook=30.0)


def test_a_resource_s_handler_that_is_too_slow_fails_stacks_and_cloud_control(tmp_path):
    with World(tmp_path, limits=CallLimits(resource=0.5)) as world:
        world.add(THING, resource_package(handlers=SLEEPS))
        before = handler_processes()
        world.begin("create", TEMPLATE, 1)
        assert world.rest().status == "ROLLBACK_COMPLETE"
        assert failures(world) == {"A": "Resource handler timed out."}
        request = world.work.control.create(HERE, TypeChoice(name=THING), json.dumps({"Name": "b"}))
        while (found := world.work.control.describe(HERE, request.token)).status in ("PENDING", "IN_PROGRESS"):
            time.sleep(0.02)
        assert (found.status, found.error_code, found.message) == (
            "FAILED",
            "ServiceTimeout",
            "Resource handler timed out.",
        )
        assert len(handler_processes()) <= len(before)  # what it was stopped in is gone


def test_a_hook_that_is_too_slow_fails(tmp_path):
    with World(tmp_path, limits=CallLimits(hook=0.5)) as world:
        world.add(THING, resource_package())
        points = {"preCreate": {"targetNames": [THING], "permissions": []}}
        world.add(GUARD, hook_package(schema=hook_schema(handlers=points), handlers=SLEEPS))
        chosen = SetTypeConfigurationRequest(type=by_name(GUARD), configuration=json.dumps(ENABLED))
        world.work.registry.set_type_configuration(HERE, chosen)
        world.begin("create", TEMPLATE, 1)
        assert world.rest().status == "ROLLBACK_COMPLETE"
        assert failures(world) == {"A": f"The following hook(s) failed: [{GUARD}]"}
