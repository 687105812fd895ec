"""The local service in this process, without a socket, whose background work never runs: inputs could start programs.

Its state is one stack, a change set, a registered type and some objects; after a number of inputs it is made anew.
"""

import contextlib
import json
import shutil

from formwork.diagnostics.secrets import Secret
from fuzz.folders import scratch
from support.recordings.service import InlineWorkflows, open_service

KEY, SECRET = "AKIDEXAMPLE111111111", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
_INPUTS = 500

TEMPLATE = {
    "AWSTemplateFormatVersion": "2010-09-09",
    "Description": "d",
    "Parameters": {
        "Name": {"Type": "String", "Default": "a"},
        "Secret": {"Type": "String", "NoEcho": True, "Default": "s"},
    },
    "Resources": {
        "Queue": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": {"Ref": "Name"}}},
        "Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"},
    },
    "Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["Queue", "Arn"]}, "Export": {"Name": "arn"}}},
}


class HeldWorkflows(InlineWorkflows):
    """Does what is started while the state is prepared, and nothing of it later."""

    held = False

    def start(self, name, workflow_id, *arguments):
        if not type(self).held:
            super().start(name, workflow_id, *arguments)


class FreshService:
    """Calls `use` with a service that is replaced from time to time by one in the prepared state."""

    def __init__(self, folder, use):
        self._folder, self._use, self._left = folder, use, 0
        self._stack = contextlib.ExitStack()
        self._used = None
        _prepare(folder / "prepared")

    def current(self):
        if self._left == 0:
            self.close()
            state = self._folder / "state"
            shutil.rmtree(state, ignore_errors=True)
            shutil.copytree(self._folder / "prepared", state)
            HeldWorkflows.held = True
            settings = {"keys": {KEY: Secret(SECRET)}, "workflows": HeldWorkflows}
            service = self._stack.enter_context(open_service(state, **settings))
            self._used, self._left = self._stack.enter_context(self._use(service)), _INPUTS
        self._left -= 1
        return self._used

    def close(self):
        self._stack.close()


@contextlib.contextmanager
def fresh_service(use):
    with scratch() as folder:
        service = FreshService(folder, use)
        try:
            yield service
        finally:
            service.close()


def _prepare(state):
    HeldWorkflows.held = False
    with open_service(state, workflows=HeldWorkflows) as service:
        service.put("things", "thing.zip", b"none")
        service.call("CreateStack", {"StackName": "shop", "TemplateBody": json.dumps(TEMPLATE)})
        changed = {**TEMPLATE, "Description": "other", "Outputs": {}}
        service.call(
            "CreateChangeSet", {"StackName": "shop", "ChangeSetName": "first", "TemplateBody": json.dumps(changed)}
        )
        service.call("CreateStackSet", {"StackSetName": "shops", "TemplateBody": json.dumps(TEMPLATE)})
