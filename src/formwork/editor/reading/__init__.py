"""Documents as features see them: where the cursor is in a text that may be broken, and what JSON schemas say there."""
