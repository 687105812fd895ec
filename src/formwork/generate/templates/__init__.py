"""Templates of files of new projects, with `$names` to fill in; they have any type, so their names end in .txt."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

TEMPLATES = Path(__file__).parent


def render_template(path: Path, words: Mapping[str, str]) -> str:
    """Return the text of the template at `path` with every `$name` replaced; KeyError for a name without a value."""
    return Template(path.read_text(encoding="utf-8")).substitute(words)
