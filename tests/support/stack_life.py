"""A process with a stack engine that may be made to die in the middle of an operation.

`python stack_life.py FOLDER STORY`: it goes on with what an earlier process left, tells in a line of JSON what has come
of it once the stack is at rest, and then does what STORY (JSON) says: `do` is create, update or delete, with `template`;
`die` is the checkpoint at which the process kills itself, and the how-manieth time. `templates` are those of nested
stacks, by URL.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from formwork.durable import open_database
from formwork.durable.workflows import Workflows
from formwork.engine.store.events import list_events
from formwork.engine.store.records import STACK_TYPE
from formwork.engine.store.stacks import list_stacks
from support.engines import HERE, Bench, RealTime

PATIENCE = 60


def main():
    folder, story = Path(sys.argv[1]), json.loads(sys.argv[2])
    name, count = story.get("die") or ("", 0)
    passed = []
    armed = threading.Event()

    def checkpoint(reached):
        if not armed.is_set():
            return
        passed.append(reached)
        if reached == name and passed.count(name) == count:
            os.kill(os.getpid(), signal.SIGKILL)

    database = open_database(folder)
    database.migrate()
    with Workflows(database) as work:
        bench = Bench(database, work=work, clock=RealTime, checkpoint=checkpoint)
        bench.templates |= story.get("templates", {})
        work.launch()
        bench.engine.resume()
        say(tell(bench, database))
        armed.set()
        match story.get("do"):
            case "create":
                bench.create(story["template"])
            case "update":
                bench.update(story["template"])
            case "delete":
                bench.delete("shop")
        if story.get("do"):
            say(tell(bench, database))
    database.close()


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def tell(bench, database):
    """The newest stack at rest, or null where there is none."""
    stack = wait(database)
    if stack is None:
        return None
    with database.read() as connection:
        events = [each for _, each in list_events(connection, stack.id, limit=10_000)]
    # A nested stack is told to be complete twice: when it is, and when it is cleaned up.
    once = [each for each in events if each.type != STACK_TYPE]
    told = [(e.operation_id, e.logical_id, e.status, e.reason, e.physical_id) for e in once]
    return {
        "status": stack.status,
        "resources": {} if stack.deleted else {k: v.status for k, v in bench.resources(stack.arn).items()},
        "things": sorted(each["Name"] for each in stored(bench)),
        "told twice": sorted({str(each) for each in told if told.count(each) > 1}),
    }


def stored(bench):
    inner = bench.things.inner
    inner._load()
    return bench.things.stored


def wait(database):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with database.read() as connection:
            stacks = [each for each in list_stacks(connection, HERE, deleted=True) if not each.settings.parent_id]
        if not stacks:
            return None
        if not stacks[0].status.busy:
            return stacks[0]
        time.sleep(0.02)
    raise SystemExit("the stack is not at rest")


if __name__ == "__main__":
    main()
