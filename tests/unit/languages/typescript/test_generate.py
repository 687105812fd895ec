"""TypeScript code: goldens, names of every kind, and what a new project holds."""

import json
from pathlib import Path

import pytest

from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated_files
from formwork.generate.plan import Policy
from formwork.generate.scaffold import ScaffoldRequest
from formwork.languages.catalogue import expect_generator
from formwork.languages.typescript.generate.aws_models import attribute_names
from formwork.languages.typescript.generate.text import comment, key, literal, member
from formwork.model import build_type_model
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support.plans import plan_new_project

OWN = {"handler_library": "formwork"}
CASES = Path(__file__).parents[3] / "golden" / "generate"
NAMES = sorted(each.parent.name for each in CASES.glob("*/schema.json"))


def plan_case(case, settings):
    document = load_document(CASES / case / "schema.json")
    targets = CASES / case / "targets.json"
    known = json.loads(targets.read_text()) if targets.is_file() else {}
    hook = "::Hook" in document.value["typeName"]
    schema = build_hook_schema(document) if hook else build_resource_schema(document)
    kind = ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE
    plan = plan_generated_files(kind, expect_generator("typescript"), schema, known, settings)
    return {name: file for name, file in plan.items() if name.startswith("src/") and "/formwork/" not in name}


@pytest.mark.parametrize("case", NAMES)
def test_golden(case, golden):
    plan = plan_case(case, OWN)
    for name, file in plan.items():
        golden(f"generate-typescript/{case}/{name}", file.text)
    folder = CASES.parent / "generate-typescript" / case
    assert {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()} == set(plan)


@pytest.mark.parametrize("case", [each for each in NAMES if each != "hook"])
def test_golden_for_awss_library(case, golden):
    (file,) = plan_case(case, {}).values()
    golden(f"generate-typescript-aws/{case}.ts", file.text)


@pytest.mark.parametrize(("kind", "sample"), [("RESOURCE", True), ("RESOURCE", False), ("HOOK", True), ("HOOK", False)])
def test_new_projects(kind, sample):
    request = ScaffoldRequest(
        kind=ExtensionKind(kind),
        type_name="Acme::Store::Thing",
        language="typescript",
        sample=sample,
        settings=OWN,
    )
    plan = plan_new_project(request)
    assert plan["src/handlers.ts"].policy is Policy.SEED
    assert plan["src/models.ts"].policy is Policy.MANAGED
    assert plan["src/formwork/index.ts"].policy is Policy.MANAGED
    for name in ("package.json", "package-lock.json", ".npmrc"):
        assert "http" not in plan[name].text, "no registry is named"
    manifest, lock = json.loads(plan["package.json"].text), json.loads(plan["package-lock.json"].text)
    assert manifest["devDependencies"] == lock["packages"][""]["devDependencies"]
    assert all(version[0].isdigit() for version in manifest["devDependencies"].values()), "pinned"
    assert all("integrity" in each for name, each in lock["packages"].items() if name)


def test_texts_of_others_cannot_leave_their_place():
    assert literal("it's\n\u2028\\") == "'it\\'s\\n\\u2028\\\\'"
    assert member("a-b") == "'a-b'"
    assert member("class") == "class"
    assert key("__proto__") == "['__proto__']"
    assert comment("ends */ here\n\nand \u202e there") == ["/**", " * ends *\\/ here", " *", " * and there", " */"]
    assert comment(" \n ") == []


def test_attributes_for_awss_library_are_those_of_the_incumbent():
    properties = {name: {"type": "string"} for name in ("TPSCode", "Type", "value", "a-b", "Foo", "foo", "2FA")}
    (root,) = build_type_model({"typeName": "Aa::Bb::Cc", "properties": properties}).models
    assert attribute_names(root) == {
        "TPSCode": "tPSCode",
        "Type": "type_",
        "value": "value_",
        "a-b": "a_b",
        "Foo": "foo",
        "foo": "foo_",
        "2FA": "_2FA",
    }
