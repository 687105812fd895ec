"""Change sets as the service recorded them: ours name the same changes, with and without property values."""

import json
from pathlib import Path

import pytest
import yaml
from bench.corpora import provider_schemas

from formwork.documents import parse_document
from formwork.engine.changes import StackSide, TypeTraits, compute_changes
from formwork.engine.changes.differences import texts
from formwork.schema import load_resource_schema
from formwork.template import read_template
from formwork.template.evaluation import Environment, replace_unknown
from support.corpus import FIXTURES, needs_fixtures
from support.stacks import deploy

CASES = yaml.safe_load((Path(__file__).parent / "recorded_updates.yaml").read_text(encoding="utf-8"))
RECORDINGS = FIXTURES / "aws-recorded" / "snapshots"
PSEUDO = {
    "AWS::AccountId": "111111111111",
    "AWS::Partition": "aws",
    "AWS::Region": "<region>",
    "AWS::StackName": "<stack-name:1>",
    "AWS::StackId": "arn:<partition>:cloudformation:<region>:111111111111:stack/<stack-name:1>/<resource:2>",
    "AWS::URLSuffix": "url_suffix",  # as the recording's normalisation has it
}


def side(template, given):
    found = read_template(parse_document(json.dumps(template), name="template.json"))
    assert found.template is not None, found.diagnostics
    values = {name: given.get(name, each.default) for name, each in found.template.parameters.items()}
    return StackSide(found.template, Environment(values, PSEUDO), given=values)


def topic_arn(logical_id, properties):
    """Physical ids as SNS gives them; only topics are referred to."""
    del logical_id
    return f"arn:<partition>:sns:<region>:111111111111:{properties.get('TopicName', '')}"


def traits(type_name):
    schema = load_resource_schema(
        parse_document(next(text for name, text in provider_schemas() if name == type_name), name=type_name)
    ).schema
    return TypeTraits(schema.create_only, schema.conditional_create_only, updatable="update" in schema.handlers)


def shape(change):
    """A change of ours in the recording's form, without what depends on generated names."""
    details = [
        {
            "Source": each.source,
            "Evaluation": each.evaluation,
            "CausingEntity": each.causing_entity,
            "Name": each.name,
            "Path": each.path,
            "Type": each.change_type,
            "Before": each.before,
            "After": each.after,
            "RequiresRecreation": each.recreation,
            "Attribute": each.scope,
        }
        for each in change.details
    ]
    return {
        "Action": change.action,
        "LogicalResourceId": change.logical_id,
        "ResourceType": change.type,
        "Replacement": change.replacement,
        "PolicyAction": change.policy_action,
        "Scope": list(change.scope),
        "Details": sorted(details, key=json.dumps),
        "Before": texts(replace_unknown(change.before_context, "")),
        "After": texts(replace_unknown(change.after_context, "")),
    }


def recorded_shape(change):
    change = change["ResourceChange"]
    details = [
        {
            "Source": each["ChangeSource"],
            "Evaluation": each["Evaluation"],
            "CausingEntity": each.get("CausingEntity"),
            "Name": each["Target"].get("Name"),
            "Path": each["Target"].get("Path"),
            "Type": each["Target"].get("AttributeChangeType"),
            "Before": each["Target"].get("BeforeValue"),
            "After": each["Target"].get("AfterValue"),
            "RequiresRecreation": each["Target"]["RequiresRecreation"],
            "Attribute": each["Target"]["Attribute"],
        }
        for each in change["Details"]
    ]
    return {
        "Action": change["Action"],
        "LogicalResourceId": change["LogicalResourceId"],
        "ResourceType": change["ResourceType"],
        # Until May 2025 the service said True of what is added, with property values only.
        "Replacement": None if change["Action"] == "Add" else change.get("Replacement"),
        "PolicyAction": change.get("PolicyAction"),
        "Scope": change["Scope"],
        "Details": sorted(details, key=json.dumps),
        "Before": change.get("BeforeContext"),
        "After": change.get("AfterContext"),
    }


def recording(name):
    file, _, test = name.partition("::")
    tests = json.loads((RECORDINGS / f"{file}.snapshot.json").read_text(encoding="utf-8"))
    return next(each["recorded-content"] for key, each in tests.items() if key.endswith("::" + test))


@needs_fixtures
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["of"])
def test_recorded(case):
    recorded = recording(case["of"])
    given = case.get("parameters", [{}, {}])
    first, second = side(case["first"], given[0]), side(case["second"], given[1])
    created = compute_changes(None, first, {}, traits)
    updated = compute_changes(first, second, deploy(first, topic_arn), traits)
    for number, changes in (("1", created), ("2", updated)):
        for suffix, ours in (("", changes.plain), ("-prop-values", changes.with_values)):
            theirs = recorded[f"describe-change-set-{number}{suffix}"]["Changes"]
            assert [shape(each) for each in ours] == [recorded_shape(each) for each in theirs], number + suffix
