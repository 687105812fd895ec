"""What a diagnostic code or a clause of the handler contract means."""

import difflib

from formwork.agents.answers import ToolAnswer
from formwork.contract_results.clauses import CLAUSES
from formwork.diagnostics.catalogue import describe_code, known_codes


def explain(code: str) -> ToolAnswer:
    """Return the meaning of `code`, how to fix it, and its page; for an unknown code those with similar names."""
    if entry := describe_code(code):
        return ToolAnswer({"code": code, "title": entry.title, "detail": entry.detail, "page": entry.address})
    if clause := CLAUSES.get(code):
        unprovable = {} if clause.unprovable is None else {"unprovable": clause.unprovable}
        return ToolAnswer({"clause": code, "level": str(clause.level), "text": clause.text, **unprovable})
    near = difflib.get_close_matches(code, [*known_codes(), *CLAUSES], n=5, cutoff=0.4)
    return ToolAnswer({"error": f'unknown code "{code}"', "similar": near}, failed=True)
