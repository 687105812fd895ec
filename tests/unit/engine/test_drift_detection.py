"""Detecting drift: what is read, what is kept, what can't be told."""

import pytest

from formwork.engine.drift.detection import DriftDetection
from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench

TEMPLATE = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red, Secret: hush}}
  B: {Type: Acme::Web::Thing, Properties: {Color: blue}}
"""


@pytest.fixture
def bench(database):
    bench = Bench(database)
    bench.drift = DriftDetection(bench.engine, bench.work)
    bench.create(TEMPLATE)
    return bench


def detect(bench, names=None):
    return bench.drift.describe(bench.drift.detect_stack(HERE, "shop", names))[0]


def test_nothing_has_drifted(bench):
    found = detect(bench)
    assert (found.status, found.drift_status, found.drifted) == ("DETECTION_COMPLETE", "IN_SYNC", 0)
    drifts = bench.drift.list_drifts(HERE, "shop")[2]
    assert {name: each.status for name, each in drifts.items()} == {"A": "IN_SYNC", "B": "IN_SYNC"}
    assert "hush" not in str(drifts)
    assert bench.stack().drift_status == "IN_SYNC"


def test_changes_and_deletions_outside(bench):
    store = bench.things.inner._simulator.store
    first, second = store.resources.values()
    first.model["Color"] = "green"
    del store.resources[second.key]
    found = detect(bench)
    assert (found.drift_status, found.drifted) == ("DRIFTED", 2)
    drifts = bench.drift.list_drifts(HERE, "shop")[2]
    assert {name: each.status for name, each in drifts.items()} == {"A": "MODIFIED", "B": "DELETED"}
    (difference,) = drifts["A"].details["differences"]
    assert (difference["path"], difference["expected"], difference["actual"]) == ("/Color", "red", "green")
    assert detect(bench, ["A"]).drifted == 1


def test_what_cannot_be_read_is_unknown(bench):
    bench.things.answer("READ", Failed("AccessDenied", "not allowed"), logical_id="A")
    found = detect(bench)
    assert (found.status, found.reason) == ("DETECTION_FAILED", "Failed to detect drift on resource(s) [A]")
    assert bench.drift.list_drifts(HERE, "shop")[2]["A"].details == {"reason": "not allowed"}


def test_what_cannot_be_asked_for(bench):
    with pytest.raises(StackError, match=r"Stack \[other\] does not exist"):
        bench.drift.detect_stack(HERE, "other")
    with pytest.raises(StackError, match="Resource Z does not exist for stack shop"):
        bench.drift.detect_resource(HERE, "shop", "Z")
    bench.things.fail("DELETE", logical_id="A")
    bench.delete("shop")
    with pytest.raises(StackError, match="while in DELETE_FAILED state"):
        bench.drift.detect_stack(HERE, "shop")
