"""Benchmarks: `python -m bench [name…]` prints ratios against the incumbent, measured in the same run.

A bench is a module of this package with a `main()` that yields `table.Row` values; the docstring's first line is its
heading. `incumbent.py` installs what we are measured against, `measure.py` times processes, `table.py` prints,
`plot.py` draws.
"""
