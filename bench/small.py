"""Whether benches run in small: to see that none is broken, not to measure (`python -m bench --small`).

It is set before a bench is imported, which takes its sizes from it.
"""

SMALL = False
