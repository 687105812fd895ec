"""The module projects of the corpus: they are valid, and their schemas are those that AWS's own CLI generated."""

import json
import shutil
import zipfile

import pytest

from formwork.project import load_project
from formwork.project.module import load_module, render_module_schema
from support.commands import Desk
from support.corpus import corpus_projects, needs_fixtures


@needs_fixtures
@pytest.mark.parametrize("project", corpus_projects("MODULE"), ids=lambda each: each.id)
def test_module(project):
    loaded = load_project(project.root)
    module = load_module(loaded)
    assert module.valid, module.diagnostics
    expected = json.loads((project.root / "schema.json").read_text(encoding="utf-8"))
    assert json.loads(render_module_schema(loaded, module.template)) == expected


@needs_fixtures
@pytest.mark.parametrize("project", corpus_projects("MODULE"), ids=lambda each: each.id)
def test_the_commands_write_and_package_it(project, tmp_path):
    root = shutil.copytree(project.root, tmp_path / "module")
    expected = json.loads((root / "schema.json").read_text(encoding="utf-8"))
    (root / "schema.json").unlink()
    desk = Desk(tmp_path)
    ended = desk.cfn("validate", cwd=root)
    assert ended.code == 0, str(ended)
    assert json.loads((root / "schema.json").read_text(encoding="utf-8")) == expected
    ended = desk.cfn("submit", "--dry-run", cwd=root)
    assert ended.code == 0, str(ended)
    (package,) = root.glob("*.zip")
    with zipfile.ZipFile(package) as archive:
        assert json.loads(archive.read("schema.json")) == expected
        first, second, fragment, *others = archive.namelist()
    assert (first, second, fragment.startswith("fragments/")) == (".rpdk-config", "schema.json", True)
    assert others in ([], ["overrides.json"])
