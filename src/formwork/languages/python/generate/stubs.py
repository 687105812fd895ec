"""Stubs of handlers, with the contract's requirements as comments.

A stub returns FAILED with a code and a message, a valid answer that does not claim success or progress.
"""

from formwork.extensions import ExtensionKind
from formwork.languages.python.generate.text import comment_text
from formwork.model import TypeModel

_RESOURCE_HEAD = '''"""The handlers of {type_name}."""

import logging
from typing import Any, MutableMapping, Optional

from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource, SessionProxy, exceptions

from .models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

LOG = logging.getLogger(__name__)
TYPE_NAME = "{type_name}"

resource = Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint
'''

_HOOK_HEAD = '''"""The handlers of {type_name}."""

import logging
from typing import Any, MutableMapping, Optional

from cloudformation_cli_python_lib import Hook, HookInvocationPoint, ProgressEvent, SessionProxy, exceptions

from .models import HookHandlerRequest, TypeConfigurationModel

LOG = logging.getLogger(__name__)
TYPE_NAME = "{type_name}"

hook = Hook(TYPE_NAME, TypeConfigurationModel)
test_entrypoint = hook.test_entrypoint
'''

_RESOURCE_STUB = '''

@resource.handler(Action.{action})
def {name}_handler(
    session: Optional[SessionProxy],
    request: ResourceHandlerRequest,
    callback_context: MutableMapping[str, Any],
) -> ProgressEvent:
    """{summary}"""
{steps}
    raise exceptions.InternalFailure("the {name} handler is not written yet")
'''

_HOOK_STUB = '''

@hook.handler(HookInvocationPoint.{point})
def {name}_handler(
    session: Optional[SessionProxy],
    request: HookHandlerRequest,
    callback_context: MutableMapping[str, Any],
    type_configuration: Optional[TypeConfigurationModel],
) -> ProgressEvent:
    """{summary}"""
    # Look at request.hookContext.targetName and .targetModel["resourceProperties"]{previous}, then
    #     return ProgressEvent(status=OperationStatus.SUCCESS)
    # or  return ProgressEvent.failed(HandlerErrorCode.NonCompliant, "what is wrong with the target")
    raise exceptions.InternalFailure("the {name} handler is not written yet")
'''

_PROGRESS = """\
Not done yet? Return the properties that are set so far, above all the identifier ({identifier}):
    return ProgressEvent(
        status=OperationStatus.IN_PROGRESS,
        resourceModel=model,
        callbackContext={{"started": True}},
        callbackDelaySeconds=5,
    )
and continue from callback_context when you are called again."""

_MODEL = "model = request.desiredResourceState"

# Handler → its purpose, and the contract's requirements.
_RESOURCE = {
    "create": (
        "Create the desired resource.",
        (
            "Exists already? raise exceptions.AlreadyExists(TYPE_NAME, {value})\n"
            "The same request.clientRequestToken again must not create a second one.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "read": (
        "Return all properties that have a value, except write-only ones.",
        (
            "Not there? raise exceptions.NotFound(TYPE_NAME, {value})\n"
            "return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=model)"
        ),
    ),
    "update": (
        "Update the resource to the desired state; lists are replaced, never merged.",
        (
            "Not there? raise exceptions.NotFound(TYPE_NAME, {value})\n"
            "request.previousResourceState is the state before; create-only properties never differ.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "delete": (
        "Delete the resource.",
        (
            "Not there? raise exceptions.NotFound(TYPE_NAME, {value})\n"
            f"{_PROGRESS}\n"
            "Deleted: the answer has no model.\n"
            "return ProgressEvent(status=OperationStatus.SUCCESS)"
        ),
    ),
    "list": (
        "Return the identifiers of all resources of this type, page by page.",
        (
            "request.nextToken is the token of the previous page, None at first.\n"
            "models = [ResourceModel({keywords}), ...], an empty list if there are none\n"
            "return ProgressEvent(status=OperationStatus.SUCCESS, resourceModels=models, nextToken=None)"
        ),
    ),
}

_HOOK = {
    "preCreate": ("pre_create", "CREATE_PRE_PROVISION", "Check a target before it is created."),
    "preUpdate": ("pre_update", "UPDATE_PRE_PROVISION", "Check a target before it is updated."),
    "preDelete": ("pre_delete", "DELETE_PRE_PROVISION", "Check a target before it is deleted."),
}


def render_stubs(types: TypeModel) -> str:
    """Return the text of `handlers.py` with a stub for each handler of the schema."""
    head = _HOOK_HEAD if types.kind is ExtensionKind.HOOK else _RESOURCE_HEAD
    text = head.format(type_name=comment_text(types.type_name))
    if types.kind is ExtensionKind.HOOK:
        return text + "".join(_hook_stub(each) for each in _handlers(types))
    return text + "".join(_resource_stub(each, types) for each in _handlers(types))


def _handlers(types: TypeModel) -> list[str]:
    known = _HOOK if types.kind is ExtensionKind.HOOK else _RESOURCE
    # A stub for a handler that is not in the schema would never be called.
    return [each for each in known if each in types.handlers]


def _hook_stub(handler: str) -> str:
    name, point, summary = _HOOK[handler]
    previous = '\n    # and ["previousResourceProperties"]' if handler == "preUpdate" else ""
    return _HOOK_STUB.format(name=name, point=point, summary=summary, previous=previous)


def _resource_stub(name: str, types: TypeModel) -> str:
    summary, notes = _RESOURCE[name]
    paths = [".".join(each) for each in types.primary_identifier] or ["the primary identifier"]
    after = "return read_handler(session, request, callback_context)"
    words = {
        "identifier": ", ".join(paths),
        "value": f"model.{paths[0]}" if types.primary_identifier else '"..."',
        "keywords": ", ".join(f"{each}=..." for each in paths if each.isidentifier()),
        "read": after if "read" in types.handlers else "Return all properties.",
    }
    lines = [f"    # {each}".rstrip() for each in notes.format(**words).splitlines()]
    steps = "\n".join([*([] if name == "list" else [f"    # {_MODEL}"]), *lines])
    return _RESOURCE_STUB.format(action=name.upper(), name=name, summary=summary, steps=steps)


_TEST_HEAD = '''"""Each handler on its own, without CloudFormation: run `python -m pytest`."""

import pytest
from cloudformation_cli_python_lib import {library}

{imports}

{request}
'''

_RESOURCE_REQUEST = """
def request_for(**properties):
    return ResourceHandlerRequest(
        clientRequestToken="token",
        desiredResourceState=ResourceModel(**properties),
        previousResourceState=None,
        desiredResourceTags=None,
        previousResourceTags=None,
        systemTags=None,
        previousSystemTags=None,
        awsAccountId="123456789012",
        logicalResourceIdentifier="Resource",
        typeConfiguration=None,
        nextToken=None,
        region="us-east-1",
        awsPartition="aws",
        stackId=None,
    )"""

_HOOK_REQUEST = """
def request_for(properties, point):
    context = HookContext(
        awsAccountId="123456789012",
        stackId="stack",
        hookTypeName="{type_name}",
        hookTypeVersion="00000001",
        invocationPoint=HookInvocationPoint[point],
        targetName="AWS::S3::Bucket",
        targetType="RESOURCE",
        targetLogicalId="Target",
        targetModel={{"resourceProperties": properties}},
    )
    return HookHandlerRequest(clientRequestToken="token", hookContext=context)"""

_TEST = """

def test_{name}_handler():
    # Replace this when the handler is written by tests of what it does.
    with pytest.raises(exceptions.InternalFailure, match="not written yet"):
        {name}_handler({arguments})
"""


def render_stub_tests(types: TypeModel) -> str:
    """Return the text of `test_handlers.py` with a test for each stub."""
    hook = types.kind is ExtensionKind.HOOK
    package = types.type_name.replace("::", "_").lower()
    names = sorted(_HOOK[each][0] if hook else each for each in _handlers(types))
    models = "HookHandlerRequest, TypeConfigurationModel" if hook else "ResourceHandlerRequest, ResourceModel"
    imports = [f"from {package}.models import {models}"]
    if names:
        imports.insert(0, f"from {package}.handlers import {', '.join(f'{each}_handler' for each in names)}")
    head = _TEST_HEAD.format(
        library="HookContext, HookInvocationPoint, exceptions" if hook else "exceptions",
        imports="\n".join(imports),
        request=_HOOK_REQUEST.format(type_name=types.type_name) if hook else _RESOURCE_REQUEST,
    )
    return head + "".join(_TEST.format(name=each, arguments=_arguments(each, hook=hook)) for each in names)


def _arguments(name: str, *, hook: bool) -> str:
    if not hook:
        return "None, request_for(), {}"
    point = next(point for stub, point, _ in _HOOK.values() if stub == name)
    return f'None, request_for({{}}, "{point}"), {{}}, TypeConfigurationModel()'
