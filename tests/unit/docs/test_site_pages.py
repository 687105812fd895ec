"""Pages are prepared for the site's generator, and have a place in its navigation (docs/decisions/0710)."""

import json
import sys

import pytest

from support.corpus import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "docs"))

from site_pages.markdown import reindent, relink
from site_pages.navigation import navigation
from site_pages.sources import DOCS, README, SiteError, page_names, split_readme
from site_pages.versions import add_version


def test_a_fence_in_a_list_item_moves_to_four_spaces_and_is_not_changed():
    given = "1. First\n\n   ```sh\n   $ a\n     | b\n   - no item\n   ```\n\n2. Second\n   - nested\n     more\n\nText"
    assert reindent(given) == (
        "1. First\n\n    ```sh\n    $ a\n      | b\n    - no item\n    ```\n\n"
        "2. Second\n    - nested\n        more\n\nText"
    )


def test_a_list_below_a_paragraph_gets_a_blank_line():
    assert reindent("Text:\n- a\n- b\n\nMore") == "Text:\n\n- a\n- b\n\nMore"


def test_a_number_in_a_paragraph_stays_text():
    assert reindent("There are\n16. More follows.") == "There are\n16\\. More follows."
    assert reindent("- instead of\n  8. More\n- b") == "- instead of\n    8\\. More\n- b"
    assert reindent("1. a\n2. b\n   - c") == "1. a\n2. b\n    - c"


def test_bars_in_code_in_a_table_are_bars():
    assert reindent(r"| `a\|b` | c\|d |") == r"| `a|b` | c\|d |"


def linked(text):
    page = DOCS / "how-to" / "write-a-hook.md"
    return relink(text, page, "how-to/write-a-hook.md", page_names(), lambda path: f"https://repository/{path}")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a](../reference/rules/README.md#b)", "[a](../reference/rules/index.md#b)"),
        ("[a](../reference/rules)", "[a](../reference/rules/index.md)"),
        ("[a](../README.md)", "[a](../all-pages.md)"),
        ("[a](../../README.md)", "[a](../index.md)"),
        ("[a](../../README.md#install)", "[a](../install.md)"),
        ("[a](../../src/formwork)", "[a](https://repository/src/formwork)"),
        ("[a](#here) [b](https://example.com/c)", "[a](#here) [b](https://example.com/c)"),
        ("```\n[a](../README.md)\n```", "```\n[a](../README.md)\n```"),
    ],
)
def test_links_lead_to_pages_of_the_site_and_else_to_the_repository(written, expected):
    assert linked(written) == expected


def test_the_readme_is_two_pages():
    text, install = split_readme(README.read_text(encoding="utf-8"))
    assert install.startswith("# Install\n")
    assert "## Install" not in text
    with pytest.raises(SiteError, match='section "Install"'):
        split_readme("# Formwork\n")


def test_a_file_for_agents_is_not_a_page():
    skill = DOCS / "agents" / "SKILL.md"
    assert skill.is_file()
    assert skill not in page_names()


def all_titles():
    return dict.fromkeys([*page_names().values(), "install.md"], "Title")


def listed(entries):
    for entry in entries:
        for below in entry.values():
            yield from listed(below) if isinstance(below, list) else [below]


def test_the_navigation_has_every_page_once_and_the_parts_in_order():
    entries = navigation(all_titles())
    assert sorted(listed(entries)) == sorted(all_titles())
    parts = [title for entry in entries for title in entry]
    order = [
        "Why Formwork",
        "Install",
        "Tutorials",
        "How-to guides",
        "Reference",
        "Explanation",
        "Decisions",
        "Project",
    ]
    assert parts == order


def test_a_new_page_comes_last_in_its_part():
    assert "how-to/new.md" in list(listed(navigation({**all_titles(), "how-to/new.md": "New"})))


def test_pages_without_a_place_and_places_without_a_page_are_reported():
    with pytest.raises(SiteError, match=r"no part for elsewhere/new\.md"):
        navigation({**all_titles(), "elsewhere/new.md": "New"})
    with pytest.raises(SiteError, match=r"do not exist: install\.md"):
        navigation({page: title for page, title in all_titles().items() if page != "install.md"})


def test_a_version_is_added_beside_the_others(tmp_path):
    for version in ("0.9.0", "0.10.0", "0.9.0"):
        built = tmp_path / "built"
        built.mkdir()
        (built / "index.html").write_text(version)
        add_version(tmp_path / "site", version, built)
    versions = json.loads((tmp_path / "site" / "versions.json").read_text())
    assert [each["version"] for each in versions] == ["0.10.0", "0.9.0"]
    assert "url=0.10.0/index.html" in (tmp_path / "site" / "index.html").read_text()
    assert (tmp_path / "site" / "0.9.0" / "index.html").read_text() == "0.9.0"
