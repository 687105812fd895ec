import os
import stat
from pathlib import Path

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.generate.plan import managed, seed
from formwork.generate.write import write_plan

PLAN = {"a.txt": managed("generated\n"), "deep/er/b.txt": seed("written once\n")}


def tree(root):
    return {str(each.relative_to(root)): each.read_text() for each in root.rglob("*") if each.is_file()}


def test_first_and_second_time(tmp_path):
    assert write_plan(PLAN, tmp_path / "new").created == ("a.txt", "deep/er/b.txt")
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    assert write_plan(PLAN, tmp_path / "new").unchanged == ("a.txt", "deep/er/b.txt")
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_the_authors_files_are_kept_unless_forced(tmp_path):
    write_plan(PLAN, tmp_path)
    (tmp_path / "a.txt").write_text("mine")
    (tmp_path / "deep/er/b.txt").write_text("mine")
    report = write_plan(PLAN, tmp_path)
    assert (report.updated, report.kept) == (("a.txt",), ("deep/er/b.txt",))
    assert tree(tmp_path) == {"a.txt": "generated\n", "deep/er/b.txt": "mine"}
    assert write_plan(PLAN, tmp_path, force=True).updated == ("deep/er/b.txt",)


def test_leftovers_of_earlier_runs_are_removed_and_nothing_else(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "gone.md").write_text("MARK\nold page")
    (docs / "mine.md").write_text("MARK of mine\n")
    (docs / "other.txt").write_text("MARK\n")
    plan = {"docs/README.md": managed("MARK\nnew page", sweeps=True)}
    assert write_plan(plan, tmp_path).removed == ("docs/gone.md",)
    assert set(tree(docs)) == {"README.md", "mine.md", "other.txt"}


def test_permissions_survive_and_new_files_have_the_usual_ones(tmp_path):
    write_plan(PLAN, tmp_path)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o666 & ~umask
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o640)
    write_plan(PLAN, tmp_path)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


class Interrupted(str):  # noqa: SLOT000 - counts its looks
    """A text that can be looked at once; when it is then written, the user presses Ctrl-C."""

    looks = 0

    def encode(self, *_):
        Interrupted.looks += 1
        if Interrupted.looks > 1:
            raise KeyboardInterrupt
        return b"new"


def test_an_interruption_changes_nothing(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "z.txt").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_plan({"a.txt": managed("new"), "z.txt": managed(Interrupted("new"))}, tmp_path)
    assert tree(tmp_path) == {"a.txt": "old", "z.txt": "old"}


def test_something_else_in_the_way(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(EnvironmentProblemError, match="is a folder"):
        write_plan(PLAN, tmp_path)
    (tmp_path / "a.txt").rmdir()
    (tmp_path / "deep").write_text("")
    with pytest.raises(EnvironmentProblemError, match="is a file"):
        write_plan(PLAN, tmp_path)
    assert tree(tmp_path) == {"deep": ""}


def test_a_disk_that_refuses(tmp_path):
    # A name too long for any file system fails in the middle of the staging, for root too.
    plan = {"a.txt": managed("x"), "z" * 250: managed("x")}
    with pytest.raises(EnvironmentProblemError):
        write_plan(plan, tmp_path)
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "", "a/../../b"])
def test_a_plan_stays_below_its_root(tmp_path, name):
    with pytest.raises(ValueError, match="below the project"):
        write_plan({name: managed("x")}, tmp_path)
    assert not list(Path(tmp_path).iterdir())
