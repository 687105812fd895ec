"""Languages that handlers are written in: a folder each, behind `interface.Language`, found by `catalogue`."""
