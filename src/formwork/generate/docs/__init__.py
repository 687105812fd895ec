"""Generates the documentation for an extension's users."""

from formwork.generate.docs.pages import plan_docs

__all__ = ["plan_docs"]
