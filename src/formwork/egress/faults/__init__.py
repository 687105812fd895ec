"""Failures injected into the calls of handlers: which call fails, in which way, and for how long."""
