"""A server whose stacks, resources, types and hooks say hostile texts in each field that can hold a text."""

import contextlib
import json

from botocore.exceptions import ClientError, WaiterError

from support.hostile_texts import all_hostile, hostile
from support.registry import GUARD, THING, hook_package, hook_schema, resource_package, resource_schema
from support.serving import upload

# Fields, as `hostile_texts` numbers them; those of a schema are below 20, of templates below 50, of handlers below 70.
SCHEMA, PROPERTY, TITLE, ENUM, DEFAULT, EXAMPLE, PATTERN, PERMISSION, HOOK_SCHEMA = range(1, 10)
DESCRIPTION, METADATA_KEY, METADATA, PARAMETER, VALUE, ALLOWED, MAP_KEY, MAP = range(20, 28)
OUTPUT, OUTPUT_VALUE, TAG_KEY, TAG, CHANGE_SET, NAME, POLICY, CONFIGURATION = range(28, 36)
SET_VALUE, SET_DESCRIPTION, EXPORT = range(36, 39)
MESSAGE, LOG, HOOK_MESSAGE, CONTEXT, CODE, RAISED = range(50, 56)
# The fields of which all texts are on some page; of the others there is only one, or as many as fit.
FULL = (
    *(SCHEMA, PROPERTY, TITLE, ENUM, DEFAULT, EXAMPLE, HOOK_SCHEMA, METADATA_KEY, METADATA, PARAMETER, MAP_KEY, MAP),
    *(OUTPUT, OUTPUT_VALUE, TAG, MESSAGE, LOG, NAME, SET_VALUE),
)

_HANDLERS = """
import json, pathlib
SAID = json.loads(%r)
STORE = pathlib.Path(%r)

def resource(event, context):
    print(SAID["log"])
    action, desired = event["action"], event["requestData"]["resourceProperties"] or {}
    store = json.loads(STORE.read_text()) if STORE.exists() else {}
    name = desired.get("Name", "")
    if action == "CREATE" and name.startswith("bad"):
        return {"status": "FAILED", "errorCode": "InvalidRequest", "message": SAID["message"][int(name[3:])]}
    if action == "CREATE" and name.startswith("raise"):
        raise ValueError(SAID["raised"])
    if action == "CREATE" and not event.get("callbackContext"):
        return {"status": "IN_PROGRESS", "callbackContext": {SAID["context"]: SAID["context"]},
                "resourceModel": desired, "callbackDelaySeconds": 0, "message": SAID["message"][0]}
    if action in ("CREATE", "UPDATE"):
        store[name] = desired
    elif name not in store:
        return {"status": "FAILED", "errorCode": "NotFound", "message": SAID["message"][1]}
    model = store.pop(name) if action == "DELETE" else store[name]
    STORE.write_text(json.dumps(store))
    if action == "DELETE":
        return {"status": "SUCCESS"}
    if action == "READ" and name == "drifted":
        model = {**model, "Label": SAID["drift"]}
    return {"status": "SUCCESS", "resourceModel": model, "message": SAID["message"][2]}
"""
_HOOK = """
import json
SAID = json.loads(%r)

def resource(event, context):
    print(SAID)
    return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": SAID, "clientRequestToken": "x"}
"""


def _joined(field, start=0, count=200, most=10**9):
    """Several texts of a field, as many as are allowed characters."""
    text = ""
    for number in range(start, start + count):
        if len(text) + len(each := hostile(field, number)) + 1 > most:
            break
        text += f"{each} "
    return text.strip()


def make_hostile(server):
    """Register the types, and make the stacks; return the ids of the stacks."""
    client = server.client("cloudformation")
    _register(client, server, "RESOURCE", THING, _resource(server))
    _register(client, server, "RESOURCE", THING, _resource(server, more=True), default=False)
    _register(client, server, "HOOK", GUARD, _hook())
    stacks = [_whole(client, server), _failed(client), *_tagged(client), _named(client, server)]
    _set(client)
    _hooked(client)
    client.create_stack(StackName="hooked", TemplateBody=_template({"Bad": {"Name": "one"}}), OnFailure="DO_NOTHING")
    _wait(client, "hooked")
    return stacks


def _register(client, server, kind, name, content, *, default=True):
    url = upload(server, content, key=f"{kind}-{default}.zip")
    token = client.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)


def _resource(server, *, more=False):
    texts = all_hostile(ENUM)
    properties = {
        "Name": {"type": "string", "description": _joined(PROPERTY), "title": _joined(TITLE)},
        "Label": {"type": "string", "default": _joined(DEFAULT), "examples": all_hostile(EXAMPLE)},
        "Kind": {"type": "string", "enum": [*texts, "a"] if more else texts},
        "Map": {"type": "object", "patternProperties": {".*": {"type": "string", "description": hostile(PATTERN, 2)}}},
        **({"More": {"type": "string", "description": _joined(PROPERTY)}} if more else {}),
    }
    handlers = {
        each: {"permissions": all_hostile(PERMISSION)} for each in ("create", "read", "update", "delete", "list")
    }
    schema = resource_schema(properties=properties, description=_joined(SCHEMA), handlers=handlers)
    del schema["writeOnlyProperties"]
    schema["handlers"] = handlers
    schema["typeConfiguration"] = {
        "properties": {"Text": {"type": "string", "description": _joined(PROPERTY)}},
        "additionalProperties": False,
    }
    said = {
        "message": [_joined(MESSAGE, each * 20, 20) for each in range(10)],
        "log": _joined(LOG),
        "raised": _joined(RAISED),
        "context": hostile(CONTEXT, 20),
        "drift": _joined(VALUE),
    }
    source = _HANDLERS % (json.dumps(said), str(server.folder / "hostile.json"))
    return resource_package(schema=schema, handlers=source)


def _hook():
    schema = hook_schema(description=_joined(HOOK_SCHEMA))
    schema["handlers"]["preCreate"]["targetNames"] = [THING]
    return hook_package(schema=schema, handlers=_HOOK % json.dumps(_joined(HOOK_MESSAGE)))


def _hooked(client):
    options = {"TargetStacks": "ALL", "FailureMode": "WARN", "Properties": {}}
    settings = {"CloudFormationConfiguration": {"HookConfiguration": options}}
    client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(settings))


def _template(resources, **more):
    made = {name: {"Type": THING, "Properties": properties} for name, properties in resources.items()}
    return json.dumps({"Resources": made, **more})


def _whole(client, server):
    """A stack with hostile texts in all of its template, a change set, a policy and drift."""
    parameters = {
        f"P{number}": {
            "Type": "String",
            "Default": hostile(VALUE, number),
            "AllowedValues": [hostile(VALUE, number), hostile(ALLOWED, number)],
            "Description": _joined(PARAMETER, number * 10, 10, 4000),
        }
        for number in range(20)
    }
    outputs = {
        f"O{number}": {"Value": hostile(OUTPUT_VALUE, number), "Description": hostile(OUTPUT, number)}
        for number in range(200)
    }
    resources = {
        "Whole": {
            "Type": THING,
            "Properties": {
                "Name": f"{hostile(NAME, 0)}",
                "Label": {"Ref": "P0"},
                "Map": dict(zip(all_hostile(MAP_KEY), all_hostile(MAP), strict=True)),
            },
            "Metadata": dict(zip(all_hostile(METADATA_KEY), all_hostile(METADATA), strict=True)),
        },
        "Drifted": {"Type": THING, "Properties": {"Name": "drifted", "Label": "a"}, "DependsOn": "Whole"},
    }
    template = {
        "Description": _joined(DESCRIPTION, most=1000),
        "Metadata": dict(zip(all_hostile(METADATA_KEY), all_hostile(METADATA), strict=True)),
        "Parameters": parameters,
        "Resources": resources,
        "Outputs": outputs,
    }
    policy = {"Statement": [{"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}]}
    address = upload(server, json.dumps(template), key="whole.json").replace("s3://", f"{server.url}/")
    stack = client.create_stack(StackName="whole", TemplateURL=address, OnFailure="DO_NOTHING",
                                StackPolicyBody=json.dumps(policy))["StackId"]  # fmt: skip
    _wait(client, "whole")
    detection = client.detect_stack_drift(StackName="whole")["StackDriftDetectionId"]
    assert detection
    changed = [{"ParameterKey": "P0", "ParameterValue": hostile(ALLOWED, 0)}]
    made = client.create_change_set(
        StackName="whole",
        ChangeSetName="next",
        UsePreviousTemplate=True,
        Parameters=changed,
        Description=_joined(CHANGE_SET, most=1000),
    )
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"])
    return stack


def _failed(client):
    """A stack whose resources fail with the texts."""
    resources = {f"Bad{number}": {"Name": f"bad{number}"} for number in range(10)}
    resources["Raised"] = {"Name": "raise"}
    template = _template(resources)
    stack = client.create_stack(StackName="failed", TemplateBody=template, OnFailure="DO_NOTHING")["StackId"]
    _wait(client, "failed")
    return stack


def _named(client, server):
    """A stack whose resources have the texts as their physical ids; its handlers make one after the other."""
    resources = {}
    for number in range(200):
        properties = {"Name": hostile(NAME, number)}
        after = {"DependsOn": f"Named{number - 1}"} if number else {}
        resources[f"Named{number}"] = {"Type": THING, "Properties": properties, **after}
    template = json.dumps({"Resources": resources})
    address = upload(server, template, key="named.json").replace("s3://", f"{server.url}/")
    stack = client.create_stack(StackName="named", TemplateURL=address, OnFailure="DO_NOTHING")["StackId"]
    _wait(client, "named")
    return stack


def _set(client):
    """A stack set with the texts as values of its parameters, and an instance whose stack has them too."""
    parameters = {f"P{number}": {"Type": "String"} for number in range(200)}
    handle = {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}
    given = [{"ParameterKey": f"P{number}", "ParameterValue": hostile(SET_VALUE, number)} for number in range(200)]
    client.create_stack_set(
        StackSetName="set",
        Description=_joined(SET_DESCRIPTION, most=1000),
        TemplateBody=json.dumps({"Parameters": parameters, "Resources": handle}),
        Parameters=given,
    )
    for wrong in (hostile(NAME, 0), hostile(EXPORT, 3)):
        with contextlib.suppress(ClientError):  # names that are refused
            client.create_stack_set(StackSetName=wrong, TemplateBody=json.dumps({"Resources": handle}))
    accounts = ["111111111111", "222222222222"]
    client.create_stack_instances(StackSetName="set", Accounts=accounts, Regions=["us-east-1"])
    exported = {"Outputs": {"O": {"Value": "a", "Export": {"Name": hostile(EXPORT, 3)}}}, "Resources": handle}
    with contextlib.suppress(ClientError):
        client.create_stack(StackName="exports", TemplateBody=json.dumps(exported), OnFailure="DO_NOTHING")
        _wait(client, "exports")


def _tagged(client):
    """Stacks with fifty tags each, which is all that one can have."""
    handle = json.dumps({"Resources": {"Wait": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}})
    for stack in range(4):
        numbers = range(stack * 50, stack * 50 + 50)
        tags = [{"Key": hostile(TAG_KEY, number)[:128], "Value": hostile(TAG, number)[:256]} for number in numbers]
        made = client.create_stack(StackName=f"tagged{stack}", TemplateBody=handle, Tags=tags)
        _wait(client, f"tagged{stack}")
        yield made["StackId"]


def _wait(client, name):
    with contextlib.suppress(WaiterError):  # a stack that is to fail
        client.get_waiter("stack_create_complete").wait(StackName=name)
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    assert not stack["StackStatus"].endswith("IN_PROGRESS"), stack
