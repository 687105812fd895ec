"""Which files of the repository are pages of the site, and where each one is in it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# Files beside docs/ that are pages as well. README.md is two: what its section "Install" says is a page of its own.
README = ROOT / "README.md"
INSTALL = "install.md"
_BESIDE = {
    README: "index.md",
    DOCS / "README.md": "all-pages.md",
    ROOT / "CHANGELOG.md": "changelog.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "ARCHITECTURE.md": "architecture.md",
}
_PICTURES = (".png", ".svg")
_INSTALL_SECTION = re.compile(r"^## Install\n.*?(?=^## )", re.MULTILINE | re.DOTALL)


class SiteError(Exception):
    """The site cannot be built; the message says why and what to do."""


def page_names() -> dict[Path, str]:
    """Each Markdown file that becomes a page, with the page's path in the site's sources.

    A file with front matter is for programs (the skill of coding agents), and no page: links lead to the repository.
    """
    listed = (path for path in sorted(DOCS.rglob("*.md")) if not path.read_text(encoding="utf-8").startswith("---\n"))
    found = {path: _name(path) for path in listed}
    return {**found, **_BESIDE}


def pictures() -> dict[Path, str]:
    """Each picture that pages show, with its path in the site's sources."""
    listed = (path for path in sorted(DOCS.rglob("*")) if path.suffix in _PICTURES)
    return {path: path.relative_to(DOCS).as_posix() for path in listed}


def split_readme(text: str) -> tuple[str, str]:
    """README.md without its section "Install", and that section as a page.

    Raises:
        SiteError: README.md has no such section.
    """
    section = _INSTALL_SECTION.search(text)
    if section is None:
        raise SiteError('README.md has no section "Install" that another one follows: the site makes a page of it')
    return text.replace(section.group(), ""), section.group().removeprefix("#")


def _name(path: Path) -> str:
    inside = path.relative_to(DOCS)
    return (inside.parent / "index.md" if inside.name == "README.md" else inside).as_posix()
