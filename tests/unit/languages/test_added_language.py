"""A language of another package, by its entry point: the one that docs/how-to/add-a-language.md writes out."""

import io
import json
import os
import re
import sys
import zipfile

import pytest

from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated
from formwork.generate.plan import Policy
from formwork.generate.scaffold import ScaffoldRequest
from formwork.generate.write import write_plan
from formwork.languages.catalogue import expect_generator, get_language, language_names, language_of_runtime
from formwork.languages.packages import package_build
from formwork.package.package import package_project
from formwork.package.provider import PackagingSettings
from formwork.package.template import Architecture
from formwork.project import Project, ProjectConfig, load_project
from formwork.registry.settings import HandlerSettings
from formwork.schema.resource import build_resource_schema
from support.commands import Desk
from support.corpus import REPOSITORY
from support.plans import plan_new_project
from support.registry import HERE, THING, open_desk, resource_schema

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
    for name in ("shop_languages", "shop_languages.barepython"):  # those of other tests
        monkeypatch.delitem(sys.modules, name, raising=False)
    return site


def test_it_is_offered_last(installed):
    assert language_names()[-1] == "barepython"


def test_without_the_package_there_is_no_such_language():
    assert "barepython" not in language_names()
    with pytest.raises(BadInputError, match="not generated") as caught:
        expect_generator("barepython")
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


def test_a_project_in_it_is_started_generated_run_and_packaged(installed, tmp_path):
    desk, root = Desk(tmp_path), tmp_path / "thing"
    root.mkdir()
    env = {"PYTHONPATH": str(installed), "PATH": os.environ["PATH"]}
    words = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "barepython", "--answer", "greeting=hi")
    ended = desk.cfn(*words, cwd=root, env=env)
    assert ended.code == 0, str(ended)
    ended = desk.cfn("generate", cwd=root, env=env)
    assert ended.code == 0
    (root / "src" / "bare" / "names.py").unlink()
    assert "bare: wrote 1 files" in desk.cfn("generate", cwd=root, env=env).err
    (root / "request.json").write_text('{"desiredResourceState": {"Name": "n"}, "previousResourceState": null}')
    ended = desk.cfn("invoke", "resource", "READ", "request.json", cwd=root, env=env)
    assert json.loads(ended.out.partition("=== Handler response ===")[2])["resourceModel"] == {"Name": "n"}
    assert desk.cfn("package", cwd=root, env=env).code == 0
    with zipfile.ZipFile(root / "acme-store-thing.zip") as package:
        assert json.loads(package.read(".cfn_metadata.json"))["plugin-name"] == "barepython"
        with zipfile.ZipFile(io.BytesIO(package.read("ResourceProvider.zip"))) as inner:
            assert inner.namelist() == ["bare/__init__.py", "bare/main.py", "bare/names.py"]
    ended = desk.cfn("init", *words[1:-2], "--answer", "greeting", cwd=root, env=env)
    assert ended.code == 2, str(ended)


def test_a_package_in_it_is_registered_and_called(installed, tmp_path):
    plan = plan_new_project(
        ScaffoldRequest(
            kind=ExtensionKind.RESOURCE, type_name=THING, language="barepython", settings={"greeting": "hi"}
        )
    )
    write_plan(plan, tmp_path / "thing")
    project = load_project(tmp_path / "thing")
    settings = PackagingSettings({}, tmp_path, print, Architecture.X86_64)
    packaged = tmp_path / "thing.zip"
    package_project(project, packaged, build=package_build(project, settings))
    desk = open_desk(tmp_path / "state", handlers=HandlerSettings(cache=tmp_path / "cache", home=tmp_path))
    desk.register(content=packaged.read_bytes())
    transport = desk.registry.transport(desk.registry.expect_type(HERE, THING, ExtensionKind.RESOURCE))
    request = {"action": "READ", "requestData": {"resourceProperties": {"Name": "n", "Other": 1}}}
    assert json.loads(transport.invoke(request).body)["resourceModel"] == {"Name": "n"}
    (project.root / "src" / "bare" / "main.py").unlink()
    package_project(project, packaged, build=package_build(project, settings))
    token = desk.submit(packaged.read_bytes(), THING, ExtensionKind.RESOURCE)
    assert "file bare/main.py not found" in desk.registry.describe_type_registration(HERE, token).description
    desk.close()


def test_a_class_that_only_generates_is_a_language_too(installed, tmp_path):
    """The first version of the interface."""
    (entries,) = installed.glob("*.dist-info/entry_points.txt")
    entries.write_text(entries.read_text().replace(":LANGUAGE", ":Old"))
    module = installed / "shop_languages" / "barepython.py"
    old = "class Old(BareGenerator):\n    settings_of_files = property()\n    remarks = property()\n"
    module.write_text(f"{module.read_text()}\n\n{old}")
    assert language_of_runtime("python3.11", "barepython") is get_language("python311")
    config = ProjectConfig(ExtensionKind.RESOURCE, "Aa::Bb::Cc", language="barepython")
    project = Project(tmp_path, config, tmp_path / "aa-bb-cc.json")
    schema = build_resource_schema(parse_document(json.dumps(resource_schema()), name="aa-bb-cc.json"))
    assert "src/bare/names.py" in plan_generated(project, schema, expect_generator("barepython"))
    with pytest.raises(UsageError, match="not packaged yet"):
        package_build(project, PackagingSettings({}, tmp_path, print, Architecture.X86_64))
