"""The report of a policy project's tests, as text, JSON, JUnit's XML and a page."""

from formwork.policies.report.html import render_html
from formwork.policies.report.junit import render_junit
from formwork.policies.report.machine import render_json
from formwork.policies.report.text import gap_line, mutant_line, render_text, summary

__all__ = ["gap_line", "mutant_line", "render_html", "render_json", "render_junit", "render_text", "summary"]
