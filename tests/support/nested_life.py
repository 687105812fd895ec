"""A process with a stack engine that has nested stacks, and may be made to die in the middle of an operation."""

import json
import os
import signal
import threading
import time

from sqlalchemy import select

from formwork.durable import open_database
from formwork.durable.workflows import Workflows
from formwork.stacks.store.stacks import list_stacks
from formwork.stacks.store.tables import simulated
from support.engines import HERE, Bench, RealTime

PATIENCE = 60
URL = "s3://templates/child"


def live(folder, turn, die, report):
    """Go on with what an earlier process left, report what has come of it, and do what `turn` says.

    `turn` is create, update or delete with a template, or None; `die` is the checkpoint at which the process kills
    itself, and the how-manieth time.
    """
    passed = []
    armed = threading.Event()

    def checkpoint(reached):
        if not armed.is_set():
            return
        passed.append(reached)
        if [reached, passed.count(reached)] == die:
            os.kill(os.getpid(), signal.SIGKILL)

    database = open_database(folder)
    database.migrate()
    with Workflows(database) as work:
        bench = Bench(database, work=work, clock=RealTime, checkpoint=checkpoint)
        bench.templates[URL] = json.dumps(CHILD)
        work.launch()
        bench.engine.resume()
        report.write_text(json.dumps(tell(database)))
        armed.set()
        match turn:
            case ["create", template]:
                bench.create(template)
            case ["update", template]:
                bench.update(template)
            case ["delete", _]:
                bench.delete("shop")
        if turn is not None:
            at_rest(database)
    database.close()


CHILD = {
    "Parameters": {"Prefix": {"Type": "String"}, "Color": {"Type": "String"}},
    "Resources": {
        f"R{number}": {
            "Type": "Acme::Web::Thing",
            "Properties": {"Name": {"Fn::Sub": f"${{Prefix}}-${{Color}}-{number}"}, "Color": {"Ref": "Color"}},
        }
        for number in range(3)
    },
    "Outputs": {"Color": {"Value": {"Ref": "Color"}}},
}


def tell(database):
    """What the root is, what its nested stacks are, and the names of everything that is there."""
    root, *nested = at_rest(database) or [None]
    with database.read() as connection:
        things = [json.loads(text) for text in connection.execute(select(simulated.c.model_json)).scalars()]
    return {
        "status": root and root.status,
        "nested": sorted({each.status for each in nested}),
        "things": sorted(each["Name"] for each in things),
    }


def at_rest(database):
    """The stacks that live, or the last that did, the root first, once nothing goes on."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with database.read() as connection:
            stacks = list_stacks(connection, HERE, deleted=True)
        if not any(each.status.busy for each in stacks):
            living = [each for each in stacks if each.deleted is None]
            return sorted(living or stacks, key=lambda each: each.settings.parent_id is not None)
        time.sleep(0.02)
    raise SystemExit("the stacks are not at rest")
