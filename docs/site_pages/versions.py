"""The versions of the site: a folder for each one, a list of them, and a first page that leads to the newest.

The list is what the theme's menu of versions reads, in the form of the tool "mike".
"""

import html
import json
import shutil
from pathlib import Path

from packaging.version import InvalidVersion, Version

_FIRST_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Formwork</title>
<meta http-equiv="refresh" content="0; url={target}">
<a href="{target}">Formwork {version}</a>
</html>
"""


def add_version(site: Path, version: str, built: Path) -> None:
    """Move the pages in `built` into the site as those of `version`, beside the versions that are there."""
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / version, ignore_errors=True)
    shutil.move(built, site / version)
    there = sorted(filter(_is_version, site.iterdir()), key=lambda path: Version(path.name), reverse=True)
    listed = [{"version": path.name, "title": path.name, "aliases": []} for path in there]
    (site / "versions.json").write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")
    newest = html.escape(there[0].name)
    first = _FIRST_PAGE.format(target=f"{newest}/index.html", version=newest)
    (site / "index.html").write_text(first, encoding="utf-8")


def _is_version(path: Path) -> bool:
    try:
        Version(path.name)
    except InvalidVersion:
        return False
    return path.is_dir()
