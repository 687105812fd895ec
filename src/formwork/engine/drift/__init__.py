"""Drift: differences between resources and their declarations in the template."""
