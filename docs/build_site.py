"""Builds the documentation site, without a network: `python docs/build_site.py` (`make site`).

The pages of this version go into a folder of their own; the other versions in the site stay.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parent))

from site_pages.markdown import reindent, relink
from site_pages.navigation import navigation
from site_pages.sources import INSTALL, README, ROOT, SiteError, page_names, pictures, split_readme
from site_pages.versions import add_version

_SETTINGS = Path(__file__).resolve().parent / "site_pages" / "zensical.toml"


def main() -> int:
    """Build the site; the exit code: 0 fine, 1 a page to repair, 3 the generator is missing."""
    parser = argparse.ArgumentParser(prog="docs/build_site.py", description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "site", metavar="FOLDER", help="the site (default: site)")
    into = parser.parse_args().into
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    generator = Path(sys.executable).with_name("zensical")
    if not generator.is_file():
        print("error: Zensical is not installed: run `make site`, which installs it", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            write_sources(folder, project["version"], project["urls"]["Source"])
        except SiteError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        # Strict: a link to a page or heading that does not exist fails the build.
        ended = subprocess.run(
            [generator, "build", "--strict"], cwd=folder, capture_output=True, text=True, check=False
        )
        if ended.returncode:
            print(ended.stdout + ended.stderr, file=sys.stderr)
            return 1
        (folder / "built" / "404.html").unlink()  # its links are for a site that is not in a folder
        add_version(into, project["version"], folder / "built")
    print(f"wrote {into}: {project['version']}; to read it: {sys.executable} -m http.server --directory {into}")
    return 0


def write_sources(folder: Path, version: str, source: str) -> None:
    """Write into `folder` what the generator reads.

    Raises:
        SiteError: a page has no title, or no place in the navigation.
    """
    names, shown = page_names(), pictures()
    titles = {}
    for file, page in names.items():
        text = file.read_text(encoding="utf-8")
        text = relink(text, file, page, {**names, **shown}, lambda path: f"{source}/blob/main/{path}")
        own, install = split_readme(text) if file == README else (text, None)
        texts = {page: own, **({INSTALL: install} if install else {})}
        for name, content in texts.items():
            titles[name] = _title(content, file)
            target = folder / "pages" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(reindent(content), encoding="utf-8")
    for file, name in shown.items():
        (folder / "pages" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / "pages" / name)
    settings = Template(_SETTINGS.read_text(encoding="utf-8"))
    filled = settings.substitute(version=version, nav=_inline(navigation(titles)))
    (folder / "zensical.toml").write_text(filled, encoding="utf-8")


def _title(text: str, file: Path) -> str:
    first = text.lstrip().partition("\n")[0]
    if not first.startswith("# "):
        raise SiteError(f'{file}: the first line is not a title: expected "# …"')
    return first.removeprefix("# ").replace("`", "")


def _inline(entries: list[dict[str, object]]) -> str:
    """Entries of the navigation as a value of TOML, whose texts are those of JSON."""
    written = []
    for entry in entries:
        for title, below in entry.items():
            value = _inline(below) if isinstance(below, list) else json.dumps(below)
            written.append(f"{{ {json.dumps(title)} = {value} }}")
    return "[" + ", ".join(written) + "]"


if __name__ == "__main__":
    sys.exit(main())
