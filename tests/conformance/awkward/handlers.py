"""Handlers that answer what the service at AWKWARD_SERVICE says, through the Python handler library and its models."""

import json
import os
import urllib.request

from cloudformation_cli_python_lib import Action, HandlerErrorCode, OperationStatus, ProgressEvent, Resource

from .models import ResourceModel, TypeConfigurationModel

resource = Resource("$type_name", ResourceModel, TypeConfigurationModel)
test_entrypoint = resource.test_entrypoint


def handler_of(action):
    def handle(_session, request, callback_context):
        desired = request.desiredResourceState
        answer = ask(
            {
                "action": action.value,
                "bearerToken": request.clientRequestToken,
                "callbackContext": callback_context,
                "nextToken": request.nextToken,
                "requestData": {"resourceProperties": None if desired is None else desired._serialize()},
            }
        )
        return event_of(answer)

    return handle


def ask(request):
    text = json.dumps(request).encode()
    with urllib.request.urlopen(os.environ["AWKWARD_SERVICE"], text) as response:
        return json.load(response)


def event_of(answer):
    code, models = answer.pop("errorCode", None), answer.pop("resourceModels", None)
    return ProgressEvent(
        status=OperationStatus(answer.pop("status")),
        errorCode=None if code is None else HandlerErrorCode[code],
        resourceModel=ResourceModel._deserialize(answer.pop("resourceModel", None)),
        resourceModels=None if models is None else [ResourceModel._deserialize(each) for each in models],
        **answer,
    )


for each in Action:
    resource.handler(each)(handler_of(each))
