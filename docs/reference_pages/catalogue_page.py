"""`schema_rules.json`: what the rules for schemas say about themselves, for programs that must not import them."""

import json

from formwork.schema.rules import all_rules
from reference_pages.rules_page import parts


def render() -> str:
    """The JSON text: code → {"title", "detail", "page"}, one line per code."""
    entries = {}
    for code, module in all_rules().items():
        found = parts(module)
        detail = f"{found['Finds'][:1].upper()}{found['Finds'][1:]} {found['Why']}"
        page = f"reference/rules/{code.removeprefix('schema.')}.md"
        entries[code] = {"title": found["title"], "detail": detail, "page": page}
    lines = [f"{json.dumps(code)}: {json.dumps(entries[code], ensure_ascii=False)}" for code in sorted(entries)]
    return "{\n" + ",\n".join(lines) + "\n}\n"
