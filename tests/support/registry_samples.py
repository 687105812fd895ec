"""`cfn serve` with one of each kind of extension, for tests of what shows them."""

import contextlib

from support.registry import (
    GUARD,
    SHELF,
    THING,
    hook_package,
    hook_schema,
    module_package,
    resource_package,
    resource_schema,
)
from support.serving import register, upload
from support.things import HANDLERS, serving_things

HOOK = """
def resource(event, context):
    properties = event["requestData"]["targetModel"]["resourceProperties"]
    if properties.get("Label") == "red":
        answer = {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "<b>red</b> is not allowed"}
    else:
        answer = {"hookStatus": "SUCCESS", "message": "fine"}
    return {**answer, "clientRequestToken": event["clientRequestToken"]}
"""


def second_schema():
    schema = resource_schema()
    schema["properties"] |= {
        "Label": {"type": "string", "enum": ["red", "green"], "description": "<script>alert(1)</script>"},
        "Size": {"type": "integer", "minimum": 1},
        "Tags": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
                "required": ["Key"],
                "additionalProperties": False,
            },
        },
    }
    schema["typeConfiguration"] = {
        "properties": {"ApiKey": {"type": "string"}},
        "required": ["ApiKey"],
        "additionalProperties": False,
    }
    return schema


@contextlib.contextmanager
def serving_registry(folder):
    """A running server with a resource type in two versions, a hook that is not enabled, and a module."""
    with serving_things(folder) as running:
        client = running.client("cloudformation")
        lists = '    if action == "LIST":\n        found = [{"Name": each} for each in store]\n'
        lists += '        return {"status": "SUCCESS", "resourceModels": found}\n'
        handlers = (HANDLERS % str(running.folder / "things.json")).replace(
            '    if action == "CREATE":', f'{lists}    if action == "CREATE":', 1
        )
        register(running, content=resource_package(schema=second_schema(), handlers=handlers), key="second.zip")
        targets = hook_schema()
        targets["handlers"]["preCreate"]["targetNames"] = ["Acme::Store::*"]
        for kind, name, content in (
            ("HOOK", GUARD, hook_package(schema=targets, handlers=HOOK)),
            ("MODULE", SHELF, module_package()),
        ):
            url = upload(running, content, key=f"{kind}.zip")
            token = client.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]
            client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
        client.set_type_default_version(Type="RESOURCE", TypeName=THING, VersionId="00000002")
        yield running
