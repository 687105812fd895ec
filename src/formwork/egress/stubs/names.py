"""Names by which documents call the same things: `names.toml`."""

import re
import tomllib
from pathlib import Path


def plain(name: str) -> str:
    """Return a name without the signs and the case that spellings differ in."""
    return re.sub("[^a-z0-9]", "", name.lower())


# Area → what is named → its names, in the order of the file.
NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    area: {what: tuple(names) for what, names in members.items()}
    for area, members in tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8")).items()
}
