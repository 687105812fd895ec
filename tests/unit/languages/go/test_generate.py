"""Go code: goldens, names of every kind, and what a new project holds."""

import json
import re
from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated_files
from formwork.generate.plan import Policy
from formwork.generate.scaffold import ScaffoldRequest
from formwork.languages.catalogue import expect_generator
from formwork.languages.go.generate.generator import GoGenerator
from formwork.languages.go.generate.models import render_models
from formwork.languages.go.generate.naming import (
    RESERVED_MODEL_NAMES,
    additional_field,
    field_names,
    target_package,
    target_type,
)
from formwork.languages.go.generate.text import comment, literal
from formwork.model import build_type_model
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support import golang
from support.plans import plan_new_project
from support.toolchains import needs_go

CASES = Path(__file__).parents[3] / "golden" / "generate"
NAMES = sorted(each.parent.name for each in CASES.glob("*/schema.json"))
OWN = {"import_path": "example.com/acme/thing", "handler_library": "formwork"}
AWS = {"importpath": "example.com/acme/thing"}  # as older versions of the incumbent's plugin wrote it


def plan_case(case, settings):
    document = load_document(CASES / case / "schema.json")
    targets = CASES / case / "targets.json"
    known = json.loads(targets.read_text()) if targets.is_file() else {}
    hook = "::Hook" in document.value["typeName"]
    schema = build_hook_schema(document) if hook else build_resource_schema(document)
    kind = ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE
    plan = plan_generated_files(kind, expect_generator("go"), schema, known, settings)
    places = ("cmd/", "internal/", "makebuild")
    return {name: each for name, each in plan.items() if name.startswith(places) and "/cfn/" not in name}


@pytest.mark.parametrize("case", NAMES)
def test_golden(case, golden):
    plan = plan_case(case, OWN)
    for name, file in plan.items():
        golden(f"generate-go/{case}/{name}", file.text)
    folder = CASES.parent / "generate-go" / case
    assert {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()} == set(plan)


@pytest.mark.parametrize("case", [each for each in NAMES if each != "hook"])
def test_golden_for_awss_library(case, golden):
    plan = plan_case(case, AWS)
    for name, file in plan.items():
        golden(f"generate-go-aws/{case}/{name}", file.text)
    assert plan["makebuild"].policy is Policy.SEED, "an existing project's own stays"
    assert "formwork" not in "".join(file.text for name, file in plan.items() if name.endswith(".go")).lower()


def test_hooks_are_not_for_awss_library():
    with pytest.raises(BadInputError, match="has no hooks"):
        plan_case("hook", AWS)


@needs_go
def test_goldens_are_as_gofmt_has_them():
    folders = [CASES.parent / "generate-go", CASES.parent / "generate-go-aws"]
    assert golang.unformatted(*folders) == []


@pytest.mark.parametrize("sample", [True, False])
@pytest.mark.parametrize(("kind", "package"), [("RESOURCE", "resource"), ("HOOK", "hook")])
def test_new_projects(kind, package, sample):
    request = ScaffoldRequest(
        kind=ExtensionKind(kind), type_name="Acme::Store::Thing", language="go", sample=sample, settings=OWN
    )
    plan = plan_new_project(request)
    assert plan[f"cmd/{package}/{package}.go"].policy is Policy.SEED
    assert plan["cmd/main.go"].policy is Policy.MANAGED
    assert plan["internal/cfn/start.go"].policy is Policy.MANAGED
    assert '"example.com/acme/thing/internal/cfn"' in plan["internal/cfn/chain/chain.go"].text
    assert not [name for name in plan if "/cfn/" in name and name.endswith("_test.go")]
    assert plan["go.mod"].text == "module example.com/acme/thing\n\ngo 1.24\n"
    assert "MODE: Test" in plan["template.yml"].text
    rows = [line for line in plan["README.md"].text.splitlines() if line.startswith("| `")]
    assert all(len(row.split("|")) == 5 for row in rows)
    assert f"cmd/{package}/{package}.go" in plan["README.md"].text


@pytest.mark.parametrize("path", ["https://a.b/c", "a b", "", "../x", "a//b", '"', "/a", "/", "a/../b", "a\n"])
def test_import_paths_that_go_does_not_take(path):
    with pytest.raises(BadInputError, match="import path"):
        plan_case("names", {**OWN, "import_path": path})
    if path:
        with pytest.raises(UsageError, match="import path"):
            GoGenerator().settings("Aa::Bb::Cc", ExtensionKind.RESOURCE, {"import_path": path})


def test_a_slash_at_the_end_of_an_import_path_is_no_part_of_it():
    assert plan_case("names", {**OWN, "import_path": "a/b/"}) == plan_case("names", {**OWN, "import_path": "a/b"})
    assert GoGenerator().settings("Aa::Bb::Cc", ExtensionKind.RESOURCE, {"import_path": "a/b/"})["import_path"] == "a/b"


def test_the_import_path_is_go_mods_where_the_config_has_another(tmp_path):
    thing = tmp_path / "types" / "thing"
    assert GoGenerator().settings_of_files(thing) == {}
    (thing / "cmd").mkdir(parents=True)
    assert GoGenerator().settings_of_files(thing) == {}
    (tmp_path / "go.mod").write_text("module example.com/acme/all\n\ngo 1.24\n")
    found = GoGenerator().settings_of_files(thing)
    assert found == {"import_path": "example.com/acme/all/types/thing"}
    plan = plan_case("names", {**AWS, **found})
    assert '"example.com/acme/all/types/thing/cmd/resource"' in plan["cmd/main.go"].text


def test_fields_are_exported_and_all_different():
    names = ["name", "Name", "NAME", "2FA", "_x", "", "é", "a-b", "a_b", "String", "type", "X", "Name_"]
    fields = field_names(names)
    assert list(fields) == names
    assert len(set(fields.values())) == len(names)
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9_]*", each) for each in fields.values())
    assert (fields["Name"], fields["name"], fields["Name_"]) == ("Name", "Name_2", "Name_")
    assert fields["String"] != "String", "a method is called so"
    assert additional_field(["Additional"]) == "Additional_"


def test_targets_have_a_package_and_a_type_each():
    assert (target_package("AWS::S3::Bucket"), target_type("AWS::S3::Bucket")) == ("aws_s3_bucket", "AwsS3Bucket")
    assert (target_package("1aa::bb::cc"), target_type("1aa::bb::cc")) == ("x1aa_bb_cc", "X1aaBbCc")


def test_texts_of_others_cannot_leave_their_place():
    assert literal("it's \"\n\\\u202e😀\ud800") == '"it\'s \\"\\u000a\\\\\\u202e\\U0001f600\\ufffd"'
    assert comment("ends */ here\n\npackage x \u2028 //go:embed") == ["// ends */ here package x //go:embed"]
    assert comment("``x''") == ['// "x"'], "gofmt would make other quotes of these"
    assert all(len(line) <= 110 for line in comment("word " * 100, "\t"))
    text = models_text({"Odd": {"type": "string", "description": "\ufeff\x00`json`\n}\npackage evil"}})
    assert "\n}\npackage" not in text
    assert "\ufeff" not in text


def models_text(properties, **more):
    document = {"typeName": "Aa::Bb::Cc", "properties": properties, "additionalProperties": False, **more}
    types = build_type_model(document, reserved=RESERVED_MODEL_NAMES)
    return render_models(types, types.models, package="resource", library="x/internal/cfn")


def fields_of(text):
    """The fields of the first struct, spaces aside."""
    body = text[text.index("struct {") :].split("\n}", maxsplit=1)[0]
    return [" ".join(line.split()) for line in body.splitlines()[1:] if not line.strip().startswith("//")]


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "string"}, "*string"),
        ({"type": "integer"}, "*int"),
        ({"type": "number"}, "*float64"),
        ({"type": "boolean"}, "*bool"),
        ({}, "any"),
        ({"type": "object"}, "map[string]any"),
        ({"type": ["object", "string"]}, "any"),
        ({"type": ["boolean", "integer"]}, "*cfn.Either[bool, int]"),
        ({"type": ["number", "boolean", "integer"]}, "*cfn.Either[bool, cfn.Either[int, float64]]"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "[][]int"),
        ({"type": "array"}, "[]any"),
        (
            {"patternProperties": {".*": {"patternProperties": {".*": {"type": "string"}}}}},
            "map[string]map[string]string",
        ),
        (
            {"type": "array", "uniqueItems": True, "insertionOrder": False, "items": {"type": "string"}},
            "cfn.Set[string]",
        ),
        ({"type": "object", "properties": {"A": {}}}, "*P"),
        ({"$ref": "#"}, "*Model"),
    ],
)
def test_types(schema, type_):
    assert fields_of(models_text({"P": schema})) == [f'P {type_} `json:"P,omitzero"`']


def test_tags():
    fields = fields_of(
        models_text({"a,b": {}, "-": {}, 'q"`': {}, "Secret": {}}, writeOnlyProperties=["/properties/Secret"])
    )
    assert sorted(fields) == [
        'A_b any "json:\\"-\\" property:\\"a,b\\""',
        'Q__ any "json:\\"-\\" property:\\"q\\\\\\"`\\""',
        'Secret any `json:"Secret,omitzero" cfn:"writeOnly"`',
        'X any "json:\\"-\\" property:\\"-\\""',
    ]


def test_open_models_keep_what_they_do_not_name():
    text = models_text({"P": {"type": "object", "properties": {"Additional": {}}}})
    assert 'Additional_ map[string]any `json:"-" cfn:"additional"`' in " ".join(text.split())
