"""Recorded answers of AWS replayed against the engine: the service in this process, scenarios, comparison, the tally."""
