"""Canary templates: stacks made of the contract tests' inputs, which users deploy to monitor a type."""

from formwork.generate.canary.templates import plan_canaries

__all__ = ["plan_canaries"]
