"""The report as one self-contained page: the verdict, findings as exchanges, clauses with their proofs, and tests."""

from formwork.contract_results.report.html.page import render_html

__all__ = ["render_html"]
