"""Selectors: the language that picks shapes of a model."""

from formwork.smithy.selectors.parser import SelectorSyntaxError, parse_selector
from formwork.smithy.selectors.select import Selector, matches, select

__all__ = ["Selector", "SelectorSyntaxError", "matches", "parse_selector", "select"]
