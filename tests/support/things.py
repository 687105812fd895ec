"""`cfn serve` with a registered type whose resources a test sees and changes: they are lines of a JSON file."""

import contextlib
import json

from support.registry import resource_package, resource_schema
from support.serving import register, serving

# A name that begins with "bad" can't be made, the label "stuck" can't be had, the label "slow" takes an hour, "watched"
# until `let_go`, and a thing that is locked stays as it is.
HANDLERS = """
import json, pathlib, time
STORE = pathlib.Path(%r)

def failed(code, message):
    return {"status": "FAILED", "errorCode": code, "message": message}

def resource(event, context):
    action, data = event["action"], event["requestData"]
    desired = data["resourceProperties"] or {}
    store = json.loads(STORE.read_text()) if STORE.exists() else {}
    name, label = desired.get("Name", ""), desired.get("Label")
    if action == "CREATE":
        if name.startswith("bad"):
            return failed("InvalidRequest", "a bad name")
        if label == "watched":
            print("waiting with", desired.get("Secret"), flush=True)
            while not STORE.with_suffix(".go").exists():
                time.sleep(0.05)
        if not event.get("callbackContext"):
            return {"status": "IN_PROGRESS", "callbackContext": {"n": 1}, "resourceModel": desired,
                    "callbackDelaySeconds": 3600 if label == "slow" else 0}
    elif name not in store:
        return failed("NotFound", "no such thing")
    elif action != "READ" and store[name].get("Locked"):
        return failed("GeneralServiceException", "it is locked")
    elif action == "UPDATE" and label == "stuck":
        return failed("GeneralServiceException", "it is stuck")
    elif action == "UPDATE" and label == "slow":
        return {"status": "IN_PROGRESS", "callbackContext": {"n": 1}, "resourceModel": desired,
                "callbackDelaySeconds": 3600}
    if action == "DELETE":
        del store[name]
    elif action in ("CREATE", "UPDATE"):
        store[name] = {key: value for key, value in desired.items() if key != "Secret"}
    STORE.write_text(json.dumps(store))
    if action == "DELETE":
        return {"status": "SUCCESS"}
    return {"status": "SUCCESS", "resourceModel": {k: v for k, v in store[name].items() if k != "Locked"}}
"""


@contextlib.contextmanager
def serving_things(folder, *options):
    """A running server; `things()` tells what there is, `change(name)` changes it behind the handlers' back.

    `let_go()` ends the calls that wait for it.
    """
    schema = resource_schema()
    schema["properties"]["Label"] = {"type": "string"}
    with serving(folder, *options, forked=True) as running:
        handlers = HANDLERS % str(folder / "things.json")
        register(running, content=resource_package(schema=schema, handlers=handlers))
        store = folder / "things.json"
        running.things = lambda: json.loads(store.read_text()) if store.exists() else {}

        def change(name, *, gone=False, **values):
            things = running.things()
            things[name] = {**things.get(name, {}), **values}
            if gone:
                del things[name]
            store.write_text(json.dumps(things))

        running.change = change
        running.let_go = (folder / "things.go").touch
        yield running
