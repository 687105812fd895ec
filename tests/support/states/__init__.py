"""State folders of earlier code that was stopped in the middle of its work: how they are written, loaded and judged.

`python -m support.states.write` (with `tests` as PYTHONPATH) writes them into `tests/data/state_folders`; it is run
with the code whose state is to be kept, before that changes.
"""
