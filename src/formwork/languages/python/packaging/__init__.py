"""Builds a Python project for Lambda: its code and its dependencies, resolved by pip without Docker."""
