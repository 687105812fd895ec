"""What `cfn generate` writes for the schemas under tests/golden/generate, file by file."""

import json
from pathlib import Path

import pytest

from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated_files
from formwork.languages.catalogue import expect_generator
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema

CASES = Path(__file__).parents[2] / "golden" / "generate"


def plan_case(case):
    document = load_document(CASES / case / "schema.json")
    targets = CASES / case / "targets.json"
    known = json.loads(targets.read_text()) if targets.is_file() else {}
    if "::Hook" in document.value["typeName"]:
        return plan_generated_files(
            ExtensionKind.HOOK, expect_generator("python312"), build_hook_schema(document), known, {}
        )
    return plan_generated_files(
        ExtensionKind.RESOURCE, expect_generator("python312"), build_resource_schema(document), {}, {}
    )


@pytest.mark.parametrize("case", sorted(each.parent.name for each in CASES.glob("*/schema.json")))
def test_golden(case, golden, request):
    plan = {name: file for name, file in plan_case(case).items() if "/formwork_models/" not in name}  # plain copies
    for name, file in plan.items():
        golden(f"generate/{case}/expected/{name}", file.text)
    folder = CASES / case / "expected"
    found = {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}
    assert found == set(plan), "golden files that nothing writes any more"


@pytest.mark.parametrize("case", sorted(each.parent.name for each in CASES.glob("*/schema.json")))
def test_again_is_the_same(case):
    assert plan_case(case) == plan_case(case)
