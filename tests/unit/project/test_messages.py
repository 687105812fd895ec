"""What is said about projects with something wrong: each folder of golden/project is one, its messages beside it."""

import pytest

from conftest import GOLDEN
from formwork.diagnostics import sort_diagnostics
from formwork.diagnostics.render import render_text
from formwork.project.check import check_path

CASES = sorted(each.name for each in (GOLDEN / "project").iterdir() if each.is_dir())


def source(file):
    with open(file, encoding="utf-8") as opened:  # noqa: PTH123 - a name as diagnostics have it
        return opened.read()


@pytest.mark.parametrize("case", CASES)
def test_messages(case, golden, monkeypatch):
    from pathlib import Path

    monkeypatch.chdir(GOLDEN / "project" / case)
    # The schema's rules have messages and cases of their own.
    found = [each for each in sort_diagnostics(check_path(Path()).diagnostics) if not each.code.startswith("schema.")]
    assert found
    golden(f"project/{case}/messages.txt", render_text(found, source=source))
