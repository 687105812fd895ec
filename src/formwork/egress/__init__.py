"""The gate: every request that leaves a handler process passes here, and is answered as a rule for its host says."""
