"""The catalogue of diagnostic codes that ships with the toolkit: what each means, and its page below docs/."""

import json
import re
from collections import defaultdict

from formwork.schema.rules import all_rules
from reference_pages.diagnostics_page import find_uses
from reference_pages.rules_page import parts


def render() -> str:
    """The JSON text: code → {"title", "detail", "page"}, one line a code."""
    entries = _rules() | {}
    for code, messages in _messages().items():
        title = messages[0] if messages else code.partition(".")[2].replace("-", " ")
        detail = "; ".join(messages[1:])
        anchor = re.sub(r"[^a-z0-9-]", "", code)
        entries.setdefault(code, {"title": title, "detail": detail, "page": f"reference/diagnostics.md#{anchor}"})
    lines = [f"{json.dumps(code)}: {json.dumps(entries[code], ensure_ascii=False)}" for code in sorted(entries)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rules() -> dict[str, dict[str, str]]:
    entries = {}
    for code, module in all_rules().items():
        found = parts(module)
        detail = f"{found['Finds'][:1].upper()}{found['Finds'][1:]} {found['Why']}"
        page = f"reference/rules/{code.removeprefix('schema.')}.md"
        entries[code] = {"title": found["title"], "detail": detail, "page": page}
    return entries


def _messages() -> dict[str, list[str]]:
    """The messages of each code, those with the fewest insertions first."""
    found: dict[str, set[str]] = defaultdict(set)
    for use in find_uses():
        found[use.code] |= {use.message} - {""}
    return {code: sorted(texts, key=lambda text: (text.count("{"), text)) for code, texts in found.items()}
