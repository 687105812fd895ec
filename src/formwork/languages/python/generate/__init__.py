"""Generates projects in Python."""
