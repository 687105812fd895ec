"""`cfn validate` on modules with child modules at hand, and on those that are to be published."""

import json

import pytest

from support.commands import Desk, refuses


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "home").mkdir()
    desk = Desk(tmp_path / "home")

    def module(name, resources):
        root = tmp_path / "shelf" / name
        (root / "fragments").mkdir(parents=True)
        kind = f"Acme::Shelf::{name}::MODULE"
        (root / ".rpdk-config").write_text(json.dumps({"artifact_type": "MODULE", "typeName": kind, "settings": {}}))
        (root / "fragments" / "f.json").write_text(json.dumps({"Resources": resources}, indent=1))
        return root

    def validate(root, *words):
        return desk.cfn("validate", "--modules", tmp_path / "shelf", *words, cwd=root)

    return module, validate


def use(name):
    return {"Child": {"Type": f"Acme::Shelf::{name}::MODULE"}}


TOPIC = {"Topic": {"Type": "AWS::SNS::Topic"}}


def third_party(versions):
    metadata = {
        "PublisherId": "p1",
        "RegionalPublisherId": {"us-east-1": "r1"},
        "OriginalTypeName": "Mongodb::DDB::Table",
        "SupportMajorVersions": versions,
    }
    return {"Table": {"Type": "Module::DDB::Table", "Metadata": metadata}}


def test_three_levels_are_fine_and_four_are_not(shelf):
    module, validate = shelf
    for name, resources in (("AA", use("BB")), ("BB", use("CC")), ("CC", use("DD")), ("DD", TOPIC)):
        module(name, resources)
    root = module("Top", use("BB"))
    refuses(validate(root), 1, "module.nesting", "4 levels deep: Acme::Shelf::Top::MODULE", "f.json:4")
    assert validate(root.parent / "BB").code == 0


def test_a_circle(shelf):
    module, validate = shelf
    module("BB", use("AA"))
    root = module("AA", use("BB"))
    refuses(validate(root), 1, "module.circular", "Acme::Shelf::AA::MODULE → Acme::Shelf::BB::MODULE → Acme::Shelf::AA")


def test_a_child_that_is_not_at_hand_is_mentioned(shelf):
    module, validate = shelf
    ended = validate(module("AA", use("Nope")))
    assert ended.code == 0
    assert "info[module.child-not-at-hand]" in ended.out


def test_major_versions_are_a_subset_of_the_childrens(shelf):
    module, validate = shelf
    module("BB", third_party([1, 2]))
    root = module("AA", use("BB") | third_party([1, 3]))
    assert validate(root).code == 0
    refuses(validate(root, "--public"), 1, "module.public-major-versions", 'major version 3 of "Mongodb::DDB::Table"')
    (root / "fragments" / "f.json").write_text(json.dumps({"Resources": use("BB") | third_party([2])}))
    assert validate(root, "--public").code == 0


def test_what_publishing_asks_is_asked_with_public_only(shelf):
    module, validate = shelf
    root = module("AA", {"A": {"Type": "Custom::Thing"}, "B": {"Type": "Acme::Store::Thing"}})
    assert validate(root).code == 0
    refuses(validate(root, "--public"), 1, "module.public-custom-resource", "module.publisher-metadata")
