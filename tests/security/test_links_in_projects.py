"""A project that somebody else wrote has symbolic links that lead out of it, where `cfn generate` writes."""

import os

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.generate.plan import managed
from formwork.generate.write import write_plan
from support.commands import Desk, contents, refuses
from support.registry import THING

PLAN = {"a.txt": managed("written\n"), "docs/deep/b.txt": managed("written\n", sweeps=True)}


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "mine.txt").write_text("written\nby me\n")
    return folder


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("link", ["docs", "docs/deep"])
@pytest.mark.parametrize("target", ["absolute", "relative", "loop"])
def test_a_folder_that_leads_out_of_the_project(project, outside, link, target):
    before = contents(outside)
    place = project / link
    place.parent.mkdir(exist_ok=True)
    match target:
        case "absolute":
            place.symlink_to(outside)
        case "relative":
            place.symlink_to(os.path.relpath(outside, place.parent))
        case "loop":
            place.symlink_to(place)
    with pytest.raises(EnvironmentProblemError):
        write_plan(PLAN, project)
    assert contents(outside) == before
    assert not (project / "a.txt").exists(), "nothing is written before all is checked"


@pytest.mark.parametrize("name", ["a.txt", ".a.txt.{pid}.formwork-new"])
@pytest.mark.parametrize("target", ["mine.txt", "new.txt"])
def test_a_file_that_is_a_link_is_replaced_and_not_followed(project, outside, name, target):
    before = contents(outside)
    (project / name.format(pid=os.getpid())).symlink_to(outside / target)
    write_plan(PLAN, project)
    assert contents(outside) == before
    assert (project / "a.txt").read_text() == "written\n"
    assert not (project / "a.txt").is_symlink()


def test_links_within_the_project_are_the_authors_business(project):
    (project / "real").mkdir()
    (project / "docs").symlink_to("real")
    write_plan(PLAN, project)
    assert (project / "real/deep/b.txt").read_text() == "written\n"


def test_a_project_that_is_reached_by_a_link(project, tmp_path):
    (tmp_path / "alias").symlink_to(project)
    write_plan(PLAN, tmp_path / "alias")
    assert (project / "a.txt").exists()


def test_the_command(project, outside, tmp_path):
    before = contents(outside)
    desk = Desk(tmp_path)
    assert desk.cfn("init", "-a", "RESOURCE", "-t", THING, "python311", "--no-docker", cwd=project).code == 0
    (project / "docs").rename(project / "old")
    (project / "docs").symlink_to(outside)
    refuses(desk.cfn("generate", cwd=project), 3, "leads out of the project")
    assert contents(outside) == before
