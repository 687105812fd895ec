"""The promise of the Python API: what it exports against what is noted in `api.json` (docs/decisions/1338).

`python -m stability` (`make check`) fails on an incompatible change that CHANGELOG.md does not announce, and where
`api.json` is out of date; `python -m stability write` (`make docs`) writes it.
"""
