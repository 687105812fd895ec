"""The module projects of the corpus: they are valid, and their schemas are those that AWS's own CLI generated."""

import json

import pytest

from formwork.project import load_project
from formwork.project.module import load_module, render_module_schema
from support.corpus import corpus_projects, needs_fixtures


@needs_fixtures
@pytest.mark.parametrize("project", corpus_projects("MODULE"), ids=lambda each: each.id)
def test_module(project):
    loaded = load_project(project.root)
    module = load_module(loaded)
    assert module.valid, module.diagnostics
    expected = json.loads((project.root / "schema.json").read_text(encoding="utf-8"))
    assert json.loads(render_module_schema(loaded, module.template)) == expected
