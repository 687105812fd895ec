"""Express mode: operations end as soon as the configuration of resources is applied."""

import pytest

from formwork.api.wire.errors import ApiError
from formwork.provisioning.outcomes import Failed, Waiting
from support.stack_calls import StackCalls

ONE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"
TWO = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  B: {Type: Acme::Web::Thing, Properties: {Of: !Ref A}}
"""
EXPRESS = {"Mode": "EXPRESS"}
COMPLETED = "Resource operation completed using Express Mode. It may continue becoming available in the background."
CHECKING = ("CONFIGURATION_COMPLETE", "Eventual consistency check initiated")


@pytest.fixture
def calls(bench):
    return StackCalls(bench)


def stabilize(bench, action):
    """The handler does its work in the first call, and asks to be called again in an hour."""
    invoke = bench.things.inner.invoke

    def slow(call):
        outcome = invoke(call)
        if call.action != action:
            return outcome
        return Waiting(3600, None if action == "DELETE" else outcome.model, {"left": 1})

    bench.things.inner.invoke = slow
    return invoke


def stack(calls):
    return calls("DescribeStacks", StackName="shop")["Stacks"][0]


def details(calls, name="DescribeStackEvents"):
    key = {"DescribeStackEvents": "StackEvents", "DescribeEvents": "OperationEvents"}[name]
    return [
        (each["LogicalResourceId"], each["ResourceStatus"], each["DetailedStatus"], each["ResourceStatusReason"])
        for each in reversed(calls(name, StackName="shop")[key])
    ]


def asked(bench):
    return [(each.logical_id, each.action) for each in bench.things.calls]


@pytest.mark.parametrize("mode", ["EXPRESS", "STANDARD"])
def test_a_creation_does_not_wait_for_stabilization(bench, calls, mode):
    stabilize(bench, "CREATE")
    bench.things.answer("CREATE", None, None, Failed("NotStabilized", "never"), logical_id="B")
    calls("CreateStack", StackName="shop", TemplateBody=TWO, DeploymentConfig={"Mode": mode, "DisableRollback": True})
    shown = stack(calls)
    assert shown["DeploymentConfig"] == {"Mode": mode, "DisableRollback": True}
    if mode == "STANDARD":
        assert (shown["StackStatus"], shown["DetailedStatus"]) == ("CREATE_FAILED", None)
        return
    assert (shown["StackStatus"], shown["DetailedStatus"]) == ("CREATE_COMPLETE", "CONFIGURATION_COMPLETE")
    assert asked(bench) == [("A", "CREATE"), ("A", "READ"), ("B", "CREATE"), ("B", "READ")]
    assert bench.resources()["B"].properties["Of"] == bench.resources()["A"].physical_id
    one = [
        ("CREATE_IN_PROGRESS", None, None),
        ("CREATE_IN_PROGRESS", None, "Resource creation Initiated"),
        ("CREATE_IN_PROGRESS", *CHECKING),
        ("CREATE_COMPLETE", None, COMPLETED),
    ]
    expected = [
        ("shop", "CREATE_IN_PROGRESS", None, "User Initiated"),
        *((name, *each) for name in "AB" for each in one),
        ("shop", "CREATE_IN_PROGRESS", *CHECKING),
        ("shop", "CREATE_COMPLETE", None, None),
    ]
    assert details(calls) == details(calls, "DescribeEvents") == expected
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "red")
    assert (stack(calls)["DetailedStatus"], stack(calls)["DeploymentConfig"]) == (None, None)


def test_what_is_not_configured_yet_is_waited_for(bench, calls):
    stabilize(bench, "CREATE")
    bench.things.answer("READ", Failed("NotFound", "not yet"), None)
    calls("CreateStack", StackName="shop", TemplateBody=ONE % "red", DeploymentConfig=EXPRESS)
    assert asked(bench) == [("A", "CREATE"), ("A", "READ"), ("A", "CREATE"), ("A", "READ")]
    assert stack(calls)["StackStatus"] == "CREATE_COMPLETE"


def test_an_update_ends_once_a_read_finds_it(bench, calls):
    bench.create(ONE % "red")
    bench.things.calls.clear()
    before = stabilize(bench, "UPDATE")
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "blue", DeploymentConfig=EXPRESS)
    assert asked(bench) == [("A", "UPDATE"), ("A", "READ")]
    assert ("A", "UPDATE_IN_PROGRESS", *CHECKING) in details(calls)
    assert ("A", "UPDATE_COMPLETE", None, COMPLETED) in details(calls)
    bench.things.inner.invoke = before
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "green", DeploymentConfig=EXPRESS)
    assert stack(calls)["DetailedStatus"] is None  # its handler was done at once


def test_a_deletion_does_not_wait(bench, calls):
    arn = bench.create(ONE % "red")
    stabilize(bench, "DELETE")
    calls("DeleteStack", StackName="shop", DeploymentConfig=EXPRESS)
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    events = calls("DescribeStackEvents", StackName=arn)["StackEvents"]
    assert [e["ResourceStatusReason"] for e in events if e["ResourceStatus"] == "DELETE_COMPLETE"] == [None, COMPLETED]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"DeploymentConfig": EXPRESS}, "CREATE_FAILED"),
        ({"DeploymentConfig": {"Mode": "EXPRESS", "DisableRollback": False}}, "ROLLBACK_COMPLETE"),
        ({"DeploymentConfig": EXPRESS, "OnFailure": "ROLLBACK"}, "ROLLBACK_COMPLETE"),
        ({"DeploymentConfig": EXPRESS, "DisableRollback": False}, "ROLLBACK_COMPLETE"),
        ({"DeploymentConfig": {"Mode": "STANDARD"}}, "ROLLBACK_COMPLETE"),
        ({"DeploymentConfig": {"DisableRollback": True}}, "CREATE_FAILED"),
        ({"DeploymentConfig": {"DisableRollback": True}, "DisableRollback": True}, "CREATE_FAILED"),
    ],
)
def test_what_becomes_of_a_failure(bench, calls, request_, status):
    bench.things.fail("CREATE")
    calls("CreateStack", StackName="shop", TemplateBody=ONE % "red", **request_)
    assert stack(calls)["StackStatus"] == status


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"DisableRollback": False}, "must be the same"),
        ({"OnFailure": "DELETE"}, "Either DisableRollback or OnFailure can be specified, not both"),
    ],
)
def test_members_that_contradict_each_other(calls, more, told):
    config = {"DisableRollback": True}
    with pytest.raises(ApiError, match=told):
        calls("CreateStack", StackName="shop", TemplateBody=ONE % "red", DeploymentConfig=config, **more)


def test_a_failure_in_express_mode_is_left_in_express_mode(bench, calls):
    bench.create(ONE % "red")
    bench.things.fail("UPDATE")
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "blue", DeploymentConfig=EXPRESS)
    assert stack(calls)["StackStatus"] == "UPDATE_FAILED"
    with pytest.raises(ApiError, match=r"must use the same DeploymentConfig \(mode=EXPRESS\)"):
        calls("UpdateStack", StackName="shop", TemplateBody=ONE % "red", DisableRollback=True)
    with pytest.raises(
        ApiError, match="RollbackStack is not supported for stacks that were last updated using EXPRESS"
    ):
        calls("RollbackStack", StackName="shop")
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "red", DeploymentConfig=EXPRESS)
    assert stack(calls)["StackStatus"] == "UPDATE_COMPLETE"


def test_a_change_set_is_executed_as_it_was_made(bench, calls):
    stabilize(bench, "CREATE")
    given = {"StackName": "shop", "ChangeSetName": "c"}
    calls("CreateChangeSet", **given, ChangeSetType="CREATE", TemplateBody=TWO, DeploymentConfig=EXPRESS)
    assert calls("DescribeChangeSet", **given)["DeploymentConfig"] == EXPRESS
    calls("ExecuteChangeSet", **given)
    assert (stack(calls)["StackStatus"], stack(calls)["DisableRollback"]) == ("CREATE_COMPLETE", True)
    assert asked(bench)[:3] == [("A", "CREATE"), ("A", "READ"), ("B", "CREATE")]


def test_a_rollback_in_express_mode(bench, calls):
    bench.things.fail("CREATE", logical_id="B")
    calls("CreateStack", StackName="shop", TemplateBody=TWO, DisableRollback=True)
    stabilize(bench, "DELETE")
    calls("RollbackStack", StackName="shop", DeploymentConfig=EXPRESS)
    assert stack(calls)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert asked(bench)[-1] == ("A", "DELETE")


def test_nested_stacks_are_deployed_in_the_mode_of_their_parent(bench, calls):
    bench.templates["https://a/child"] = ONE % "red"
    stabilize(bench, "CREATE")
    text = "Resources: {Child: {Type: 'AWS::CloudFormation::Stack', Properties: {TemplateURL: 'https://a/child'}}}"
    calls("CreateStack", StackName="shop", TemplateBody=text, DeploymentConfig=EXPRESS)
    child = bench.resources()["Child"].physical_id
    assert ("A", "CREATE_COMPLETE", COMPLETED) in bench.story(child)
    assert not any(reason == COMPLETED for _, _, reason in bench.story())
