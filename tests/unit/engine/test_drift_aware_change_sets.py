"""Drift-aware change sets: what was deployed, what is there and what the template says, compared and reverted."""

import pytest

from formwork.api.wire.errors import ApiError
from formwork.provisioning.outcomes import Failed
from support.stack_calls import StackCalls

ONE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s, Secret: hush}}}"
TWO = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  B: {Type: Acme::Web::Thing, Properties: {Of: !Ref A}}
"""


@pytest.fixture
def calls(bench):
    return StackCalls(bench)


def model(bench, logical_id="A"):
    identifier = bench.resources()[logical_id].physical_id
    return next(each for each in bench.things.stored if each["Id"] == identifier)


def delete_outside(bench, logical_id="A"):
    resources = bench.things.inner._simulator.store.resources
    (key,) = [key for key, each in resources.items() if each.model["Id"] == bench.resources()[logical_id].physical_id]
    del resources[key]


def change_set(calls, template, **more):
    calls(
        "CreateChangeSet",
        StackName="shop",
        ChangeSetName="c",
        TemplateBody=template,
        DeploymentMode="REVERT_DRIFT",
        **more,
    )
    return calls("DescribeChangeSet", StackName="shop", ChangeSetName="c", IncludePropertyValues=True)


def execute(calls):
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")
    return calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"]


def changes(shown):
    return {each["ResourceChange"]["LogicalResourceId"]: each["ResourceChange"] for each in shown["Changes"]}


def drift_status(calls, logical_id="A"):
    found = calls("DescribeStackResourceDrifts", StackName="shop")["StackResourceDrifts"]
    return next((e["StackResourceDriftStatus"] for e in found if e["LogicalResourceId"] == logical_id), None)


def test_the_comparison_has_three_sides(bench, calls):
    bench.create(ONE % "red")
    model(bench)["Color"] = "green"
    shown = change_set(calls, ONE % "blue")
    assert (shown["DeploymentMode"], shown["StackDriftStatus"]) == ("REVERT_DRIFT", "DRIFTED")
    change = changes(shown)["A"]
    assert (change["Action"], change["Replacement"], change["ResourceDriftStatus"]) == ("Modify", "False", "MODIFIED")
    assert change["ResourceDriftIgnoredAttributes"] == [{"Path": "/Properties/Secret", "Reason": "WRITE_ONLY_PROPERTY"}]
    contexts = [change[each] for each in ("PreviousDeploymentContext", "BeforeContext", "AfterContext")]
    assert ["red" in contexts[0], "green" in contexts[1], "blue" in contexts[2]] == [True, True, True]
    (detail,) = change["Details"]
    assert detail["ChangeSource"] == "DirectModification"
    target = detail["Target"]
    timestamp = target["Drift"].pop("DriftDetectionTimestamp")
    assert timestamp is not None
    assert target == {
        "Attribute": "Properties",
        "Name": "Color",
        "RequiresRecreation": "Never",
        "Path": "/Properties/Color",
        "BeforeValue": "green",
        "AfterValue": "blue",
        "AttributeChangeType": "Modify",
        "BeforeValueFrom": "ACTUAL_STATE",
        "AfterValueFrom": "TEMPLATE",
        "Drift": {"PreviousValue": "red", "ActualValue": "green"},
    }
    assert execute(calls) == "UPDATE_COMPLETE"
    assert model(bench)["Color"] == "blue"


def test_drift_is_reverted_where_the_template_has_not_changed(bench, calls):
    bench.create(TWO)
    model(bench)["Color"] = "green"
    shown = change_set(calls, TWO)
    assert set(changes(shown)) == {"A"}
    bench.things.calls.clear()
    assert execute(calls) == "UPDATE_COMPLETE"
    (update,) = [each for each in bench.things.calls if each.action == "UPDATE"]
    assert (update.previous["Color"], update.desired["Color"]) == ("green", "red")
    assert model(bench)["Color"] == "red"
    assert drift_status(calls) == "IN_SYNC"
    stack = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    assert stack["DriftInformation"]["StackDriftStatus"] == "IN_SYNC"


def test_an_ordinary_change_set_leaves_drift_alone(bench, calls):
    bench.create(TWO)
    model(bench)["Color"] = "green"
    calls("CreateChangeSet", StackName="shop", ChangeSetName="c", TemplateBody=TWO)
    shown = calls("DescribeChangeSet", StackName="shop", ChangeSetName="c")
    assert (shown["Status"], shown["DeploymentMode"], shown["StackDriftStatus"]) == ("FAILED", None, None)


def test_nothing_has_drifted_and_nothing_changes(bench, calls):
    bench.create(TWO)
    shown = change_set(calls, TWO)
    assert (shown["Status"], shown["StackDriftStatus"]) == ("FAILED", "IN_SYNC")
    assert shown["StatusReason"].startswith("The submitted information didn't contain changes.")


def test_a_template_that_follows_the_actual_state_touches_nothing(bench, calls):
    bench.create(ONE % "red")
    model(bench)["Color"] = "green"
    change = changes(change_set(calls, ONE % "green"))["A"]
    assert (change["Action"], change["Replacement"]) == ("SyncWithActual", None)
    (detail,) = change["Details"]
    assert (detail["ChangeSource"], detail["Target"]["AttributeChangeType"]) == ("NoModification", "SyncWithActual")
    assert (detail["Target"]["BeforeValue"], detail["Target"]["AfterValue"]) == ("green", "green")
    bench.things.calls.clear()
    assert execute(calls) == "UPDATE_COMPLETE"
    assert bench.things.calls == []
    assert bench.resources()["A"].properties["Color"] == "green"
    assert drift_status(calls) == "IN_SYNC"


def test_what_was_deleted_is_made_again(bench, calls):
    bench.create(TWO)
    before = bench.resources()["A"].physical_id
    delete_outside(bench)
    found = changes(change_set(calls, TWO))
    assert (found["A"]["Action"], found["A"]["ResourceDriftStatus"]) == ("Add", "DELETED")
    assert (found["B"]["Action"], found["B"]["Details"][0]["CausingEntity"]) == ("Modify", None)
    assert found["B"]["ResourceDriftStatus"] == "IN_SYNC"
    assert execute(calls) == "UPDATE_COMPLETE"
    resources = bench.resources()
    assert resources["A"].physical_id != before
    assert (model(bench)["Color"], model(bench, "B")["Of"]) == ("red", resources["A"].physical_id)
    assert len(bench.things.stored) == 2
    events = calls("DescribeStackEvents", StackName="shop")["StackEvents"]
    assert [e["ResourceStatus"] for e in events if e["LogicalResourceId"] == "A"][:2] == [
        "CREATE_COMPLETE",
        "CREATE_IN_PROGRESS",
    ]


def test_a_failure_goes_back_to_the_actual_state(bench, calls):
    bench.create(TWO)
    model(bench)["Color"] = "green"
    bench.things.fail("UPDATE", logical_id="B")
    change_set(calls, TWO.replace("Of: !Ref A", "Of: !Ref A, Color: blue"))
    assert execute(calls) == "UPDATE_ROLLBACK_COMPLETE"
    assert model(bench)["Color"] == "green"
    assert bench.resources()["A"].properties["Color"] == "red"
    assert drift_status(calls) == "MODIFIED"


def test_a_failure_leaves_deleted_resources_deleted(bench, calls):
    bench.create(TWO)
    before = bench.resources()["A"].physical_id
    delete_outside(bench)
    bench.things.fail("UPDATE", logical_id="B")
    change_set(calls, TWO)
    assert execute(calls) == "UPDATE_ROLLBACK_COMPLETE"
    assert bench.resources()["A"].physical_id == before
    assert before not in {each["Id"] for each in bench.things.stored}
    assert len(bench.things.stored) == 1
    assert drift_status(calls) == "DELETED"


def test_write_only_properties_are_compared_with_the_previous_deployment(bench, calls):
    bench.create(ONE % "red")
    model(bench)["Color"] = "green"
    change = changes(change_set(calls, (ONE % "red").replace("hush", "hist")))["A"]
    targets = {each["Target"]["Name"]: each["Target"] for each in change["Details"]}
    assert targets["Color"]["BeforeValueFrom"] == "ACTUAL_STATE"
    assert (targets["Secret"]["BeforeValueFrom"], targets["Secret"]["Drift"]) == ("PREVIOUS_DEPLOYMENT_STATE", None)


def test_immutable_properties_are_not_reconciled(bench, calls):
    bench.create("Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: n, Color: red}}}")
    model(bench)["Name"] = "other"
    shown = change_set(calls, "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: n, Color: red}}}")
    assert (shown["Status"], shown["StackDriftStatus"]) == ("FAILED", "DRIFTED")


def test_what_cannot_be_read_falls_back_to_the_previous_deployment(bench, calls):
    bench.create(ONE % "red")
    bench.things.answer("READ", Failed("AccessDenied", "not allowed"))
    shown = change_set(calls, ONE % "blue")
    change = changes(shown)["A"]
    assert (shown["StackDriftStatus"], change["ResourceDriftStatus"]) == ("UNKNOWN", "UNKNOWN")
    assert change["Details"][0]["Target"]["BeforeValueFrom"] == "PREVIOUS_DEPLOYMENT_STATE"


def test_a_new_stack_has_nothing_that_drifted(calls):
    shown = change_set(calls, ONE % "red", ChangeSetType="CREATE")
    assert (shown["Status"], shown["StackDriftStatus"]) == ("CREATE_COMPLETE", "IN_SYNC")
    assert execute(calls) == "CREATE_COMPLETE"


def test_imports_know_no_mode(bench, calls):
    bench.create(ONE % "red")
    with pytest.raises(ApiError, match="DeploymentMode is not supported for change sets of type IMPORT"):
        change_set(calls, ONE % "red", ChangeSetType="IMPORT")
