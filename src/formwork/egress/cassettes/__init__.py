"""Calls of handlers recorded in files, without their secrets, and answered from these later (docs/decisions/1330)."""
