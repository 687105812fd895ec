"""Guard hooks read files in the folders of `--rules` only, whatever a client's configuration names."""

import os

import pytest

from formwork.hooks.guard.rules import GuardRulesError
from formwork.hooks.guard.sources import RuleSource
from formwork.object_store.store import ObjectStore

ACCOUNT = "111111111111"
RULE = "rule a { Resources exists }"


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "rules"
    made.mkdir()
    (tmp_path / "outside.guard").write_text(RULE)
    return made


@pytest.fixture
def source(tmp_path, folder):
    return RuleSource(ObjectStore(tmp_path / "objects"), ACCOUNT, {"rules": folder})


def contents(source, url):
    return {each.name: each.content for each in source.read_rules(url)}


def refusal(source, given):
    with pytest.raises(GuardRulesError) as caught:
        source.read_rules(given)
    return str(caught.value)


@pytest.mark.parametrize(
    "key", ["../outside.guard", "%2e%2e/outside.guard", "a/../../outside.guard", "..%2foutside.guard", "/etc/x.guard"]
)
def test_names_outside_of_the_folder(source, key):
    assert "it is not the name of a file in a folder" in refusal(source, f"s3://rules/{key}")


@pytest.mark.parametrize("key", [".hidden.guard", ".git/x.guard", "a//b.guard", "a\\b.guard", "nul%00.guard", "a/"])
def test_names_that_are_not_taken(source, folder, key):
    (folder / ".hidden.guard").write_text(RULE)
    assert "it is not the name of a file in a folder" in refusal(source, f"s3://rules/{key}")


def test_links_out_of_the_folder(source, folder):
    (folder / "link.guard").symlink_to(folder.parent / "outside.guard")
    (folder / "up").symlink_to(folder.parent)
    (folder / "in.guard").write_text(RULE)
    (folder / "within.guard").symlink_to(folder / "in.guard")
    for key in ("link.guard", "up/outside.guard"):
        assert "it is outside of the bucket's folder" in refusal(source, f"s3://rules/{key}")
    assert contents(source, "s3://rules/within.guard") == {"within.guard": RULE}


def test_what_is_not_a_file(source, folder):
    (folder / "folder.guard").mkdir()
    os.mkfifo(folder / "pipe.guard")
    for key in ("folder.guard", "pipe.guard", "absent.guard"):
        assert "has no such file" in refusal(source, f"s3://rules/{key}")


def test_file_urls_are_not_read(source, folder):
    (folder / "a.guard").write_text(RULE)
    for url in (f"file://{folder}/a.guard", f"{folder}/a.guard", f"file:///{folder}/a.guard"):
        assert "is not the URI of an S3 object" in refusal(source, url)


def test_input_parameters_are_read_in_the_folder_only(source, folder):
    (folder.parent / "credentials.json").write_text('{"Key": "secret"}')
    (folder / "link.json").symlink_to(folder.parent / "credentials.json")
    for key in ("../credentials.json", "link.json"):
        with pytest.raises(GuardRulesError) as caught:
            source.read_parameters(f"s3://rules/{key}")
        assert "secret" not in str(caught.value)
