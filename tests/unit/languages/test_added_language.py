"""A language of another package, by its entry point: the one that docs/how-to/add-a-language.md writes out."""

import json
import os
import re

import pytest

from formwork.diagnostics import BadInputError, UsageError
from formwork.generate import Policy, ScaffoldRequest
from formwork.languages.catalogue import expect_language, language_names
from formwork.project import ExtensionKind
from support.commands import Desk
from support.corpus import REPOSITORY
from support.plans import plan_new_project

PAGE = REPOSITORY / "docs" / "how-to" / "add-a-language.md"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The page's package as pip would install it: a folder of modules, and the metadata with the entry point."""
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (entry,) = re.findall(r'\[project\.entry-points\."([^"]+)"\]\n(\w+) = "([^"]+)"', text)
    site = tmp_path / "site"
    module = site / "shop_languages"
    module.mkdir(parents=True)
    (module / "__init__.py").touch()
    (module / "barepython.py").write_text(code, encoding="utf-8")
    metadata = site / "shop_languages-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: shop-languages\nVersion: 1.0\n", encoding="utf-8")
    group, name, place = entry
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {place}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    return site


def test_it_is_offered_last(installed):
    assert language_names()[-1] == "barepython"


def test_without_the_package_there_is_no_such_language():
    assert "barepython" not in language_names()
    with pytest.raises(BadInputError, match="not generated") as caught:
        expect_language("barepython")
    assert "install the package" in caught.value.diagnostics[0].hint
    with pytest.raises(UsageError, match="no language"):
        plan_new_project(ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name="Aa::Bb::Cc", language="barepython"))


def test_its_plan_is_part_of_a_project(installed):
    request = ScaffoldRequest(
        kind=ExtensionKind.RESOURCE, type_name="Aa::Bb::Cc", language="barepython", settings={"greeting": "hi"}
    )
    plan = plan_new_project(request)
    assert plan["src/bare/names.py"].policy is Policy.MANAGED
    assert "hi: answers" in plan["src/bare/main.py"].text
    assert json.loads(plan[".rpdk-config"].text)["settings"]["greeting"] == "hi"
    assert "src/bare/main.py" in plan["README.md"].text
    assert {"docs/README.md", "resource-role.yaml", "template.yml"} <= set(plan)


def test_a_project_in_it_is_started_generated_and_run(installed, tmp_path):
    desk, root = Desk(tmp_path), tmp_path / "thing"
    root.mkdir()
    env = {"PYTHONPATH": str(installed), "PATH": os.environ["PATH"]}
    words = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "barepython", "--answer", "greeting=hi")
    ended = desk.cfn(*words, cwd=root, env=env)
    assert ended.code == 0, str(ended)
    assert desk.cfn("generate", cwd=root, env=env).code == 0
    (root / "request.json").write_text('{"desiredResourceState": {"Name": "n"}, "previousResourceState": null}')
    ended = desk.cfn("invoke", "resource", "READ", "request.json", cwd=root, env=env)
    assert json.loads(ended.out.partition("=== Handler response ===")[2])["resourceModel"] == {"Name": "n"}
    ended = desk.cfn("init", *words[1:-2], "--answer", "greeting", cwd=root, env=env)
    assert ended.code == 2, str(ended)
