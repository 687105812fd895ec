"""Stateful REST services made of OpenAPI documents: they answer for hosts that a handler calls."""
