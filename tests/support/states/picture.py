"""What there is once everything has ended, without what differs from one run to the next: ids, times and order."""

import json
import re
import time
from collections import Counter

from sqlalchemy import select

from formwork.registry import tables as registry_tables
from formwork.stack_sets import tables as stack_set_tables
from formwork.stacks.store import tables
from formwork.stacks.store.events import list_events
from formwork.stacks.store.resources import list_resources
from formwork.stacks.store.stacks import get_stack
from formwork.stacks.store.unfinished import has_unfinished_work

PATIENCE_SECONDS = 90
_OTHERS = (stack_set_tables.operations, registry_tables.registrations, registry_tables.tests)
_RANDOM = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r"thing-[0-9a-f]{8}"), "THING"),
    (re.compile(r"arn:thing:[0-9]{6}"), "ARN"),
    (re.compile(r"\b(shop-Child)-[0-9A-Z]{12,13}\b"), r"\1"),
)


def wait_for_rest(world):
    """Wait until nothing is under way."""
    end = time.monotonic() + PATIENCE_SECONDS
    while _is_busy(world):
        assert time.monotonic() < end, json.dumps(take_picture(world), indent=1)
        time.sleep(0.02)


def _is_busy(world):
    with world.engine.database.read() as connection:
        if has_unfinished_work(connection):
            return True
        found = {
            status
            for table in (tables.stacks, tables.drift_detections, *_OTHERS)
            for status in connection.execute(select(table.c.status)).scalars()
        }
    found -= {"REVIEW_IN_PROGRESS"}
    return any(each.endswith("IN_PROGRESS") or each in {"RUNNING", "QUEUED", "STOPPING"} for each in found)


def take_picture(world):
    """Everything that users see, and what the simulated service holds."""
    with world.engine.database.read() as connection:
        found = connection.execute(select(tables.stacks.c.id)).scalars().all()
        stacks = [get_stack(connection, each) for each in found]
        picture = {
            "stacks": sorted((_stack(connection, each) for each in stacks), key=json.dumps),
            "things": _things(connection),
            "operations": _counted(connection, tables.operations.c.kind, tables.operations.c.cancelled),
            "change sets": _counted(connection, tables.change_sets.c.status, tables.change_sets.c.execution_status),
            "detections": _counted(
                connection, tables.drift_detections.c.status, tables.drift_detections.c.drift_status
            ),
            "requests": _counted(connection, tables.requests.c.operation, tables.requests.c.status),
            "hook results": _counted(connection, tables.hook_results.c.target_kind, tables.hook_results.c.status),
            "stack set operations": _counted(
                connection, stack_set_tables.operations.c.action, stack_set_tables.operations.c.status
            ),
            "registrations": _counted(connection, registry_tables.registrations.c.status),
            "versions": _counted(
                connection, *(registry_tables.versions.c[each] for each in ("number", "status", "test_status"))
            ),
            "leftovers": _counted(connection, tables.leftovers.c.logical_id),
        }
    return json.loads(json.dumps({name: each for name, each in picture.items() if each}))


def complaints(world):
    """What must hold whatever the story was: every stack's thing exists, and no event was told twice."""
    found = []
    with world.engine.database.read() as connection:
        stacks = [get_stack(connection, each) for each in connection.execute(select(tables.stacks.c.id)).scalars()]
        made = Counter(connection.execute(select(tables.simulated.c.type, tables.simulated.c.identifier)).all())
        there = {json.loads(each)["Id"] for each in connection.execute(select(tables.simulated.c.model_json)).scalars()}
        for stack in stacks:
            held = {
                each.physical_id
                for each in list_resources(connection, stack.id).values()
                if each.type in world.table.by_name
            }
            if stack.deleted is None:
                found += [f"{stack.name} has {each}, which does not exist" for each in held - there]
            events = [each for _, each in list_events(connection, stack.id, limit=100_000)]
            told = Counter((e.operation_id, e.id.split("/")[1], e.logical_id, _event(e), e.physical_id) for e in events)
            found += [f"told twice: {each}" for each, number in told.items() if number > 1]
            times = [each.time for each in events]
            if times != sorted(set(times), reverse=True):
                found.append(f"events of {stack.name} are not in the order of their times")
    return found + [f"made twice: {each}" for each, number in made.items() if number > 1]


def _stack(connection, stack):
    events = [each for _, each in list_events(connection, stack.id, limit=100_000)]
    told = {}
    for each in reversed(events):
        told.setdefault(_plain(each.logical_id), []).append(_event(each))
    resources = {
        each.logical_id: [each.type, str(each.status), _colors(each.properties), _plain(each.reason)]
        for each in list_resources(connection, stack.id).values()
    }
    return {
        "name": _set_name(_plain(stack.name)),
        "place": [stack.scope.account, stack.scope.region],
        "status": str(stack.status),
        "reason": _plain(stack.reason),
        "resources": dict(sorted(resources.items())),
        "outputs": stack.outputs,
        "events": {_set_name(name): each for name, each in sorted(told.items())},
    }


def _event(event):
    shown = [event.status, event.reason]
    if event.details.hook_status is not None:
        shown += [event.details.hook_status, event.details.hook_reason]
    return " | ".join("" if each is None else _plain(each) for each in shown)


def _colors(properties):
    return {name: value for name, value in properties.items() if name in {"Name", "Color", "Size", "Tags"}}


def _things(connection):
    rows = connection.execute(select(tables.simulated.c.type, tables.simulated.c.model_json)).all()
    return sorted(([row.type, _colors(json.loads(row.model_json))] for row in rows), key=json.dumps)


def _counted(connection, *columns):
    rows = connection.execute(select(*columns)).all()
    return dict(sorted(Counter(" ".join(str(each) for each in row) for row in rows).items()))


def _plain(text):
    for pattern, instead in _RANDOM:
        text = None if text is None else pattern.sub(instead, text)
    return text


def _set_name(name):
    return re.sub(r"^StackSet-all-.*", "StackSet-all", name)
