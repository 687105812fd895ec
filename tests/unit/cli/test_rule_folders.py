"""`--rules BUCKET=DIR` of servers and workers."""

import pytest

from formwork.command_context.work_options import rule_folders
from formwork.diagnostics.errors import UsageError


def test_folders_by_bucket(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    found = rule_folders(["my-rules=one", f"others={tmp_path}/two"])
    assert found == {"my-rules": tmp_path / "one", "others": tmp_path / "two"}
    assert rule_folders([]) == {}


@pytest.mark.parametrize("given", ["one", "=one", "my-rules=", "my-rules=absent", "my-rules=file", "No_Bucket=one"])
def test_what_is_refused(tmp_path, monkeypatch, given):
    (tmp_path / "one").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="is not a bucket and a folder"):
        rule_folders([given])


def test_a_bucket_that_is_named_twice(tmp_path):
    with pytest.raises(UsageError, match='--rules names the bucket "my-rules" twice'):
        rule_folders([f"my-rules={tmp_path}", f"my-rules={tmp_path}"])
