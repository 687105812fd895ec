"""The catalogue of diagnostic codes: meaning, fix, and the address of the page.

`codes.toml` has the codes, written by hand. `schema_rules.json` has those of the rules for schemas: docs/generate.py
writes it from the rules' docstrings, because reports that need it must not import every rule.
"""

import functools
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

# The documentation of the released version; a page's path follows.
DOCUMENTATION = "https://github.com/formwork-cfn/formwork-cfn/blob/main/docs/"
_PAGE = "reference/diagnostics.md"


class CodeEntry(Struct, frozen=True):
    """A code's meaning in one line, more about it (for a rule) or how to fix it (else), and its page's address."""

    title: str
    detail: str
    address: str


def describe_code(code: str) -> CodeEntry | None:
    """Return the entry of a diagnostic code, or None for an unknown one (a validation event of Smithy's, for one)."""
    if rule := _rules().get(code):
        return CodeEntry(rule["title"], rule["detail"], DOCUMENTATION + rule["page"])
    if code not in (codes := load_codes()["codes"]):
        return None
    title, fix = codes[code]
    return CodeEntry(
        title, f"{title}: {fix}" if fix else title, f"{DOCUMENTATION}{_PAGE}#{re.sub(r'[^a-z0-9-]', '', code)}"
    )


def known_codes() -> list[str]:
    """Return every code that `describe_code` has an entry of."""
    return [*_rules(), *load_codes()["codes"]]


@functools.cache
def load_codes() -> dict[str, dict[str, Any]]:
    """Return the hand-written catalogue: `areas`, area → its subject; `codes`, code → [meaning, how to fix it]."""
    return tomllib.loads(Path(__file__).with_name("codes.toml").read_text(encoding="utf-8"))


@functools.cache
def _rules() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("schema_rules.json").read_text(encoding="utf-8")
    rules: dict[str, dict[str, str]] = json.loads(text)
    return rules
