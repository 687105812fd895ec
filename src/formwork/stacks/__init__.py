"""Stored data of stacks: records, tables and statuses; and the errors with which requests are refused."""
