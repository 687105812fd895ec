"""Recorded answers of AWS replayed against the engine: the service in this process, scenarios, comparison, the tally.

`tests/conformance/fidelity/scenarios/` says as data which calls lead to a recorded case. Each recorded member is equal,
different with a reason (`differences.yaml`), or not applicable (`exclusions.yaml`). `make test` replays every third
case without macros, `make conformance` all of them.
"""
