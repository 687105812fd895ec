"""Canary templates: stacks made of the contract tests' inputs, for those who deploy them to watch a type."""

from formwork.generate.canary.templates import plan_canaries

__all__ = ["plan_canaries"]
