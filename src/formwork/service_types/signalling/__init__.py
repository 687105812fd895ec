"""Signals: programs tell a stack that what they do for it is done, or that it failed."""
