"""Languages for handlers: one folder per language, behind `interface.Language`, found by `catalogue`."""
