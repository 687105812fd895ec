"""Statuses, comparisons, diffs of change sets, equivalent lines, trees of schemas."""

import pytest

from formwork.aws.scope import Scope
from formwork.console.rendering import show_duration, show_json
from formwork.console.views.changes import count_plans, show_changes
from formwork.console.views.commands import EquivalentCall, cfn_line, hyphenated
from formwork.console.views.comparison import compare_values
from formwork.console.views.schema_tree import SchemaTree
from formwork.console.views.statuses import status_kind
from formwork.stacks.statuses import ResourceStatus, StackStatus

SCOPE = Scope("123456789012", "eu-west-1")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("CREATE_IN_PROGRESS", "busy"),
        ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "busy"),
        ("UPDATE_ROLLBACK_IN_PROGRESS", "busy"),
        ("REVIEW_IN_PROGRESS", "idle"),
        ("CREATE_COMPLETE", "good"),
        ("UPDATE_ROLLBACK_COMPLETE", "undone"),
        ("ROLLBACK_COMPLETE", "bad"),
        ("ROLLBACK_FAILED", "bad"),
        ("DELETE_COMPLETE", "gone"),
        ("DELETE_FAILED", "bad"),
        ("HOOK_COMPLETE_FAILED", "bad"),
        ("DRIFTED", "bad"),
        ("IN_SYNC", "good"),
        ("NOT_CHECKED", "idle"),
        ("something else", "idle"),
    ],
)
def test_a_status_has_a_kind(status, kind):
    assert status_kind(status) == kind


def test_every_status_of_the_engine_has_a_kind_but_those_without_a_colour():
    idle = {str(each) for each in (*StackStatus, *ResourceStatus) if status_kind(each) == "idle"}
    assert idle == {"REVIEW_IN_PROGRESS"}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.0042, "4 ms"), (1.25, "1.2 s"), (61, "1 min 1 s"), (3_720, "1 h 2 min"), (90_000, "1 d 1 h")],
)
def test_durations_have_units(seconds, text):
    assert show_duration(seconds) == text


def test_json_is_indented_and_other_texts_stay():
    assert show_json('{"a":[1]}') == '{\n  "a": [\n    1\n  ]\n}'
    assert show_json("a: 1") == "a: 1"


def test_values_are_compared_leaf_by_leaf():
    found = compare_values({"A": {"B": 1, "C": [True, "x"]}, "D": None}, {"A": {"B": 2, "C": [True]}, "E": {}})
    assert [(each.path, each.left, each.right) for each in found] == [
        ("/A/B", "1", "2"),
        ("/A/C/0", "true", "true"),
        ("/A/C/1", "x", None),
        ("/D", "null", None),
        ("/E", None, "{}"),
    ]
    assert [each.path for each in found if each.differs] == ["/A/B", "/A/C/1", "/D", "/E"]


def test_values_of_different_kinds_are_compared_as_a_whole():
    (found,) = compare_values({"A": [1]}, {"A": "x"})
    assert (found.left, found.right) == ("[1]", "x")


def resource_change(**members):
    detail = {
        "Evaluation": "Static",
        "ChangeSource": "ParameterReference",
        "CausingEntity": "Size",
        "Target": {"Attribute": "Properties", "Name": "Size", "Path": "/Properties/Size", "BeforeValue": "1", "AfterValue": "2", "RequiresRecreation": "Always"},
    }  # fmt: skip
    twin = {**detail, "Evaluation": "Dynamic", "ChangeSource": "DirectModification", "CausingEntity": None}
    change = {"Action": "Modify", "LogicalResourceId": "A", "ResourceType": "A::B::C", "Details": [detail, twin]}
    return {"Type": "Resource", "ResourceChange": {**change, **members}}


def test_a_replacement_is_explained():
    (shown,) = show_changes([resource_change(Replacement="True")])
    assert "since /Properties/Size can't be changed in place" in shown.explanation
    (detail,) = shown.details
    assert (detail.before, detail.after, detail.cause) == ("1", "2", "the parameter Size")
    (shown,) = show_changes([resource_change(Replacement="Conditional")])
    assert "known only during the update" in shown.explanation
    (shown,) = show_changes([resource_change(Replacement="False")])
    assert shown.explanation is None


def test_a_removal_says_whether_the_resource_remains():
    gone, kept = show_changes(
        [resource_change(Action="Remove"), resource_change(Action="Remove", PolicyAction="Retain")]
    )
    assert (gone.explanation, kept.explanation) == (
        "It is deleted.",
        "It leaves the stack and continues to exist.",
    )


def test_an_addition_shows_its_properties():
    context = '{"Properties": {"Size": "2"}}'
    (shown,) = show_changes([resource_change(Action="Add", Details=[], AfterContext=context)])
    assert [(each.path, each.left, each.right) for each in shown.properties] == [("/Size", None, "2")]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("StackName", "stack-name"),
        ("RoleARN", "role-arn"),
        ("NotificationARNs", "notification-ar-ns"),
        ("CreateChangeSet", "create-change-set"),
    ],
)
def test_names_are_spelled_as_the_aws_cli_does(name, option):
    from botocore import xform_name

    ours = hyphenated(name)
    assert ours == xform_name(name, "-") or name == "NotificationARNs"
    assert ours in {option, "notification-arns"}


def test_a_call_has_equivalent_lines():
    members = {
        "StackName": "a b",
        "TemplateBody": "{}",
        "Capabilities": ["CAPABILITY_IAM"],
        "UsePreviousTemplate": True,
        "Parameters": [{"ParameterKey": "K", "ParameterValue": "it's"}],
    }
    call = EquivalentCall(SCOPE, "http://127.0.0.1:3001", "CreateChangeSet", members)
    lines = dict(call.lines(cfn_line("stack", "deploy", "a b", scope=SCOPE)))
    assert lines["cfn"] == "cfn stack deploy 'a b' --local --region eu-west-1"
    assert lines["AWS CLI"] == (
        "aws cloudformation create-change-set --endpoint-url http://127.0.0.1:3001 --region eu-west-1 "
        "--stack-name 'a b' --template-body file://template.yaml --capabilities CAPABILITY_IAM "
        "--use-previous-template --parameters "
        """'[{"ParameterKey":"K","ParameterValue":"it'"'"'s"}]'"""
    )
    assert "create_change_set(StackName='a b', TemplateBody=open('template.yaml').read()" in lines["boto3"]
    assert "cfn" not in dict(call.lines(None))


SCHEMA = {
    "definitions": {
        "Node": {"type": "object", "properties": {"Next": {"$ref": "#/definitions/Node"}, "Kind": {"enum": ["a", "b"]}}}
    },
    "properties": {
        "Id": {"type": "string", "description": "its name", "examples": ["x"]},
        "Tree": {"$ref": "#/definitions/Node"},
        "List": {"type": "array", "items": {"type": ["string", "null"], "maxLength": 3}},
    },
    "required": ["Id"],
    "primaryIdentifier": ["/properties/Id"],
    "createOnlyProperties": ["/properties/Tree/Kind"],
    "readOnlyProperties": ["/properties/List/*"],
}


def test_a_schema_is_a_tree():
    by_name = {each.name: each for each in SchemaTree(SCHEMA).properties}
    assert (by_name["Id"].required, by_name["Id"].traits, by_name["Id"].examples) == (True, ["identifier"], ["x"])
    inner, kind = by_name["Tree"].inside
    assert (inner.repeats, inner.inside) == (True, [])
    assert (kind.constraints, kind.types) == ([("enum", '["a", "b"]')], "any")
    assert "replaced" in kind.traits[0]
    (item,) = by_name["List"].inside
    assert (item.types, item.constraints, item.traits) == ("string or null", [("maxLength", "3")], ["read-only"])


def test_a_tree_is_bounded():
    wide = {"properties": {f"P{number}": {"type": "string"} for number in range(40)}}
    nested = {
        "definitions": {
            f"D{level}": {
                **wide,
                "properties": {**wide["properties"], "More": {"oneOf": [{"$ref": f"#/definitions/D{level + 1}"}] * 4}},
            }
            for level in range(12)
        },
        "properties": {"A": {"$ref": "#/definitions/D0"}},
    }

    def count(properties):
        return sum(1 + count(each.inside) for each in properties)

    assert count(SchemaTree(nested).properties) < 20_000


def test_plans_are_counted_and_lead_to_nested_change_sets():
    arn = "arn:aws:cloudformation:us-east-1:111111111111:changeSet/inner/2"
    nested = resource_change(
        PhysicalResourceId="arn:aws:cloudformation:us-east-1:111111111111:stack/n/1", ChangeSetId=arn
    )
    changes = [resource_change(Replacement=each) for each in ("True", "Conditional", "False")]
    shown = show_changes([*changes, resource_change(Action="Remove"), resource_change(Action="Add"), nested])
    assert count_plans(shown) == [
        ("add", 1),
        ("change", 2),
        ("may replace", 1),
        ("replace", 1),
        ("remove", 1),
    ]
    assert [each.nested_path for each in shown[-2:]] == [None, "/stacks/1/change-sets/inner"]
