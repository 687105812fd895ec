"""The types, the hook and the templates of the campaigns."""

import json

from support.crash_life import HANDLERS, SHELF, THING
from support.registry import GUARD, hook_package, hook_schema, module_package, resource_package, resource_schema

REGIONS = ("us-east-1", "eu-west-1")
PROVED = "Acme::Store::Proved"
BUCKET = "campaign"

# Besides what its likes do, a thing of the colour "forbidden" is what the hook refuses.
GUARDS = """
def resource(event, context):
    answer = {"clientRequestToken": event["clientRequestToken"]}
    model = (event["requestData"].get("targetModel") or {}).get("resourceProperties") or {}
    if model.get("Color") == "forbidden":
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "a forbidden colour"}
    return {**answer, "hookStatus": "SUCCESS", "message": "fine"}
"""
GUARD_SETTINGS = {
    "CloudFormationConfiguration": {
        "HookConfiguration": {
            "HookInvocationStatus": "ENABLED",
            "FailureMode": "FAIL",
            "TargetOperations": ["RESOURCE", "STACK", "CHANGE_SET", "CLOUD_CONTROL"],
            "Properties": {},
        }
    }
}
# What passes the contract tests; they keep their things in a folder of their own, each file whole or not at all: a
# handler that is killed while it writes must not leave half of one to the next run.
PROVED_HANDLERS = """
import hashlib, json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    action, desired = event["action"], event["requestData"]["resourceProperties"] or {}
    if action == "CREATE":
        if "Id" in desired:
            return {"status": "FAILED", "errorCode": "InvalidRequest", "message": "the id is given by the service"}
        desired["Id"] = hashlib.sha256(event["bearerToken"].encode()).hexdigest()[:16]
    elif action == "LIST":
        models = [json.loads(each.read_text()) for each in sorted(STORE.glob("*.json"))]
        return {"status": "SUCCESS", "resourceModels": models}
    file = STORE / (desired["Id"] + ".json")
    if action != "CREATE" and not file.exists():
        return {"status": "FAILED", "errorCode": "NotFound", "message": "no such thing"}
    if action == "DELETE":
        file.unlink()
        return {"status": "SUCCESS"}
    if action != "READ":
        STORE.mkdir(exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(desired))
        part.replace(file)
    return {"status": "SUCCESS", "resourceModel": json.loads(file.read_text())}
"""
FRAGMENT = {
    "Parameters": {name: {"Type": "String", "Description": name} for name in ("Name", "Color")},
    "Resources": {
        "Thing": {"Type": THING, "Properties": {"Name": {"Ref": "Name"}, "Color": {"Ref": "Color"}}},
        "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Thing"}}},
    },
}


def thing_schema(name=THING, colors=None):
    """A thing with a name and a colour, and an id of the handler's."""
    schema = resource_schema(name)
    color = {"type": "string"} if colors is None else {"type": "string", "enum": list(colors)}
    schema["properties"] = {"Id": {"type": "string"}, "Name": {"type": "string"}, "Color": color}
    del schema["writeOnlyProperties"]
    return schema | {"primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"]}


def resource_types(journal, proved):
    """The packages of resource types by name; what contract tests make is in the folder `proved`."""
    schema = thing_schema(PROVED, colors=("red", "blue"))
    schema["properties"]["Name"] |= {"pattern": "^[a-z]{1,8}$"}
    del schema["createOnlyProperties"]
    return {
        THING: resource_package(schema=thing_schema(), handlers=HANDLERS % str(journal)),
        PROVED: resource_package(PROVED, schema=schema, handlers=PROVED_HANDLERS % str(proved)),
    }


def hook_and_module():
    """The packages of the hook and of the module."""
    points = {each: {"targetNames": [THING], "permissions": []} for each in ("preCreate", "preUpdate", "preDelete")}
    return {
        GUARD: hook_package(schema=hook_schema(handlers=points), handlers=GUARDS),
        SHELF: module_package(fragment=FRAGMENT),
    }


def thing(name, color, **more):
    """A resource of a template."""
    return {"Type": THING, "Properties": {"Name": name, "Color": color}, **more}


def stack_body(prefix, color, bad=None):
    """Things that wait for each other, a topic for one, a queue and a module; the one called `bad` has a wrong colour."""
    resources = {
        f"Thing{number}": thing(f"{prefix}-{number}", bad[1] if bad and bad[0] == number else color)
        for number in range(3)
    }
    resources["Thing2"]["DependsOn"] = "Thing0"
    resources["Topic"] = {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "${Thing1}-" + color}}}
    resources["Queue"] = {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": f"{prefix}-queue"}}
    resources["Shelf"] = {"Type": SHELF, "Properties": {"Name": f"{prefix}-shelf", "Color": color}}
    return json.dumps({"Resources": resources})


def stack_things(prefix, color):
    """The names and colours of the things in `stack_body`."""
    return [(f"{prefix}-{each}", color) for each in (0, 1, 2, "shelf")]


CHILD = json.dumps(
    {
        "Parameters": {"Prefix": {"Type": "String"}, "Color": {"Type": "String"}},
        "Resources": {
            f"Thing{number}": thing({"Fn::Sub": f"${{Prefix}}-{number}"}, {"Ref": "Color"}) for number in range(2)
        },
        "Outputs": {"First": {"Value": {"Ref": "Thing0"}}},
    }
)


def nested_body(prefix, color, last=None):
    """Two nested stacks, and a thing that waits for both."""
    resources = {
        name: {
            "Type": "AWS::CloudFormation::Stack",
            "Properties": {
                "TemplateURL": f"s3://{BUCKET}/child.json",
                "Parameters": {"Prefix": f"{prefix}-{name.lower()}", "Color": color},
            },
        }
        for name in ("A", "B")
    }
    resources["Last"] = thing(f"{prefix}-last", last or color, DependsOn=["A", "B"])
    return json.dumps({"Resources": resources})


def nested_things(prefix, color):
    """The names and colours of the things in `nested_body`."""
    return [(f"{prefix}-{each}", color) for each in ("a-0", "a-1", "b-0", "b-1", "last")]


def set_body(prefix):
    """The template of a stack set: a thing in each Region."""
    return json.dumps(
        {
            "Parameters": {"Color": {"Type": "String"}},
            "Resources": {"Thing": thing({"Fn::Sub": prefix + "-${AWS::Region}"}, {"Ref": "Color"})},
        }
    )


def import_body(names, color):
    """A template with things that may be imported."""
    resources = {f"Thing{number}": thing(name, color, DeletionPolicy="Delete") for number, name in enumerate(names)}
    return json.dumps({"Resources": resources})
