"""A schema written in YAML: the commands agree that it is the source, and write, package and judge the JSON it makes."""

import json
import subprocess
import zipfile

import pytest

from support.commands import Desk, refuses

SOURCE = """\
# What a thing is.
typeName: Acme::Store::Thing
description: A thing   # in a store
additionalProperties: false
properties:
  Id: {description: Made by the service, type: string}
  Since: {description: "A date, which YAML would read as one", type: string, default: 2024-01-02}
primaryIdentifier: [/properties/Id]
readOnlyProperties: [/properties/Id]
tagging: {taggable: false}
handlers:
  create: {permissions: ["store:CreateThing"]}
  read: {permissions: ["store:GetThing"]}
  delete: {permissions: ["store:DeleteThing"]}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    desk = Desk(tmp_path_factory.mktemp("home"))
    assert (
        desk.cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311", "--no-docker", cwd=root).code == 0
    )
    (root / "acme-store-thing.json").unlink()
    for each in (root / "inputs").iterdir():
        each.unlink()
    return desk, root


@pytest.fixture
def project(made):
    desk, root = made
    (root / "acme-store-thing.json").unlink(missing_ok=True)
    (root / "acme-store-thing.yaml").write_text(SOURCE)
    return desk, root


def test_generate_writes_the_json_that_is_packaged(project):
    desk, root = project
    assert desk.cfn("generate", cwd=root).code == 0
    text = (root / "acme-store-thing.json").read_text()
    value = json.loads(text)
    assert value["$comment"] == "Generated from acme-store-thing.yaml by `cfn generate`: change it there."
    assert value["properties"]["Since"]["default"] == "2024-01-02"
    again = desk.cfn("generate", "-v", cwd=root)
    assert "unchanged: acme-store-thing.json\n" in again.said
    assert (root / "acme-store-thing.json").read_text() == text
    checked = desk.cfn("validate", cwd=root)
    assert checked.out == "Resource schema is valid.\n", checked
    assert desk.cfn("validate", "acme-store-thing.json", cwd=root).out == "Resource schema is valid.\n"
    assert desk.cfn("package", cwd=root).code == 0
    with zipfile.ZipFile(root / "acme-store-thing.zip") as package:
        assert package.read("schema.json").decode() == text


def test_the_yaml_is_read_where_both_are(project):
    desk, root = project
    desk.cfn("generate", cwd=root)
    (root / "acme-store-thing.yaml").write_text(SOURCE.replace("type: string}", "type: strin}", 1))
    refuses(desk.cfn("validate", cwd=root), 1, "acme-store-thing.yaml:6", "schema.unknown-type")
    refuses(desk.cfn("generate", cwd=root), 1, "acme-store-thing.yaml:6")


@pytest.mark.parametrize("change", ["yaml", "json"])
def test_stale_json_is_told(project, change):
    desk, root = project
    desk.cfn("generate", cwd=root)
    path = root / f"acme-store-thing.{change}"
    path.write_text(path.read_text().replace("A thing", "A new thing"))
    checked = desk.cfn("validate", cwd=root)
    assert checked.code == 0
    assert "warning[project.schema-stale]" in checked.out
    assert "run `cfn generate` to write it again" in checked.out
    packaged = desk.cfn("package", cwd=root)
    assert packaged.code == 0
    assert "project.schema-stale" in packaged.err
    with zipfile.ZipFile(root / "acme-store-thing.zip") as package:
        words = "A new thing" if change == "yaml" else "A thing"
        assert json.loads(package.read("schema.json"))["description"] == words  # as the YAML says
    desk.cfn("generate", cwd=root)
    assert "schema-stale" not in desk.cfn("validate", cwd=root).said


def test_json_by_hand_is_the_source_and_never_overwritten(project):
    desk, root = project
    by_hand = {"typeName": "Acme::Store::Thing", "description": "By hand"}
    (root / "acme-store-thing.json").write_text(json.dumps(by_hand))
    checked = desk.cfn("validate", cwd=root)
    assert "project.schema-twice" in checked.out
    assert "acme-store-thing.json:1" in checked.out
    assert desk.cfn("generate", cwd=root).code == 1
    assert json.loads((root / "acme-store-thing.json").read_text()) == by_hand


def test_diff_compares_the_sources_across_notations(project):
    desk, root = project
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-C", root]
    (root / "acme-store-thing.yaml").unlink()
    (root / "acme-store-thing.json").write_text(
        json.dumps(
            {
                "typeName": "Acme::Store::Thing",
                "description": "d",
                "additionalProperties": False,
                "properties": {"Id": {"type": "string"}, "Gone": {"type": "string"}},
                "primaryIdentifier": ["/properties/Id"],
                "readOnlyProperties": ["/properties/Id"],
            }
        )
    )
    for words in (["init", "-q"], ["add", "acme-store-thing.json"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    (root / "acme-store-thing.json").unlink()
    (root / "acme-store-thing.yaml").write_text(SOURCE)
    desk.cfn("generate", cwd=root)
    shown = desk.cfn("diff", "HEAD", cwd=root)
    assert shown.code == 1, shown
    assert "change.property-removed" in shown.out


def test_fix_mends_yaml_and_keeps_its_comments(project):
    desk, root = project
    path = root / "acme-store-thing.yaml"
    path.write_text(
        SOURCE.replace("additionalProperties: false\n", "")
        .replace(
            'read: {permissions: ["store:GetThing"]}', "read:\n    permissions: []  # none\n    timeoutInMinutes: 60"
        )
        .replace("tagging: {taggable: false}", "tagging:\n  taggable: >-\n    false")
    )
    fixed = desk.cfn("validate", "--fix", cwd=root)
    assert "fixed schema.open-object at (the whole document)" in fixed.err, fixed
    assert "not fixed: schema.wrong-type at /tagging/taggable: line 11 " in fixed.err, fixed
    text = path.read_text()
    assert text.startswith("# What a thing is.\ntypeName: Acme::Store::Thing\n")
    assert "description: A thing   # in a store\nadditionalProperties: false\n" in text
    path.write_text(text.replace(">-\n    false", '"false"'))
    fixed = desk.cfn("validate", "--fix", cwd=root)
    assert "not fixed" not in fixed.err
    assert "    permissions: []  # none\n  delete:" in path.read_text()
    assert "tagging:\n  taggable: false\n" in path.read_text()
