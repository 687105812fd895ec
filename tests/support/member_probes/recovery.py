"""Probes of the operations that end stacks, or get them out of failures."""

import itertools
from unittest import mock

from formwork.provisioning.outcomes import Failed
from formwork.provisioning.simulated import SimulatedProvisioner
from support.member_probes.probe import Probe
from support.member_probes.stacks import (
    FAILING,
    HANDLE,
    QUEUE,
    RENAMED,
    ROLE,
    create,
    held,
    state,
    template,
)

LOCKED = template(
    C={"Type": "Custom::Thing", "Properties": {"ServiceToken": "arn:aws:lambda:us-east-1:123456789012:function:none"}}
)


def failed(world):
    """Arrange a stack whose update failed and was kept."""
    create()(world)
    broken = template(Q=QUEUE, R={**HANDLE, "DeletionPolicy": "Retain"}, W={**FAILING, "DependsOn": "R"})
    world("UpdateStack", StackName="s", TemplateBody=broken, DisableRollback=True)


def undeletable(world):
    """Arrange a stack with a resource that can't be deleted."""
    world.saved["s"] = world("CreateStack", StackName="s", TemplateBody=LOCKED, DisableRollback=True)["StackId"]
    world("DeleteStack", StackName="s")


def by_id(world):
    """What there is, or was, of the stack `s`."""
    return state(world, world.saved["s"])


def updating(world):
    """Arrange a stack that is being updated."""
    held(create())(world)
    world("UpdateStack", StackName="s", TemplateBody=RENAMED)


def cancelled(world):
    """Arrange a stack whose update was cancelled with the token "t"."""
    updating(world)
    world("CancelUpdateStack", StackName="s", ClientRequestToken="t")
    world.service.hold(False)


def released(world):
    """What there is of a stack once what was held is done."""
    world.service.hold(False)
    return state(world)


def stuck(world):
    """Arrange a stack whose update could not be rolled back, since the queue's second update failed."""
    create(timed(1))(world)
    invoke, updates = SimulatedProvisioner.invoke, itertools.count(1)

    def failing(self, call):
        if call.action == "UPDATE" and next(updates) > 1:
            return Failed("GeneralServiceException", "no")
        return invoke(self, call)

    with mock.patch.object(SimulatedProvisioner, "invoke", failing):
        world("UpdateStack", StackName="s", TemplateBody=timed(2, W={**FAILING, "DependsOn": "Q"}))


def signalled(world):
    """Arrange a stack that is being created; one of the two signals that its instance needs has come."""
    policy = {"ResourceSignal": {"Count": 2, "Timeout": "PT1S"}}
    world.service.hold(True)
    create(template(I={"Type": "AWS::EC2::Instance", "CreationPolicy": policy}))(world)
    world("SignalResource", StackName="s", LogicalResourceId="I", UniqueId="one", Status="SUCCESS")


def timed(seconds, **more):
    """A template with a queue of that timeout."""
    return template(Q={**QUEUE, "Properties": {"VisibilityTimeout": seconds}}, **more)


PROBES = [
    Probe(
        operation="DeleteStack",
        arrange=create(),
        base={"StackName": "s"},
        look=by_id,
        changes={"StackName": "other", "RoleARN": ROLE, "ClientRequestToken": "token"},
    ),
    Probe(
        operation="DeleteStack",
        arrange=undeletable,
        base={"StackName": "s"},
        look=by_id,
        changes={"RetainResources": ["C"], "DeletionMode": "FORCE_DELETE_STACK"},
    ),
    Probe(
        operation="CancelUpdateStack",
        arrange=updating,
        base={"StackName": "s"},
        look=released,
        changes={"StackName": "other"},
    ),
    Probe(
        operation="CancelUpdateStack",
        arrange=cancelled,
        base={"StackName": "s"},
        changes={"ClientRequestToken": "t"},
    ),
    Probe(
        operation="RollbackStack",
        arrange=failed,
        base={"StackName": "s"},
        look=state,
        changes={"StackName": "other", "RoleARN": ROLE, "ClientRequestToken": "token", "RetainExceptOnCreate": True},
    ),
    Probe(
        operation="ContinueUpdateRollback",
        arrange=stuck,
        base={"StackName": "s"},
        look=state,
        changes={
            "StackName": "other",
            "RoleARN": ROLE,
            "ResourcesToSkip": ["Q"],
            "ClientRequestToken": "token",
            "ForceRollback": True,
        },
    ),
    Probe(
        operation="SignalResource",
        arrange=signalled,
        base={"StackName": "s", "LogicalResourceId": "I", "UniqueId": "two", "Status": "SUCCESS"},
        look=released,
        changes={"UniqueId": "one", "Status": "FAILURE"},
    ),
    Probe(
        operation="SignalResource",
        arrange=create(template(H=HANDLE)),
        base={"StackName": "s", "LogicalResourceId": "H", "UniqueId": "u", "Status": "SUCCESS"},
        changes={"StackName": "other", "LogicalResourceId": "Z"},
    ),
]
