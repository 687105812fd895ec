"""Shapes to JSON Schema."""
