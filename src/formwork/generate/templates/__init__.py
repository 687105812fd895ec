"""Texts of new projects with `$names` to fill in; files of any type, so their names end in .txt."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

_GENERATE = Path(__file__).parent.parent


def render_template(path: str, words: Mapping[str, str]) -> str:
    """The text at `path` below `formwork/generate`, with every `$name` replaced; KeyError for one without a word."""
    return Template((_GENERATE / path).read_text(encoding="utf-8")).substitute(words)
