"""Rules and input parameters of Guard hooks from folders of this machine."""

import zipfile

import pytest

from formwork.hooks.guard.objects import MAX_BYTES, MAX_MEMBERS
from formwork.hooks.guard.rules import GuardRulesError
from formwork.hooks.guard.sources import RuleSource
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import deliver_object

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


def test_what_was_saved_last_is_read(source, folder):
    (folder / "of").mkdir()
    for number in range(2):
        (folder / "of/a.guard").write_text(f"{RULE} #{number}")
        assert contents(source, "s3://rules/of/a.guard") == {"a.guard": f"{RULE} #{number}"}
    (folder / "p.yaml").write_text("A: [1]")
    (folder / "q.json").write_text('{"B": 2}')
    assert source.read_parameters(["s3://rules/p.yaml", {"uri": "s3://rules/q.json"}]) == {"A": [1], "B": 2}


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_a_folder_is_the_archive_that_would_be_made_of_it(source, folder, ending):
    (folder / "all/deep").mkdir(parents=True)
    (folder / "all/.git").mkdir()
    for name in ("all/one.guard", "all/deep/two.guard", "all/README", "all/.git/three.guard"):
        (folder / name).write_text(RULE)
    assert contents(source, f"s3://rules/all.{ending}") == {"deep/two.guard": RULE, "one.guard": RULE}
    (folder / "all/deep/three.guard").symlink_to(folder.parent / "outside.guard")
    assert "outside of the bucket's folder" in refusal(source, f"s3://rules/all.{ending}")


def test_an_archive_that_exists_is_read(source, folder):
    (folder / "all").mkdir()
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.writestr("packed.guard", RULE)
    assert contents(source, "s3://rules/all.zip") == {"packed.guard": RULE}
    assert "has no file of the extension .guard" in refusal(source, "s3://rules/all.tar.gz")


def test_more_than_an_archive_may_have(source, folder):
    with (folder / "big.guard").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "it has more than" in refusal(source, "s3://rules/big.guard")
    (folder / "all").mkdir()
    for number in range(2):
        with (folder / f"all/{number}.guard").open("wb") as file:
            file.truncate(MAX_BYTES // 2 + 1)
    assert "bytes of rules" in refusal(source, "s3://rules/all.zip")
    for number in range(MAX_MEMBERS):
        (folder / f"all/n{number}.guard").touch()
    assert "rule files" in refusal(source, "s3://rules/all.zip")


def test_files_have_no_versions_and_other_buckets_are_the_store_s(source, folder):
    (folder / "a.guard").write_text(RULE)
    told = refusal(source, {"uri": "s3://rules/a.guard", "versionId": "1"})
    assert told == (
        "ruleLocation: s3://rules/a.guard, version 1, can't be read: files of a folder (--rules) have no versions"
    )
    source.objects.create_bucket("stored", account=ACCOUNT, region="us-east-1")
    deliver_object(source.objects, account=ACCOUNT, bucket="stored", key="a.guard", content=b"rule b { A exists }")
    assert contents(source, "s3://stored/a.guard") == {"a.guard": "rule b { A exists }"}
    assert "NoSuchBucket" in refusal(source, "s3://other/a.guard")
