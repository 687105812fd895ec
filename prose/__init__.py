"""The check of the wording of messages, docstrings and pages: `python -m prose`, part of `make check`."""
