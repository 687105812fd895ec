"""Every console session in the documentation is played, and goes as the page says."""

import os
import re
import shutil
from dataclasses import replace

import pytest

from support.commands import CFN
from support.corpus import REPOSITORY
from support.sessions import Command, play, read_session
from support.terminal_recording import lines_of, picture

RECORDING = REPOSITORY / "docs" / "tutorial" / "pictures" / "session.svg"
PAGES = [
    path
    for path in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    if read_session(path.read_text(encoding="utf-8"))
]


def test_the_readme_and_the_tutorial_have_sessions():
    names = {path.name for path in PAGES}
    assert {"README.md", "first-resource-type.md"} <= names


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_a_session_goes_as_its_page_says(page, desk, tmp_path):
    if page.parent != REPOSITORY:  # what a page's commands use stands beside it
        for folder in (each for each in page.parent.iterdir() if each.is_dir()):
            shutil.copytree(folder, tmp_path / folder.name)
    path = f"{CFN.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**desk.environment, "PATH": path, "FORMWORK_STATE": str(tmp_path / ".state")}
    exact = page.name == "README.md" and page.parent == REPOSITORY
    session = play(read_session(page.read_text(encoding="utf-8")), tmp_path, environment, exact=exact)
    if exact:
        _look_at_recording([replace(each, output=each.output.replace(str(tmp_path), "~")) for each in session])


def _look_at_recording(session):
    """Its lines are those of the picture in README.md; with FORMWORK_PICTURES set the picture is written anew."""
    drawn = picture(session)
    if os.environ.get("FORMWORK_PICTURES"):
        RECORDING.write_text(drawn, encoding="utf-8")
    told = [[steady(line) for line in lines_of(each)] for each in (drawn, RECORDING.read_text(encoding="utf-8"))]
    assert told[0] == told[1], "run pytest with FORMWORK_PICTURES=1"


def steady(line):
    """A line without what differs between two runs."""
    return re.sub(r"\d+(?:\.\d+)?", "0", "." * 8 if re.fullmatch(r"[.s]+", line) else line)


def test_a_session_that_goes_otherwise_is_noticed(tmp_path):
    for command in (Command("echo a", ("b",), 0), Command("false", (), 0), Command("echo a; exit 1", ("a",), 2)):
        with pytest.raises(AssertionError):
            play([command], tmp_path, dict(os.environ))
    with pytest.raises(AssertionError):
        play([Command("echo 7 lines in 2 s", ("8 lines in 2 s",), 0)], tmp_path, dict(os.environ), exact=True)
    play([Command("echo 7 lines in 2.5 s", ("7 lines in 1 s",), 0)], tmp_path, dict(os.environ), exact=True)
    play([Command("echo 7 lines; echo x; echo y", ("8 li...", "...", "y"), 0)], tmp_path, dict(os.environ))
