"""Stacks in stacks."""
