"""Runs the vectors against the Python handler library; a plain script, so that any Python from 3.9 on can.

    python run_python.py [FILE.json …]

exits 1 and prints what differs if something does.
"""

from __future__ import annotations

import base64
import gzip
import json
import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cloudformation_cli_python_lib import (
    Action,
    BaseModel,
    HandlerErrorCode,
    Hook,
    HookAnnotation,
    HookAnnotationSeverityLevel,
    HookAnnotationStatus,
    HookInvocationPoint,
    OperationStatus,
    ProgressEvent,
    Resource,
    exceptions,
)
from cloudformation_cli_python_lib.shapes import (
    Fields,
    anything,
    array_of,
    boolean,
    integer,
    map_of,
    model,
    number,
    set_of,
    string,
)

HERE = Path(__file__).parent
TYPE_NAME = "Acme::Store::Thing"


class Tag(BaseModel):
    def __init__(self, Key=None, Value=None):
        self.Key = Key
        self.Value = Value

    @classmethod
    def _fields(cls) -> Fields:
        return {"Key": string, "Value": string}


class Memo(BaseModel):
    def __init__(self, Heading=None):
        self.Heading = Heading

    @classmethod
    def _fields(cls) -> Fields:
        return {"Heading": string}


class ResourceModel(BaseModel):
    def __init__(self, **properties):
        for name in self._fields():
            setattr(self, name, properties.get(name))

    @classmethod
    def _fields(cls) -> Fields:
        return {
            "Name": string,
            "Count": integer,
            "Ratio": number,
            "Enabled": boolean,
            "Policy": anything,
            "Memo": model(Memo),
            "Tags": set_of(model(Tag)),
            "Zones": set_of(string),
            "Rules": array_of(model(Tag)),
            "Labels": map_of(integer),
        }


class TypeConfigurationModel(BaseModel):
    def __init__(self, Limit=None, Strict=None):
        self.Limit = Limit
        self.Strict = Strict

    @classmethod
    def _fields(cls) -> Fields:
        return {"Limit": integer, "Strict": boolean}


class ServiceError(Exception):
    """An error in the form of botocore's ClientError, which this script must not need."""

    def __init__(self, code, status):
        super().__init__(f"An error occurred ({code}) when calling the Operation operation")
        self.response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}


class OwnNotFound(exceptions.NotFound):
    pass


class Call(SimpleNamespace):
    """What a handler was called with, for both kinds: asked, session, request, callback_context, …"""

    @property
    def model(self):
        return self.request.desiredResourceState


def success(**members):
    return ProgressEvent(status=OperationStatus.SUCCESS, **members)


def echo(call):
    if call.asked is Action.LIST:
        return success(resourceModels=[call.model], nextToken=call.request.nextToken)
    return success(resourceModel=call.model)


def describe(call):
    request = vars(call.request)
    seen = dict(vars(call.request.hookContext)) if "hookContext" in request else dict(request)
    if "hookContext" not in request:
        seen["desired"] = serialized(seen.pop("desiredResourceState"))
        seen["previous"] = serialized(seen.pop("previousResourceState"))
    seen["clientRequestToken"] = call.request.clientRequestToken
    seen["typeConfiguration"] = serialized(call.type_configuration)
    seen["callbackContext"] = call.callback_context
    seen["session"] = call.session is not None
    return success(message=json.dumps(seen))


def serialized(value):
    return None if value is None else value._serialize()


def progress(call):
    return ProgressEvent(
        status=OperationStatus.IN_PROGRESS,
        callbackDelaySeconds=5,
        callbackContext={"step": call.callback_context.get("step", -1) + 1},
        resourceModel=getattr(call.request, "desiredResourceState", None),
    )


def raising(make):
    def behave(call):
        raise make(call)

    return behave


def annotate(_call):
    annotation = HookAnnotation(
        "encryption", HookAnnotationStatus.FAILED, severityLevel=HookAnnotationSeverityLevel.HIGH
    )
    event = ProgressEvent.failed(HandlerErrorCode.NonCompliant, "no", result="r")
    event.annotations = [annotation]
    return event


BEHAVIOURS = {
    "echo": echo,
    "describe": describe,
    "progress": progress,
    "delete": lambda _call: success(),
    "not-found": raising(lambda call: exceptions.NotFound(TYPE_NAME, call.model.Name)),
    "own-not-found": raising(lambda call: OwnNotFound(TYPE_NAME, call.model.Name)),
    "unexpected": raising(lambda _call: RuntimeError("boom")),
    "leak": raising(lambda call: RuntimeError(f"signing with {call.secret} failed")),
    "throttled": raising(lambda _call: ServiceError("ThrottlingException", 400)),
    "aws-404": raising(lambda _call: ServiceError("404", 404)),
    "nothing": lambda _call: None,
    "unwritable": lambda _call: success(resourceModel=ResourceModel(Policy={"when": object()})),
    "failed": lambda _call: ProgressEvent.failed(HandlerErrorCode.NonCompliant, "no"),
    "annotate": annotate,
    "skip-stack-hook": lambda _call: ProgressEvent(OperationStatus.CHANGE_SET_SUCCESS_SKIP_STACK_HOOK),
}


def make_resource(behaviour, secret):
    resource = Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel)
    for action in Action if behaviour != "none" else ():

        @resource.handler(action)
        def handle(session, request, callback_context, action=action):
            call = Call(
                asked=action,
                session=session,
                request=request,
                callback_context=callback_context,
                type_configuration=request.typeConfiguration,
                secret=secret,
            )
            return BEHAVIOURS[behaviour](call)

    return resource


def make_hook(behaviour, secret):
    hook = Hook("Acme::Store::Check", TypeConfigurationModel)
    for point in HookInvocationPoint if behaviour != "none" else ():

        @hook.handler(point)
        def handle(session, request, callback_context, type_configuration, point=point):
            call = Call(
                asked=point,
                session=session,
                request=request,
                callback_context=callback_context,
                type_configuration=type_configuration,
                secret=secret,
            )
            return BEHAVIOURS[behaviour](call)

    return hook


def answer(kind: str, vector: dict[str, Any]) -> Any:
    request = vector["request"]
    make = make_resource if kind == "resource" else make_hook
    extension = make(vector["handler"], secret_of(request))
    if "$gzip" in request:
        packed = base64.b64encode(gzip.compress(json.dumps(request["$gzip"]).encode())).decode()
        request = {"__COMPRESSED__": packed, "__COMPRESSION_METHOD__": "gzip_base64"}
    entry = extension.test_entrypoint if vector.get("entrypoint") == "test" else extension
    return json.loads(json.dumps(entry(json.loads(json.dumps(request)), None)))


def secret_of(request: dict[str, Any]) -> str:
    credentials = request.get("requestData", {}).get("callerCredentials") or {}
    if isinstance(credentials, str) and credentials.startswith("{"):
        credentials = json.loads(credentials)
    return credentials.get("secretAccessKey", "") if isinstance(credentials, dict) else ""


def matches(expected: Any, actual: Any) -> bool:
    if isinstance(expected, dict) and "$contains" in expected:
        return isinstance(actual, str) and all(part in actual for part in expected["$contains"])
    if isinstance(expected, dict) and "$json" in expected:
        return isinstance(actual, str) and json.loads(actual) == expected["$json"]
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(matches(expected[name], actual[name]) for name in expected)
    return type(expected) is type(actual) and expected == actual


def load(files=()):
    """Every vector as (file name, kind, vector)."""
    for path in files or sorted(HERE.glob("*.json")):
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        for vector in document.get("vectors", ()):
            yield Path(path).stem, document["kind"], vector


def main(arguments: list[str]) -> int:
    logging.disable(logging.CRITICAL)
    count = failures = 0
    for name, kind, vector in load(arguments):
        count += 1
        actual = answer(kind, vector)
        if not matches(vector["response"], actual):
            failures += 1
            print(f"{name}: {vector['name']}\n  expected {vector['response']}\n  actual   {actual}")  # noqa: T201 - the script's output
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"{count - failures} of {count} vectors pass on Python {version}")  # noqa: T201
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
