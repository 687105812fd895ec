"""Nested stacks with handlers that answer at once: made, changed, put back and removed with the stack above."""

import json

import pytest

from formwork.service_types.nesting.children import child_name
from formwork.stacks.store.records import STACK_TYPE, OperationOptions
from support.engines import Bench

CHILD = """
Parameters: {Color: {Type: String}, Name: {Type: String, Default: a}}
Resources: {Thing: {Type: Acme::Web::Thing, Properties: {Color: !Ref Color, Name: !Ref Name}}}
Outputs: {Arn: {Value: !GetAtt Thing.Arn}, Color: {Value: !Ref Color}}
"""
PARENT = """
Resources:
  Child:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: s3://b/child.yaml
      Parameters: {Color: %s, Name: %s}
      Tags: [{Key: own, Value: "1"}]
  After: {Type: Acme::Web::Thing, Properties: {Of: !GetAtt Child.Outputs.Color, Color: %s}}
Outputs: {Color: {Value: !GetAtt Child.Outputs.Color}}
"""


def parent(color="red", name="a", after="white"):
    return PARENT % (color, name, after)


@pytest.fixture
def bench(database):
    made = Bench(database)
    made.templates["s3://b/child.yaml"] = CHILD
    return made


@pytest.fixture
def child(bench):
    """The ARN of the nested stack of a stack."""
    bench.create(parent(), tags={"all": "2"})
    return bench.resources()["Child"].physical_id


def told(bench, name, arn="shop"):
    return [(status, reason) for logical, status, reason in bench.story(arn) if logical == name]


def test_a_stack_in_a_stack(bench, child):
    stack, nested = bench.stack(), bench.stack(child)
    assert (stack.status, nested.status) == ("CREATE_COMPLETE", "CREATE_COMPLETE")
    assert nested.name.startswith("shop-Child-")
    assert len(nested.name.rpartition("-")[2]) == 12
    assert (nested.settings.parent_id, nested.settings.root_id) == (stack.arn, stack.arn)
    assert nested.deployed.tags == {"all": "2", "own": "1"}
    assert stack.outputs["Color"][0] == "red"
    assert bench.resources()["After"].properties["Of"] == "red"
    assert told(bench, "Child") == [
        ("CREATE_IN_PROGRESS", None),
        ("CREATE_IN_PROGRESS", "Resource creation Initiated"),
        ("CREATE_COMPLETE", None),
    ]


def test_it_goes_with_the_stack_above(bench, child):
    bench.delete("shop")
    assert bench.stack(child).status == "DELETE_COMPLETE"
    assert bench.things.stored == []


def test_a_child_that_can_t_be_made(bench):
    bench.things.fail("CREATE", logical_id="Thing")
    bench.create(parent())
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    (reason,) = (reason for status, reason in told(bench, "Child") if status == "CREATE_FAILED")
    arn = reason.split()[2]
    assert reason == (
        f"Embedded stack {arn} was not successfully created: The following resource(s) failed to create: [Thing]. "
    )
    assert [status for name, status, _ in bench.story(arn) if name == bench.stack(arn).name] == [
        "CREATE_IN_PROGRESS",
        "CREATE_FAILED",
        "DELETE_IN_PROGRESS",
        "DELETE_COMPLETE",
    ]


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("Resources: {}", "Template format error: At least one Resources member must be defined."),
        (None, "TemplateURL must reference a valid S3 object to which you have access."),
        (CHILD.replace("Acme::Web::Thing", "A::B::C"), "Template format error: Unrecognized resource types: [A::B::C]"),
        ("Resources: {T: {Type: Acme::Web::Thing}}", "Parameters: [Color, Name] do not exist in the template"),
    ],
)
def test_a_template_that_can_t_be_used(bench, template, reason):
    bench.templates.pop("s3://b/child.yaml")
    if template is not None:
        bench.templates["s3://b/child.yaml"] = template
    bench.create(parent())
    assert ("CREATE_FAILED", reason) in told(bench, "Child")


def test_the_clean_up_of_a_child_waits_for_the_stack_above(bench, child):
    bench.update(parent(name="b"))
    assert (bench.stack().status, bench.stack(child).status) == ("UPDATE_COMPLETE", "UPDATE_COMPLETE")
    assert [each["Name"] for each in bench.things.stored if "Name" in each] == ["b"]
    assert told(bench, "Child")[3:] == [
        ("UPDATE_IN_PROGRESS", None),
        ("UPDATE_COMPLETE", None),
        ("UPDATE_COMPLETE", None),
    ]
    story = bench.story()
    assert story[-3:] == [
        ("shop", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", None),
        ("Child", "UPDATE_COMPLETE", None),
        ("shop", "UPDATE_COMPLETE", None),
    ]


def test_a_child_that_stays_as_it_is_is_asked_and_not_touched(bench, child):
    before = len(bench.story(child))
    bench.update(parent())  # its template might have changed: an update is never refused
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert len(bench.story(child)) == before
    assert told(bench, "Child")[3:] == [("UPDATE_IN_PROGRESS", None), ("UPDATE_COMPLETE", None)]


def test_a_changed_template_at_the_same_url_is_taken(bench, child):
    bench.templates["s3://b/child.yaml"] = CHILD.replace("Outputs: {", "Outputs: {Extra: {Value: new}, ")
    bench.update(parent())
    assert bench.stack(child).outputs["Extra"][0] == "new"


def test_a_child_goes_back_with_the_stack_above(bench, child):
    bench.things.fail("UPDATE", logical_id="After")
    bench.update(parent(color="blue", name="b", after="black"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    nested = bench.stack(child)
    assert nested.status == "UPDATE_ROLLBACK_COMPLETE"
    assert nested.outputs["Color"][0] == "red"
    assert nested.deployed.given["Name"] == "a"
    assert [(each["Name"], each["Color"]) for each in bench.things.stored if "Name" in each] == [("a", "red")]
    assert [status for name, status, _ in bench.story(child) if name == nested.name][2:] == [
        "UPDATE_IN_PROGRESS",
        "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE",
    ]
    bench.update(parent(color="green"))
    assert bench.stack(child).outputs["Color"][0] == "green"


def test_a_child_whose_update_fails(bench, child):
    bench.things.fail("UPDATE", logical_id="Thing")
    bench.update(parent(color="blue"))
    assert (bench.stack().status, bench.stack(child).status) == ("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
    told_of = (
        f"Embedded stack {child} was not successfully updated. Currently in UPDATE_ROLLBACK_IN_PROGRESS with reason: "
        "The following resource(s) failed to update: [Thing]. "
    )
    assert ("UPDATE_FAILED", told_of) in told(bench, "Child")


def test_a_child_that_can_t_be_deleted(bench, child):
    bench.things.fail("DELETE", logical_id="Thing")
    bench.delete("shop")
    assert (bench.stack().status, bench.stack(child).status) == ("DELETE_FAILED", "DELETE_FAILED")
    told_of = (
        f"Embedded stack {child} was not successfully deleted: The following resource(s) failed to delete: [Thing]. "
    )
    assert ("DELETE_FAILED", told_of) in told(bench, "Child")
    bench.delete("shop")
    assert bench.stack(child).status == "DELETE_COMPLETE"


def test_a_child_that_the_template_no_longer_has(bench, child):
    bench.update("Resources: {After: {Type: Acme::Web::Thing}}")
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert bench.stack(child).status == "DELETE_COMPLETE"


def test_a_child_may_be_retained(bench):
    bench.create(
        parent().replace("    Properties:\n      Temp", "    DeletionPolicy: Retain\n    Properties:\n      Temp")
    )
    child = bench.resources()["Child"].physical_id
    bench.delete("shop")
    assert bench.stack(child).status == "CREATE_COMPLETE"


def test_three_stacks_deep(bench):
    bench.templates["s3://b/middle.yaml"] = parent()
    top = parent().replace("s3://b/child.yaml", "s3://b/middle.yaml").replace("{Color: red, Name: a}", "{}")
    bench.create(top)
    middle = bench.stack(bench.resources()["Child"].physical_id)
    lowest = bench.stack(bench.resources(middle.arn)["Child"].physical_id)
    assert lowest.settings.parent_id == middle.arn
    assert lowest.settings.root_id == bench.stack().arn
    bench.templates["s3://b/middle.yaml"] = parent(name="b")
    bench.things.fail("UPDATE", logical_id="After")
    bench.update(top.replace("white", "black"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert {bench.stack(each.arn).status for each in (middle, lowest)} == {"UPDATE_ROLLBACK_COMPLETE"}
    bench.update(top)
    assert {bench.stack(each.arn).status for each in (middle, lowest)} == {"UPDATE_COMPLETE"}
    assert sorted(each["Name"] for each in bench.things.stored if "Name" in each) == ["b"]
    bench.delete("shop")
    assert bench.things.stored == []


def test_names():
    name = child_name("shop", "Child", "t")
    assert name == child_name("shop", "Child", "t")
    assert name != child_name("shop", "Child", "u")
    assert len(child_name("s" * 128, "C" * 200, "t")) == 128


def test_a_child_that_failed_is_kept_where_failures_are(bench):
    bench.things.fail("CREATE", logical_id="Thing")
    bench.create(parent(), options=OperationOptions(keep_on_failure=True))
    child = bench.resources()["Child"].physical_id
    assert (bench.stack().status, bench.stack(child).status) == ("CREATE_FAILED", "CREATE_FAILED")
    bench.update(parent(), options=OperationOptions(keep_on_failure=True))  # what failed is made anew
    child = bench.resources()["Child"].physical_id
    assert (bench.stack().status, bench.stack(child).status) == ("UPDATE_COMPLETE", "CREATE_COMPLETE")
    assert len(bench.things.stored) == 2


def many(count):
    return {"Resources": {f"T{i}": {"Type": "Acme::Web::Thing", "Properties": {"Name": f"t{i}"}} for i in range(count)}}


def around(*names, after=()):
    """A stack with nested stacks of the templates at these URLs, one after another."""
    resources = {}
    for name in names:
        more = {"DependsOn": list(resources)[-1:]} if resources else {}
        resources[name] = {"Type": STACK_TYPE, "Properties": {"TemplateURL": f"s3://b/{name}"}, **more}
    return json.dumps({"Resources": {**resources, **{each: {"Type": "Acme::Web::Thing"} for each in after}}})


@pytest.fixture
def few(monkeypatch, bench):
    """Five resources are all that nested stacks may deal with in an operation."""
    monkeypatch.setattr("formwork.service_types.nesting.bounds.MAX_NESTED_RESOURCES", 5)
    for name, count in (("Two", 2), ("Three", 3), ("Six", 6)):
        bench.templates[f"s3://b/{name}"] = json.dumps(many(count))
    unmade = {**many(3)["Resources"], "No": {"Type": "Acme::Web::Thing", "Condition": "Never"}}
    bench.templates["s3://b/Unmade"] = json.dumps(
        {"Conditions": {"Never": {"Fn::Equals": ["a", "b"]}}, "Resources": unmade}
    )


TOO_MANY = "Nested stacks may create, update or delete 5 resources in one operation at most"


@pytest.mark.usefixtures("few")
def test_what_nested_stacks_make_is_counted_over_the_whole_operation(bench):
    bench.create(around("Two", "Unmade", after=("Own",)))
    assert bench.stack().status == "CREATE_COMPLETE"  # what no condition asks for, and the stack's own, counts for none
    bench.create(around("Two", "Three", "Six"), name="more")
    assert bench.stack("more").status == "ROLLBACK_COMPLETE"
    assert told(bench, "Six", "more")[-1] == ("CREATE_FAILED", TOO_MANY)
    assert "DELETE_COMPLETE" in [status for status, _ in told(bench, "Three", "more")]
    assert len(bench.things.stored) == 6


@pytest.mark.usefixtures("few")
def test_stacks_in_nested_stacks_count_for_the_same_operation(bench):
    bench.templates["s3://b/Inner"] = around("Three")
    bench.create(around("Two", "Inner"))  # 2 + 1 + 3
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert bench.things.stored == []
    (reason,) = (reason for status, reason in told(bench, "Inner") if status == "CREATE_FAILED")
    assert told(bench, "Three", reason.split()[2])[-1] == ("CREATE_FAILED", TOO_MANY)


@pytest.mark.usefixtures("few")
def test_each_operation_counts_anew_and_what_changes_alone(bench):
    bench.create(around("Two", "Three"))
    bench.templates["s3://b/Two"] = json.dumps(many(4))
    bench.update(around("Two", "Three", after=("Own",)))  # two more things
    assert bench.stack().status == "UPDATE_COMPLETE"
    bench.templates["s3://b/Two"] = json.dumps(many(10))
    bench.update(around("Two", "Three"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert ("UPDATE_FAILED", TOO_MANY) in told(bench, "Two")
    assert len(bench.things.stored) == 8


@pytest.mark.usefixtures("few")
def test_a_deletion_that_is_too_large_goes_on_when_it_is_asked_for_again(bench):
    bench.create(around("Two", "Three"))
    bench.templates["s3://b/Again"] = json.dumps(many(3))
    bench.update(around("Two", "Three", "Again"))
    arn = bench.stack().arn
    bench.delete("shop")  # 3, 3 and 2
    assert bench.stack().status == "DELETE_FAILED"
    assert ("DELETE_FAILED", TOO_MANY) in told(bench, "Three")
    bench.delete("shop")
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    assert bench.things.stored == []
