"""Probes of the operations that end stacks, or get them out of failures."""

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
        arrange=create(),
        base={"StackName": "s"},
        changes={"StackName": "other"},
    ),
    Probe(
        operation="SignalResource",
        arrange=create(template(H=HANDLE)),
        base={"StackName": "s", "LogicalResourceId": "H", "UniqueId": "u", "Status": "SUCCESS"},
        changes={"StackName": "other", "LogicalResourceId": "Z"},
    ),
]
