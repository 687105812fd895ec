"""The examples hold what `cfn generate` writes today."""

import pytest

from formwork.generate import plan_generated
from formwork.generate.plan import Policy
from formwork.project import load_project
from formwork.schema import load_resource_schema
from support.corpus import REPOSITORY

PROJECTS = sorted(each.parent for each in (REPOSITORY / "examples").glob("*/.rpdk-config"))


@pytest.mark.parametrize("root", PROJECTS, ids=lambda each: each.name)
def test_examples_are_generated(root):
    project = load_project(root)
    plan = plan_generated(project, load_resource_schema(project.schema_path).schema)
    assert plan
    stale = [name for name, file in plan.items() if (root / name).read_text(encoding="utf-8") != file.text]
    assert not stale, f"run `cfn generate` in {root}"
    assert {file.policy for file in plan.values()} == {Policy.MANAGED}
