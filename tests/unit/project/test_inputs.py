"""Inputs, overrides, target types and type configurations: what an author writes beside the schema."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError, Severity
from formwork.extensions import ExtensionKind
from formwork.project import load_project
from formwork.project.comments import blank_comments
from formwork.project.exports import substitute_exports
from formwork.project.inputs import InputKind, input_kind_of, load_input_sets
from formwork.project.overrides import load_overrides
from formwork.project.sample_inputs import resource_inputs
from formwork.project.targets import load_targets
from formwork.project.type_configuration import load_type_configuration


@pytest.fixture
def make_project(tmp_path):
    def make(kind="RESOURCE", **files):
        config = {"artifact_type": kind, "typeName": "Aa::Bb::Cc", "language": "java", "runtime": "java17"}
        (tmp_path / ".rpdk-config").write_text(json.dumps(config | {"settings": {"protocolVersion": "2.0.0"}}))
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text if isinstance(text, str) else json.dumps(text))
        return load_project(tmp_path)

    return make


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("inputs_1_create.json", InputKind.CREATE),
        ("inputs_1_update.json", InputKind.UPDATE),
        ("inputs_1_invalid.json", InputKind.INVALID),
        ("inputs_1_pre_create.json", InputKind.PRE_CREATE),
        ("inputs_1_pre_delete.json", InputKind.PRE_DELETE),
        ("inputs_1_pre_invalid.json", InputKind.INVALID),  # the guide's name for it
        ("inputs_12_invalid_pre_update.json", InputKind.INVALID_PRE_UPDATE),
        ("inputs_1_create_with_tags.json", InputKind.CREATE),
        ("inputs_1_read.json", None),
        ("inputs_1.json", None),
        ("outputs_1_create.json", None),
    ],
)
def test_kinds_by_name(name, kind):
    assert input_kind_of(name) is kind


def test_sets_by_exact_number(make_project):
    inputs = load_input_sets(
        make_project(
            **{"inputs__inputs_1_create.json": {"A": 1}, "inputs__inputs_10_create.json": {"A": 10}},
            **{"inputs__inputs_2_update.json": {"A": 2}, "inputs__notes.txt": "hello"},
        )
    )
    assert [each.number for each in inputs.sets] == [1, 2, 10]
    assert inputs.sets[0].documents[InputKind.CREATE].value == {"A": 1}
    assert inputs.sets[2].documents[InputKind.CREATE].value == {"A": 10}
    assert inputs.diagnostics == ()


def test_a_broken_input_is_told_and_left_out(make_project):
    inputs = load_input_sets(
        make_project(**{"inputs__inputs_1_create.json": '{"A": }', "inputs__inputs_1_update.json": "{}"})
    )
    assert list(inputs.sets[0].documents) == [InputKind.UPDATE]
    (diagnostic,) = inputs.diagnostics
    assert (diagnostic.location.start.line, diagnostic.location.start.column) == (1, 7)


def test_two_files_of_one_kind(make_project):
    inputs = load_input_sets(
        make_project(**{"inputs__inputs_1_create.json": {"A": 1}, "inputs__inputs_1_create_b.json": {"A": 2}})
    )
    assert inputs.sets[0].documents[InputKind.CREATE].value == {"A": 1}
    assert [each.code for each in inputs.diagnostics] == ["project.input-ignored"]


def test_no_inputs_folder(make_project):
    assert load_input_sets(make_project()).sets == ()


# The guide's example as it is printed, with its comment wrapped.
GUIDE = """{
  "CREATE": {
    "/SubnetId": "subnet-0bc6136e" # This should be a real subnet that exists in the
    account you're testing against.
  }
}
"""


def test_the_guides_overrides(make_project):
    overrides = load_overrides(make_project(**{"overrides.json": GUIDE}))
    assert overrides.diagnostics == ()
    assert overrides.for_action("CREATE") == {("SubnetId",): "subnet-0bc6136e"}
    assert overrides.for_action("UPDATE") == {("SubnetId",): "subnet-0bc6136e"}
    assert overrides.values[0].location.start.line == 3


def test_overrides_without_slash_and_with_escapes(make_project):
    text = {"CREATE": {"SubnetId": 1, "/Tags/0/Key": 2, "/a~1b": 3, "/c%20d": 4}, "UPDATE": {"/A": 5}}
    overrides = load_overrides(make_project(**{"overrides.json": text}))
    assert overrides.for_action("CREATE") == {("SubnetId",): 1, ("Tags", "0", "Key"): 2, ("a/b",): 3, ("c d",): 4}
    assert overrides.for_action("UPDATE") == {("A",): 5}


def test_overrides_of_a_hook(make_project):
    text = {
        "CREATE_PRE_PROVISION": {"AWS::S3::Bucket": {"resourceProperties": {"/BucketName": "b"}}},
        "INVALID": {"AWS::S3::Bucket": {"resourceProperties": {"/BucketName": "x"}}},
    }
    overrides = load_overrides(make_project("HOOK", **{"overrides.json": text}))
    chosen = {"target": "AWS::S3::Bucket", "part": "resourceProperties"}
    assert overrides.diagnostics == ()
    assert overrides.for_action("UPDATE_PRE_PROVISION", **chosen) == {("BucketName",): "b"}
    assert overrides.for_action("INVALID_DELETE_PRE_PROVISION", **chosen) == {("BucketName",): "x"}
    assert overrides.for_action("CREATE_PRE_PROVISION", target="AWS::SQS::Queue", part="resourceProperties") == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ([], "project.overrides-not-an-object"),
        ({"CREATE": 1}, "project.overrides-not-an-object"),
        ({"READ": {}}, "project.overrides-unknown-key"),
        ({"CREATE": {"/a~2": 1}}, "project.overrides-pointer"),
        ("{", "document.syntax"),
    ],
)
def test_overrides_with_problems(make_project, text, code):
    overrides = load_overrides(make_project(**{"overrides.json": text}))
    assert [each.code for each in overrides.diagnostics] == [code]
    assert overrides.values == ()


def test_exports_are_escaped_inside_strings_only():
    filled = substitute_exports(
        '{"A": "x{{ Name }}", "B": {{Number}}, "C": "{{None}}"}', {"Name": 'a"b', "Number": "5"}
    )
    assert json.loads(filled.text) == {"A": 'xa"b', "B": 5, "C": "{{None}}"}
    assert filled.missing == ("None",)


def test_an_unknown_export_is_told(make_project):
    inputs = load_input_sets(make_project(**{"inputs__inputs_1_create.json": '{"A": "{{Vpc}}"}'}))
    assert inputs.sets[0].documents[InputKind.CREATE].value == {"A": "{{Vpc}}"}
    (told,) = inputs.diagnostics
    assert (told.code, told.severity) == ("project.export-unknown", Severity.ERROR)
    assert '"Vpc"' in told.message


@given(st.text(), st.text(st.sampled_from('"#\\ \nat{}')))
def test_comments_keep_every_place(first, second):
    text = first + second
    blanked = blank_comments(text)
    assert [len(line) for line in blanked.split("\n")] == [len(line) for line in text.split("\n")]


TEXTS = st.text(st.sampled_from('"#\\ \nat{}é'), max_size=6)


@given(
    st.recursive(
        st.none() | st.integers() | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    )
)
def test_json_without_comments_is_left_alone(value):
    text = json.dumps(value, indent=1)
    assert blank_comments(text) == text


def test_targets(make_project):
    bucket = {"typeName": "AWS::S3::Bucket", "properties": {}}
    loaded = load_targets(
        make_project(
            "HOOK",
            **{"target-schemas__a.json": [bucket, {"typeName": "AWS::SQS::Queue"}], "target-schemas__b.json": bucket},
            **{"target-info.json": {"AWS::S3::Bucket": {"TargetName": "AWS::S3::Bucket", "Schema": bucket}}},
        )
    )
    assert loaded.diagnostics == ()
    assert list(loaded.targets) == ["AWS::S3::Bucket", "AWS::SQS::Queue"]
    assert loaded.targets["AWS::S3::Bucket"].schema == bucket
    assert loaded.targets["AWS::S3::Bucket"].info["TargetName"] == "AWS::S3::Bucket"


def test_targets_that_differ_or_are_none(make_project):
    first, second = {"typeName": "A::B::C"}, {"typeName": "A::B::C", "description": "other"}
    files = {"target-schemas__a.json": first, "target-schemas__b.json": [second, 5], "target-schemas__c.json": "["}
    loaded = load_targets(make_project("HOOK", **files, **{"target-info.json": {"D::E::F": 3}}))
    assert sorted(each.code for each in loaded.diagnostics) == [
        "document.syntax",
        "project.target-differs",
        "project.target-info",
        "project.target-schema",
    ]


def test_type_configurations(tmp_path):
    path = tmp_path / "t.json"
    assert load_type_configuration(path, ExtensionKind.RESOURCE, required=False) is None
    with pytest.raises(BadInputError, match="cannot be read"):
        load_type_configuration(path, ExtensionKind.RESOURCE, required=True)
    path.write_text('{"CloudFormationConfiguration": {"HookConfiguration": {"Properties": {"A": "1"}}}}')
    assert load_type_configuration(path, ExtensionKind.HOOK, required=True) == {"A": "1"}
    assert "CloudFormationConfiguration" in load_type_configuration(path, ExtensionKind.RESOURCE, required=True)
    path.write_text('{"CloudFormationConfiguration": {}}')
    with pytest.raises(BadInputError, match="HookConfiguration"):
        load_type_configuration(path, ExtensionKind.HOOK, required=False)
    path.write_text("[]")
    with pytest.raises(BadInputError, match="not a JSON object"):
        load_type_configuration(path, ExtensionKind.RESOURCE, required=True)


def test_what_is_passed_over_is_said(make_project):
    loaded = load_input_sets(make_project(**{"inputs__create.json": "{}", "inputs__notes.txt": "x"}))
    (found,) = loaded.diagnostics
    assert (found.code, found.message) == ("project.input-ignored", '"create.json" does not name a kind of input')
    assert "inputs_<n>_<kind>.json" in found.hint


def test_a_file_in_place_of_the_folder_is_said(make_project):
    loaded = load_input_sets(make_project(inputs="{}"))
    (found,) = loaded.diagnostics
    assert (found.code, found.message) == ("project.input-ignored", '"inputs" is not a folder')


def test_samples_of_another_schema_are_named_once_and_not_used(make_project):
    project = make_project(
        **{
            "inputs__inputs_1_create.json": resource_inputs()["inputs_1_create.json"],
            "inputs__inputs_1_update.json": resource_inputs()["inputs_1_update.json"],
            "inputs__inputs_2_create.json": '{"Title": "own"}',
        },
    )
    loaded = load_input_sets(project, known={"Title", "Content"})
    assert [each.number for each in loaded.sets] == [2], "the author's own is kept, whatever it holds"
    (said,) = loaded.diagnostics
    assert said.code == "project.input-ignored"
    assert "inputs_1_create.json and 1 more" in said.message
