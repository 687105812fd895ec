"""Small projects whose handlers do what a test wants, for `cfn invoke`, `cfn serve` and everything below them."""

import json

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {
        "Id": {"type": "string"},
        "Name": {"type": "string"},
        "Password": {"type": "string"},
        "Logins": {"type": "array", "insertionOrder": False, "items": {"$ref": "#/definitions/User"}},
    },
    "definitions": {
        "User": {
            "type": "object",
            "properties": {"Login": {"type": "string"}, "Key": {"type": "string"}},
            "additionalProperties": False,
        }
    },
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id"],
    "writeOnlyProperties": ["/properties/Password", "/properties/Logins/*/Key"],
    "additionalProperties": False,
    "tagging": {"taggable": False},
    "handlers": {
        name: {"permissions": [], "timeoutInMinutes": 2} for name in ("create", "read", "update", "delete", "list")
    },
}

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Timeout: 20, MemorySize: 256}
Resources:
  TypeFunction:
    Type: AWS::Serverless::Function
    Properties: {Handler: acme_store_thing.handlers.resource, Runtime: python3.11, CodeUri: build/}
  TestEntrypoint:
    Type: AWS::Serverless::Function
    Properties: {Handler: acme_store_thing.handlers.test_entrypoint, Runtime: python3.11, CodeUri: build/}
"""

# Does what the model's Name says; without the handler library, so that what it answers is what is written here.
HANDLERS = """
import os, sys, time

def resource(event, context):
    data = event["requestData"]
    model = data.get("resourceProperties") or {}
    name = model.get("Name")
    if name == "fail": return {"status": "FAILED", "errorCode": "NotFound", "message": "no " + str(model.get("Password"))}
    if name == "crash": os._exit(3)
    if name == "hang": time.sleep(600)
    if name == "raise": raise ValueError("boom " + str(model.get("Password")))
    if name == "nonsense": return ["nonsense"]
    if name == "no status": return {}
    if name == "loud": print("my password is", model["Password"])
    if name == "progress":
        turn = (event.get("callbackContext") or {}).get("turn", 0)
        if turn < 3:
            context = {"turn": turn + 1, "secret": model.get("Password")}
            return {"status": "IN_PROGRESS", "callbackDelaySeconds": float(model.get("Wait", 0)), "callbackContext": context, "resourceModel": {**model, "Id": "1"}}
    if name == "delay": return {"status": "IN_PROGRESS", "callbackDelaySeconds": -1, "resourceModel": model}
    if name == "aws":
        import boto3
        return {"status": "SUCCESS", "message": str(boto3.client("sts").get_caller_identity())}
    if event["action"] == "LIST": return {"status": "SUCCESS", "resourceModels": [model], "nextToken": event.get("nextToken")}
    return {"status": "SUCCESS", "resourceModel": {**model, "Id": "1"}, "message": str(data.get("typeConfiguration"))}

def test_entrypoint(event, context):
    return {"status": "SUCCESS", "message": "tested", "resourceModel": event["request"]["desiredResourceState"]}

def hook(event, context):
    model = event["requestData"]["targetModel"]["resourceProperties"]
    if model.get("BucketName") == "bad":
        return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "bad bucket"}
    turn = (event["requestContext"]["callbackContext"] or {}).get("turn", 0)
    if turn < 1: return {"hookStatus": "IN_PROGRESS", "callbackContext": {"turn": 1}}
    return {"hookStatus": "SUCCESS", "message": event["actionInvocationPoint"]}
"""

HOOK_SCHEMA = {
    "typeName": "Acme::Store::Check",
    "description": "A check.",
    "typeConfiguration": {"properties": {"Limit": {"type": "string"}}, "additionalProperties": False},
    "additionalProperties": False,
    "handlers": {"preCreate": {"targetNames": ["AWS::S3::Bucket"], "permissions": []}},
}


def make_project(root, *, template=TEMPLATE, handlers=HANDLERS, schema=SCHEMA, **config):
    """A resource project in the folder `root`."""
    name = schema["typeName"]
    package = root / "src" / "acme_store_thing"
    package.mkdir(parents=True)
    settings = {
        "artifact_type": "RESOURCE",
        "typeName": name,
        "language": "python311",
        "runtime": "python3.11",
        "entrypoint": "acme_store_thing.handlers.resource",
        "testEntrypoint": "acme_store_thing.handlers.test_entrypoint",
        "settings": {"protocolVersion": "2.0.0"},
        **config,
    }
    write_json(root / ".rpdk-config", settings)
    write_json(root / (name.replace("::", "-").lower() + ".json"), schema)
    (root / "requirements.txt").write_text("cloudformation-cli-python-lib>=2.1.9\n", encoding="utf-8")
    if template is not None:
        (root / "template.yml").write_text(template, encoding="utf-8")
    (package / "__init__.py").touch()
    (package / "handlers.py").write_text(handlers, encoding="utf-8")
    return root


def make_hook_project(root):
    """A hook project in the folder `root`; its target's BucketName is writeOnly, which no real bucket's is."""
    template = TEMPLATE.replace("handlers.resource", "handlers.hook")
    make_project(
        root, template=template, schema=HOOK_SCHEMA, artifact_type="HOOK", entrypoint="acme_store_thing.handlers.hook"
    )
    (root / "target-schemas").mkdir()
    target = {
        **SCHEMA,
        "typeName": "AWS::S3::Bucket",
        "properties": {"BucketName": {"type": "string"}, "Secret": {"type": "string"}},
    }
    write_json(
        root / "target-schemas" / "aws-s3-bucket.json", {**target, "writeOnlyProperties": ["/properties/Secret"]}
    )
    return root


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return path
