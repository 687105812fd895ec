"""Types and hooks written as plain Python classes, called in the process of the tests.

A resource type has `schema` and the methods `create(model)`, `read(model)`, `update(model, previous)`, `delete(model)`
and `list(model)`, of which it defines those that it supports. A hook has `type_name`, `targets` and the methods
`pre_create(call)`, `pre_update(call)` and `pre_delete(call)`; `configuration` has the schemas of the properties that it
is configured with.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import UsageError
from formwork.documents import DocumentFormat, parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.schema.coercion import parse_texts

_ACTIONS = ("create", "read", "update", "delete", "list")
_POINTS = {
    "CREATE_PRE_PROVISION": ("pre_create", "preCreate"),
    "UPDATE_PRE_PROVISION": ("pre_update", "preUpdate"),
    "DELETE_PRE_PROVISION": ("pre_delete", "preDelete"),
}


class HandlerFailure(Exception):  # noqa: N818 - the field's word
    """Raised by a handler that fails; `code` is one of CloudFormation's handler error codes."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code


class HookFailure(Exception):  # noqa: N818 - the same
    """Raised by a hook that refuses an operation."""

    def __init__(self, message: str, code: str = "NonCompliant") -> None:
        super().__init__(message)
        self.code = code


class InProgress(Struct, frozen=True):
    """Returned by a handler that is to be called again, then with the keyword `context`."""

    model: Mapping[str, Any]
    context: Mapping[str, Any]
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class HookTargetCall:
    """What a hook is called with: a target, and the configuration of the hook. `event` is the whole request."""

    target: str
    logical_id: str
    properties: Mapping[str, Any]
    previous: Mapping[str, Any]
    configuration: Mapping[str, Any]
    event: Mapping[str, Any] = field(repr=False)


class PythonExtension(Struct, frozen=True):
    """A class as an extension: its schema, and the function that calls its methods."""

    kind: ExtensionKind
    type_name: str
    schema: dict[str, Any]
    function: Callable[[Any, Any], Any]


def read_class(given: Any) -> PythonExtension:
    """Return a class, or an instance of one, as an extension; a class is instantiated without arguments.

    Raises:
        UsageError: it is neither a resource type nor a hook.
    """
    instance = given() if isinstance(given, type) else given
    if any(hasattr(instance, method) for method, _ in _POINTS.values()):
        return _hook(instance)
    if hasattr(instance, "schema") and hasattr(instance, "create"):
        return _resource(instance)
    raise UsageError(
        f"{given!r} is neither a resource type nor a hook",
        hint="a resource type has `schema` and `create`, a hook `type_name`, `targets` and `pre_create`",
    )


def read_schema(given: Any) -> dict[str, Any]:
    """Return a schema: a dict, JSON text, or the path of a file."""
    if isinstance(given, Mapping):
        return dict(given)
    text = given.read_text(encoding="utf-8") if isinstance(given, Path) else str(given)
    value: dict[str, Any] = json.loads(text)
    return value


def completed_schema(value: Mapping[str, Any], handlers: Sequence[str] = _ACTIONS) -> dict[str, Any]:
    """Return a schema with what CloudFormation demands of one and says nothing about the type."""
    return {
        "description": "A type of a test.",
        "additionalProperties": False,
        "tagging": {"taggable": False},
        "handlers": {name: {"permissions": []} for name in handlers},
        **value,
    }


def load_schema(value: Mapping[str, Any]) -> ResourceSchema:
    """Return a schema as the toolkit reads it.

    Raises:
        UsageError: it is not valid.
    """
    name = str(value.get("typeName", "schema"))
    document = parse_document(json.dumps(value), name=f"{name}.json", format=DocumentFormat.JSON)
    loaded = load_resource_schema(document)
    if loaded.schema is None:
        raise UsageError(f"the schema of {name} is not valid: {loaded.diagnostics[0].message}")
    return loaded.schema


def _resource(instance: Any) -> PythonExtension:
    handlers = [name for name in _ACTIONS if hasattr(instance, name)]
    value = completed_schema(read_schema(instance.schema), handlers)
    schema = load_schema(value)

    def function(event: Mapping[str, Any], _context: Any) -> dict[str, Any]:
        return _call_resource(instance, schema, event)

    return PythonExtension(ExtensionKind.RESOURCE, value["typeName"], value, function)


def _call_resource(instance: Any, schema: ResourceSchema, event: Mapping[str, Any]) -> dict[str, Any]:
    action = str(event["action"]).lower()
    data = event["requestData"]
    model = _typed(schema, data.get("resourceProperties"))
    arguments = [model] if action != "update" else [model, _typed(schema, data.get("previousResourceProperties"))]
    context = event.get("callbackContext")
    more = {"context": context} if context else {}
    try:
        answer = getattr(instance, action)(*arguments, **more)
    except HandlerFailure as error:
        return {"status": "FAILED", "errorCode": error.code, "message": str(error)}
    if isinstance(answer, InProgress):
        return {
            "status": "IN_PROGRESS",
            "resourceModel": dict(answer.model),
            "callbackContext": dict(answer.context),
            "callbackDelaySeconds": answer.seconds,
            "message": "",
        }
    if action == "list":
        return {"status": "SUCCESS", "resourceModels": [dict(each) for each in answer or ()], "message": ""}
    found = None if action == "delete" else dict(answer if answer is not None else model)
    return {"status": "SUCCESS", "resourceModel": found, "message": ""}


def _typed(schema: ResourceSchema, model: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a model in the types of the schema: CloudFormation sends numbers and booleans as texts."""
    return dict(parse_texts(schema, dict(model or {})))


def _hook(instance: Any) -> PythonExtension:
    targets = list(instance.targets)
    handlers = {
        name: {"targetNames": targets, "permissions": []}
        for method, name in _POINTS.values()
        if hasattr(instance, method)
    }
    value = {
        "typeName": instance.type_name,
        "description": (type(instance).__doc__ or "A hook of a test.").strip().splitlines()[0],
        "documentationUrl": "https://example.com/hook.md",
        "typeConfiguration": {
            "properties": dict(getattr(instance, "configuration", {})),
            "additionalProperties": False,
        },
        "handlers": handlers,
        "additionalProperties": False,
        **(read_schema(instance.schema) if hasattr(instance, "schema") else {}),
    }

    def function(event: Mapping[str, Any], _context: Any) -> dict[str, Any]:
        return _call_hook(instance, event)

    return PythonExtension(ExtensionKind.HOOK, value["typeName"], value, function)


def _call_hook(instance: Any, event: Mapping[str, Any]) -> dict[str, Any]:
    data = event["requestData"]
    model = data.get("targetModel") or {}
    call = HookTargetCall(
        target=str(data.get("targetName", "")),
        logical_id=str(data.get("targetLogicalId", "")),
        properties=model.get("resourceProperties") or {},
        previous=model.get("previousResourceProperties") or {},
        configuration=event.get("hookModel") or {},
        event=event,
    )
    method, _ = _POINTS[event["actionInvocationPoint"]]
    token = event.get("clientRequestToken")
    try:
        message = getattr(instance, method)(call)
    except HookFailure as error:
        return {"hookStatus": "FAILED", "errorCode": error.code, "message": str(error), "clientRequestToken": token}
    return {"hookStatus": "SUCCESS", "message": message or "", "clientRequestToken": token}
