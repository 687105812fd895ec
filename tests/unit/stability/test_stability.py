"""Changes of the exported names: which are incompatible, and how they are announced."""

import copy
import json

import pytest
from stability.__main__ import main
from stability.comparison import announced_names, find_breaks, is_announced
from stability.names import MODULES, NOTED, read_names, render

STACKS = "formwork.stacks"
DEPLOY = f"{STACKS}.LocalStacks.deploy"


@pytest.fixture(scope="module")
def names():
    return read_names()


def test_the_file_is_current_and_nothing_is_broken(names, capsys):
    assert render(names) == NOTED.read_text(encoding="utf-8"), "run `make docs`"
    assert main(["check"]) == 0
    assert capsys.readouterr() == ("", "")


def test_every_public_package_is_noted(names):
    import importlib

    assert set(names) == {f"formwork.{name}" for name in MODULES}
    for module, found in names.items():
        assert set(found) == set(importlib.import_module(module).__all__)


def parameter(names, name):
    return next(
        each for each in names[STACKS]["LocalStacks"]["members"]["deploy"]["parameters"] if each["name"] == name
    )


def remove_a_name(names):
    del names[STACKS]["open_stacks"]


def remove_a_member(names):
    del names[STACKS]["LocalStacks"]["members"]["deploy"]


def remove_a_parameter(names):
    names[STACKS]["LocalStacks"]["members"]["deploy"]["parameters"].remove(parameter(names, "tags"))


def rename_a_parameter(names):
    parameter(names, "tags")["name"] = "labels"


def require_a_parameter(names):
    del parameter(names, "tags")["default"]


def add_a_required_parameter(names):
    names[STACKS]["LocalStacks"]["members"]["deploy"]["parameters"].append({"name": "new", "kind": "keyword-only"})


def change_a_kind(names):
    parameter(names, "template")["kind"] = "keyword-only"


def change_a_member_of_an_enumeration(names):
    names["formwork.schema"]["Severity"]["members"]["ERROR"]["value"] = "'fault'"


def change_a_constructor(names):
    del names["formwork.testing"]["InProgress"]["members"]["__init__"]["parameters"][-1]


def remove_a_module(names):
    del names["formwork.smithy"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (remove_a_name, f"{STACKS}.open_stacks"),
        (remove_a_member, DEPLOY),
        (remove_a_parameter, DEPLOY),
        (rename_a_parameter, DEPLOY),
        (require_a_parameter, DEPLOY),
        (add_a_required_parameter, DEPLOY),
        (change_a_kind, DEPLOY),
        (change_a_member_of_an_enumeration, "formwork.schema.Severity.ERROR"),
        (change_a_constructor, "formwork.testing.InProgress.__init__"),
        (remove_a_module, "formwork.smithy"),
    ],
)
def test_an_incompatible_change(change, path, names):
    after = copy.deepcopy(names)
    change(after)
    assert {each for each, _ in find_breaks(names, after)} == {path}


def add_a_name(names):
    names[STACKS]["new"] = {"parameters": []}


def add_an_optional_parameter(names):
    more = {"name": "new", "kind": "keyword-only", "default": "None"}
    names[STACKS]["LocalStacks"]["members"]["deploy"]["parameters"].append(more)


def add_a_member(names):
    names[STACKS]["LocalStacks"]["members"]["new"] = {"annotation": "int"}


@pytest.mark.parametrize("change", [add_a_name, add_an_optional_parameter, add_a_member])
def test_a_compatible_change(change, names):
    after = copy.deepcopy(names)
    change(after)
    assert list(find_breaks(names, after)) == []


def test_only_what_the_changelog_announces_as_breaking_counts():
    text = """# Changelog
## [Unreleased]
### Added
- `formwork.stacks.open_stacks` is new
### Breaking
- `formwork.stacks.LocalStacks.deploy` has no tags; `formwork.smithy` is gone
### Fixed
- `formwork.schema.validate_schema`
## [0.1.0]
### Breaking
- `formwork.package`
"""
    announced = announced_names(text)
    assert announced == {DEPLOY, "formwork.smithy"}
    assert is_announced(DEPLOY, announced)
    assert is_announced("formwork.smithy.load_model", announced)
    assert not is_announced(f"{DEPLOY}ed", announced)
    assert announced_names("# Changelog") == set()


@pytest.fixture
def noted(monkeypatch, tmp_path, names):
    """A changelog and a file of names to change."""
    import stability.__main__ as command

    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "NOTED", tmp_path / "api.json")
    monkeypatch.setattr(command, "read_names", lambda: names)
    return tmp_path


def test_breaks_are_neither_passed_nor_overwritten(noted, names, capsys):
    before = copy.deepcopy(names)
    before[STACKS]["old_name"] = {"parameters": []}
    (noted / "api.json").write_text(json.dumps(before))
    for command in ("check", "write"):
        assert main([command]) == 1
        assert "formwork.stacks.old_name: " in capsys.readouterr().err
    (noted / "CHANGELOG.md").write_text("## [Unreleased]\n### Breaking\n- `formwork.stacks.old_name` is gone\n")
    assert main(["check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert main(["write"]) == 0
    assert main(["check"]) == 0
