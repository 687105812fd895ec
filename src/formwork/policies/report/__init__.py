"""The report of a policy project's tests, as text, JSON and JUnit's XML."""

from formwork.policies.report.junit import render_junit
from formwork.policies.report.machine import render_json
from formwork.policies.report.text import gap_line, mutant_line, render_text, summary

__all__ = ["gap_line", "mutant_line", "render_json", "render_junit", "render_text", "summary"]
