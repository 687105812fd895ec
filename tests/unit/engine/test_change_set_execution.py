"""What becomes of a change set: executed, failed, or overtaken by another operation on its stack."""

import pytest

from formwork.api.wire.errors import ApiError
from support.stack_calls import StackCalls

ONE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"


@pytest.fixture
def calls(bench):
    return StackCalls(bench)


def change_set(calls, template, name="c", kind="UPDATE", **more):
    calls("CreateChangeSet", StackName="shop", ChangeSetName=name, ChangeSetType=kind, TemplateBody=template, **more)


def execution_status(calls, name="c"):
    return calls("DescribeChangeSet", StackName="shop", ChangeSetName=name)["ExecutionStatus"]


def test_a_stack_in_review_is_created_and_its_change_sets_are_obsolete(bench, calls):
    change_set(calls, ONE % "red", kind="CREATE")
    reviewed = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    tags = [{"Key": "a", "Value": "b"}]
    created = calls("CreateStack", StackName="shop", TemplateBody=ONE % "blue", Tags=tags)
    assert created["StackId"] == reviewed["StackId"]
    shown = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    assert (shown["StackStatus"], shown["Tags"]) == ("CREATE_COMPLETE", tags)
    assert bench.resources()["A"].properties == {"Color": "blue"}
    assert execution_status(calls) == "OBSOLETE"
    with pytest.raises(ApiError, match=r"cannot be executed in its current execution status of \[OBSOLETE\]"):
        calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")


def test_an_update_makes_change_sets_obsolete(bench, calls):
    bench.create(ONE % "red")
    change_set(calls, ONE % "blue")
    bench.update(ONE % "green")
    assert execution_status(calls) == "OBSOLETE"
    (listed,) = calls("ListChangeSets", StackName="shop")["Summaries"]
    assert listed["ExecutionStatus"] == "OBSOLETE"


def test_the_execution_status_follows_the_operation(bench, calls):
    bench.create(ONE % "red")
    seen = []
    invoke = bench.things.inner.invoke

    def watched(call):
        seen.append(execution_status(calls))
        if len(seen) == 1:
            with pytest.raises(ApiError, match="cannot be deleted in its current execution status"):
                calls("DeleteChangeSet", StackName="shop", ChangeSetName="c")
        return invoke(call)

    bench.things.inner.invoke = watched
    change_set(calls, ONE % "blue")
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")
    assert (set(seen), execution_status(calls)) == ({"EXECUTE_IN_PROGRESS"}, "EXECUTE_COMPLETE")


@pytest.mark.parametrize("keep", [False, True])
def test_the_execution_of_a_change_set_fails_with_its_operation(bench, calls, keep):
    bench.create(ONE % "red")
    change_set(calls, ONE % "blue")
    bench.things.fail("UPDATE")
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c", DisableRollback=keep)
    assert execution_status(calls) == "EXECUTE_FAILED"
    change_set(calls, ONE % "green")  # its name is free again
    assert execution_status(calls) == "AVAILABLE"


def test_a_creation_that_is_rolled_back_has_failed(bench, calls):
    change_set(calls, ONE % "red", kind="CREATE")
    bench.things.fail("CREATE")
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")
    assert (bench.stack().status, execution_status(calls)) == ("ROLLBACK_COMPLETE", "EXECUTE_FAILED")


def test_what_changes_settings_alone_is_an_update(bench, calls):
    bench.create(ONE % "red")
    rollback = {"MonitoringTimeInMinutes": 1}
    with pytest.raises(ApiError, match="No updates are to be performed"):
        calls("UpdateStack", StackName="shop", TemplateBody=ONE % "red")
    change_set(calls, ONE % "red", RollbackConfiguration=rollback)
    assert execution_status(calls) == "AVAILABLE"
    calls("UpdateStack", StackName="shop", TemplateBody=ONE % "red", RollbackConfiguration=rollback)
    shown = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    assert (shown["StackStatus"], shown["RollbackConfiguration"]) == ("UPDATE_COMPLETE", rollback)
    arns = ["arn:aws:sns:eu-west-1:111122223333:topic"]
    calls("UpdateStack", StackName="shop", UsePreviousTemplate=True, NotificationARNs=arns)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["NotificationARNs"] == arns
    assert {each.status for each in bench.resources().values()} == {"CREATE_COMPLETE"}


def test_a_template_with_macros_is_always_an_update(bench, calls):
    text = f"Transform: AWS::LanguageExtensions\n{ONE % 'red'}"
    bench.create(text, capabilities=("CAPABILITY_AUTO_EXPAND",))
    calls("UpdateStack", StackName="shop", TemplateBody=text, Capabilities=["CAPABILITY_AUTO_EXPAND"])
    assert bench.stack().status == "UPDATE_COMPLETE"


def test_what_an_operation_deploys_is_shown_while_it_runs(bench, calls):
    text = "Description: %s\nParameters: {Color: {Type: String}}\n" + ONE % "!Ref Color"
    seen = []
    invoke = bench.things.inner.invoke

    def watched(call):
        stack = calls("DescribeStacks", StackName="shop")["Stacks"][0]
        body = calls("GetTemplate", StackName="shop")["TemplateBody"]
        told = stack["Description"], stack["Parameters"][0]["ParameterValue"], stack["Tags"][0]["Value"]
        if call.action in {"CREATE", "UPDATE"}:
            seen.append((stack["StackStatus"], *told, body == text % stack["Description"]))
        return invoke(call)

    bench.things.inner.invoke = watched
    bench.create(text % "one", parameters={"Color": "red"}, tags={"team": "a"})
    bench.update(text % "two", parameters={"Color": "blue"}, tags={"team": "b"})
    assert seen == [
        ("CREATE_IN_PROGRESS", "one", "red", "a", True),
        ("UPDATE_IN_PROGRESS", "two", "blue", "b", True),
    ]


def test_a_rolled_back_creation_shows_what_it_deployed(bench, calls):
    bench.things.fail("CREATE")
    bench.create("Description: one\n" + ONE % "red")
    stack = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    assert (stack["StackStatus"], stack["Description"]) == ("ROLLBACK_COMPLETE", "one")


def test_a_resource_that_is_missing_names_the_stack_as_the_request_does(bench, calls):
    arn = bench.create(ONE % "red")
    for name in ("shop", arn):
        with pytest.raises(ApiError) as refused:
            calls("DescribeStackResource", StackName=name, LogicalResourceId="B")
        assert refused.value.message == f"Resource B does not exist for stack {name}"


def test_a_summary_has_the_version_of_the_template_language(calls):
    assert calls("GetTemplateSummary", TemplateBody=ONE % "red")["Version"] == "2010-09-09"
