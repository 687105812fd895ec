"""What each diagnostic code means, and where its page is; `catalogue.json` is written by docs/generate.py."""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

# The documentation of the version that is released; a page's path follows.
DOCUMENTATION = "https://github.com/formwork-cfn/formwork-cfn/blob/main/docs/"


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """A code in the catalogue: one line on what it says, why it matters or further messages, and its page's address."""

    title: str
    detail: str
    address: str


def describe_code(code: str) -> CodeEntry | None:
    """The entry of a diagnostic's code; None for a code that the catalogue does not have."""
    entry = _catalogue().get(code)
    return None if entry is None else CodeEntry(entry["title"], entry["detail"], DOCUMENTATION + entry["page"])


@functools.cache
def _catalogue() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8")
    catalogue: dict[str, dict[str, str]] = json.loads(text)
    return catalogue
