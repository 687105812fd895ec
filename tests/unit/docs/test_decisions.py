"""Each decision page has a title and four parts, and code or a test refers to it."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted(path for path in (ROOT / "docs" / "decisions").glob("*.md") if path.name != "README.md")
PARTS = ["Context", "Options", "Choice", "Consequence"]
CODE = ("src", "runtime", "tests", "bench", "prose", "supply", "examples", "editors", "Makefile", "pyproject.toml")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:4])
def test_a_page_has_a_title_and_four_parts_in_order(page):
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.name[:4]}: ")
    starts = re.findall(rf"^\*\*({'|'.join(PARTS)})\b", text, re.MULTILINE)
    assert list(dict.fromkeys(starts)) == PARTS


def test_code_refers_to_each_page():
    command = ["git", "grep", "--untracked", "-hoE", r"decisions?[/ ][0-9]{4}(,? (and )?[0-9]{4})*", "--", *CODE]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    named = set(re.findall(r"[0-9]{4}", found))
    assert {page.name[:4] for page in PAGES} <= named


def test_code_refers_to_no_page_that_does_not_exist():
    command = ["git", "grep", "--untracked", "-hoE", r"docs/decisions/[0-9]{4}", "--", *CODE]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"[0-9]{4}", found)) <= {page.name[:4] for page in PAGES}
