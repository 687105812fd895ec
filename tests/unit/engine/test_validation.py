"""Pre-deployment validation, and what a schema forbids of resources that are deployed without it."""

import json

import pytest

from formwork.provisioning.simulated import SimulatedProvisioner
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, Resolving, thing_schema
from support.stack_calls import StackCalls

SOUND = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red}}}"
WRONG = """
Parameters: {Colour: {Type: String, NoEcho: true, Default: crimson}}
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: [!Ref Colour], Of: !GetAtt B.Arn}}
  B: {Type: Acme::Web::Thing, Properties: {Size: !Ref Colour, Colour: red}}
"""
LATE = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  B: {Type: Acme::Web::Thing, Properties: {Size: !GetAtt A.Arn}}
"""
BUCKET = "Resources: {B: {Type: AWS::S3::Bucket, Properties: {BucketName: %s}}}"
FAILED = (
    "Validation failed with %d error(s). Call DescribeEvents to retrieve the full list of issues with resource and "
    "property details, resolve each error, then retry the operation."
)
DETECTED = "Validation failure detected. See the operation's FAILED event for details."


@pytest.fixture
def calls(bench):
    return StackCalls(bench)


def told(calls, **which):
    """What validation has found, the oldest first."""
    found = calls("DescribeEvents", **which, Filters={"FailedEvents": True})["OperationEvents"]
    return sorted(
        (each["LogicalResourceId"], each["ValidationName"], each["ValidationStatusReason"], each["ValidationPath"])
        for each in found
        if each["EventType"] == "VALIDATION_ERROR"
    )


def shown(calls):
    """The events of a stack, the oldest first."""
    events = calls("DescribeStackEvents", StackName="shop")["StackEvents"]
    return [
        (each["LogicalResourceId"], each["ResourceStatus"], each["ResourceStatusReason"]) for each in reversed(events)
    ]


PROBLEMS = [
    (
        "A",
        "PROPERTY_VALIDATION",
        "Property validation failure: [Value of property {/Color} does not match type {String}]",
        "/Resources/A/Properties/Color",
    ),
    (
        "B",
        "PROPERTY_VALIDATION",
        "Property validation failure: [Value of property {/Size} does not match type {Integer}]",
        "/Resources/B/Properties/Size",
    ),
    ("B", "PROPERTY_VALIDATION", "Unsupported property [Colour]", "/Resources/B/Properties"),
]


def test_a_creation_ends_before_a_resource_is_touched(bench, calls):
    calls("CreateStack", StackName="shop", TemplateBody=WRONG)
    assert shown(calls) == [
        ("shop", "CREATE_IN_PROGRESS", "User Initiated"),
        ("shop", "CREATE_FAILED", FAILED % 3),
        ("shop", "ROLLBACK_IN_PROGRESS", DETECTED),
        ("shop", "ROLLBACK_COMPLETE", None),
    ]
    assert bench.things.calls == []
    assert told(calls, StackName="shop") == PROBLEMS
    assert "crimson" not in json.dumps(told(calls, StackName="shop"))
    events = calls("DescribeEvents", StackName="shop")["OperationEvents"]
    (failed,) = [each for each in events if each["DetailedStatus"] == "VALIDATION_FAILED"]
    assert (failed["EventType"], failed["ResourceStatus"]) == ("PROVISIONING_ERROR", "CREATE_FAILED")
    (problem,) = [each for each in events if each.get("ValidationPath") == "/Resources/B/Properties"]
    assert (problem["ResourceStatus"], problem["ResourceStatusReason"], problem["PhysicalResourceId"]) == (
        None,
        None,
        "",
    )
    assert (problem["ValidationFailureMode"], problem["ValidationStatus"]) == ("FAIL", "FAILED")


def test_a_creation_that_keeps_what_failed(calls):
    calls("CreateStack", StackName="shop", TemplateBody=WRONG, DisableRollback=True)
    stack = calls("DescribeStacks", StackName="shop")["Stacks"][0]
    assert (stack["StackStatus"], stack["StackStatusReason"]) == ("CREATE_FAILED", FAILED % 3)
    assert len(told(calls, StackName="shop")) == 3


def test_an_update_ends_as_it_was(bench, calls):
    calls("CreateStack", StackName="shop", TemplateBody=SOUND)
    before = len(bench.things.calls)
    calls("UpdateStack", StackName="shop", TemplateBody=WRONG)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert ("shop", "UPDATE_FAILED", FAILED % 3) in shown(calls)
    assert ("shop", "UPDATE_ROLLBACK_IN_PROGRESS", DETECTED) in shown(calls)
    assert len(bench.things.calls) == before
    assert told(calls, StackName="shop") == PROBLEMS


def test_what_stays_the_same_is_not_looked_at(bench, calls):
    """A resource of before may be what the schema of now forbids."""
    calls("CreateStack", StackName="shop", TemplateBody=SOUND)
    bench.things.schema = bench.things.inner.schema = thing_schema(required=["Name"])
    both = SOUND.replace("}}}", "}}, B: {Type: Acme::Web::Thing, Properties: {Name: b}}}")
    calls("UpdateStack", StackName="shop", TemplateBody=both)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "UPDATE_COMPLETE"


def test_a_change_set_fails(bench, calls):
    made = calls("CreateChangeSet", StackName="shop", ChangeSetName="one", ChangeSetType="CREATE", TemplateBody=WRONG)
    found = calls("DescribeChangeSet", ChangeSetName=made["Id"])
    assert (found["Status"], found["ExecutionStatus"]) == ("FAILED", "UNAVAILABLE")
    assert found["StatusReason"] == (
        "The following hook(s)/validation failed: [AWS::EarlyValidation::PropertyValidation]. To troubleshoot Early "
        "Validation errors, use the DescribeEvents API for detailed failure information."
    )
    assert [each["ResourceChange"]["LogicalResourceId"] for each in found["Changes"]] == ["A", "B"]
    assert told(calls, ChangeSetName=made["Id"]) == PROBLEMS
    with pytest.raises(Exception, match="cannot be executed"):
        calls("ExecuteChangeSet", ChangeSetName=made["Id"])
    assert bench.things.calls == []


def test_without_validation_the_resource_fails(calls):
    calls("CreateStack", StackName="shop", TemplateBody=WRONG, DisableValidation=True, DisableRollback=True)
    assert told(calls, StackName="shop") == []
    (event,) = [each for each in shown(calls) if each[:2] == ("B", "CREATE_FAILED")]
    assert event[2].splitlines() == [
        "Properties validation failed for resource B with message:",
        "#/Size: expected type: Integer, found: String",
        "#: extraneous key [Colour] is not permitted",
    ]
    made = calls(
        "CreateChangeSet",
        StackName="other",
        ChangeSetName="one",
        ChangeSetType="CREATE",
        TemplateBody=WRONG,
        DisableValidation=True,
    )
    assert calls("DescribeChangeSet", ChangeSetName=made["Id"])["Status"] == "CREATE_COMPLETE"
    calls("ExecuteChangeSet", ChangeSetName=made["Id"])
    assert calls("DescribeStacks", StackName="other")["Stacks"][0]["StackStatus"] == "ROLLBACK_COMPLETE"


def test_values_that_are_known_late_are_judged_when_they_are(bench, calls):
    calls("CreateStack", StackName="shop", TemplateBody=LATE)
    assert told(calls, StackName="shop") == []
    (event,) = [each for each in shown(calls) if each[:2] == ("B", "CREATE_FAILED")]
    assert "#/Size: expected type: Integer, found: String" in event[2]
    assert [each.logical_id for each in bench.things.calls if each.action == "CREATE"] == ["A"]


def test_an_update_that_the_schema_forbids_goes_back(bench, calls):
    calls("CreateStack", StackName="shop", TemplateBody=SOUND)
    calls("UpdateStack", StackName="shop", TemplateBody=SOUND.replace("red", "[red]"), DisableValidation=True)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert bench.things.stored[0]["Color"] == "red"
    assert not [each for each in bench.things.calls if each.desired and each.desired.get("Color") == ["red"]]


def test_secrets_are_in_no_reason(database):
    schema = thing_schema()
    bench = Bench(database, schema, references=Resolving(lambda _scope, value: resolved(value)))
    template = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Size: '{{resolve:secretsmanager:s}}'}}}"
    calls = StackCalls(bench)
    calls("CreateStack", StackName="shop", TemplateBody=template)
    text = json.dumps(shown(calls))
    assert "#/Size: expected type: Integer" in text
    assert "hunter22" not in text


def resolved(value):
    return json.loads(json.dumps(value).replace("{{resolve:secretsmanager:s}}", "hunter22"))


def test_names_that_are_taken(database):
    value = {
        "properties": {
            **{name: {"type": "string"} for name in ("BucketName", "Arn", "Secret")},
            "Size": {"type": "integer"},
        },
        "primaryIdentifier": ["/properties/BucketName"],
        "readOnlyProperties": ["/properties/Arn"],
        "createOnlyProperties": ["/properties/BucketName"],
    }
    schema = thing_schema("AWS::S3::Bucket", **value)
    bench = Bench(database, schema)
    bench.table.by_name["AWS::S3::Bucket"] = SimulatedProvisioner(schema, database, HERE)
    calls = StackCalls(bench)
    calls("CreateStack", StackName="first", TemplateBody=BUCKET % "taken")
    taken = (
        "B",
        "NAME_CONFLICT_VALIDATION",
        "Resource of type 'AWS::S3::Bucket' with identifier 'taken' already exists.",
        "/Resources/B",
    )
    calls("CreateStack", StackName="shop", TemplateBody=BUCKET % "taken")
    assert told(calls, StackName="shop") == [taken]
    calls("DeleteStack", StackName="shop")
    made = calls(
        "CreateChangeSet", StackName="shop", ChangeSetName="one", ChangeSetType="CREATE", TemplateBody=BUCKET % "taken"
    )
    found = calls("DescribeChangeSet", ChangeSetName=made["Id"])
    assert "[AWS::EarlyValidation::ResourceExistenceCheck]" in found["StatusReason"]
    assert told(calls, ChangeSetName=made["Id"]) == [taken]
    calls("CreateStack", StackName="shop", TemplateBody=BUCKET % "free")
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"


def test_what_a_simulated_resource_gives_is_not_held_against_others(database):
    pool, client = thing_schema("AWS::Web::Pool"), thing_schema("AWS::Web::Client", properties=CLIENT)
    bench = Bench(database, pool, client)
    bench.table.by_name = {each.type_name: SimulatedProvisioner(each, database, HERE) for each in (pool, client)}
    calls = StackCalls(bench)
    pool = "Resources: {Pool: {Type: AWS::Web::Pool}"
    calls("CreateStack", StackName="shop", TemplateBody=pool + "}")
    refers = pool + ", Client: {Type: AWS::Web::Client, Properties: {Of: !Ref Pool}}}"
    calls("UpdateStack", StackName="shop", TemplateBody=refers)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "UPDATE_COMPLETE"
    says = pool + ", Client: {Type: AWS::Web::Client, Properties: {Of: pool}}}"
    calls("CreateStack", StackName="other", TemplateBody=says, DisableValidation=True)
    assert calls("DescribeStacks", StackName="other")["Stacks"][0]["StackStatus"] == "ROLLBACK_COMPLETE"


CLIENT = {
    **{name: {"type": "string"} for name in ("Arn", "Name", "Secret")},
    "Id": {"type": "string", "pattern": "^thing-[0-9a-f]{8}$"},
    "Size": {"type": "integer"},
    "Of": {"type": "string", "pattern": "^pool_[0-9]+$"},
}


@pytest.mark.parametrize("missing", ["create", "read", "delete"])
def test_types_that_nothing_provisions_are_refused(database, missing):
    handlers = {each: {"permissions": []} for each in ("create", "read", "update", "delete") if each != missing}
    bench = Bench(database, thing_schema(handlers=handlers))
    with pytest.raises(StackError) as error:
        bench.create(SOUND)
    assert error.value.message == (
        "Template format error: Unrecognized resource types: [Acme::Web::Thing]; Acme::Web::Thing is NON_PROVISIONABLE: "
        f"its schema declares no handler for {missing}"
    )


PARENT = "Resources: {Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: 's3://b/child.yaml'}}}"


@pytest.mark.parametrize("disabled", [False, True])
def test_nested_stacks_are_validated_as_their_parent_is(bench, calls, disabled):
    bench.templates["s3://b/child.yaml"] = WRONG
    calls("CreateStack", StackName="shop", TemplateBody=PARENT, DisableValidation=disabled)
    assert calls("DescribeStacks", StackName="shop")["Stacks"][0]["StackStatus"] == "ROLLBACK_COMPLETE"
    (failed,) = [each for each in shown(calls) if each[:2] == ("Child", "CREATE_FAILED")]
    assert (FAILED % 3 in failed[2]) is not disabled
    assert (told(calls, StackName=failed[2].split()[2]) == PROBLEMS) is not disabled


def test_change_sets_of_nested_stacks_are_validated(bench, calls):
    bench.templates["s3://b/child.yaml"] = WRONG
    made = calls(
        "CreateChangeSet",
        StackName="shop",
        ChangeSetName="one",
        ChangeSetType="CREATE",
        TemplateBody=PARENT,
        IncludeNestedStacks=True,
    )
    found = calls("DescribeChangeSet", ChangeSetName=made["Id"])
    assert found["Status"] == "FAILED"
    assert "was not successfully created: Currently in FAILED." in found["StatusReason"]
    (child,) = [each["ResourceChange"]["ChangeSetId"] for each in found["Changes"]]
    assert told(calls, ChangeSetName=child) == PROBLEMS
