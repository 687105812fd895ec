"""Which clock the work of a server goes by after the machine's was set while the server was down."""

import time

import pytest

from formwork.stacks.store.request_stages import RequestBegun
from formwork.stacks.store.requests import RequestRecord, insert_request
from support.crash_life import World
from support.registry import HERE

DAY = 86_400.0


@pytest.mark.parametrize("waits", [True, False], ids=["work waits", "nothing waits"])
def test_a_clock_that_was_set_between_two_lives(tmp_path, monkeypatch, waits):
    with World(tmp_path) as world:
        before = world.engine.settings.now()
    if waits:
        request = RequestRecord(
            token="t",
            scope=HERE,
            type="A::B::C",
            operation="CREATE",
            status="IN_PROGRESS",
            request="",
            began=before,
            updated=before,
            stage=RequestBegun(desired={}),
        )
        with World(tmp_path, works=False) as world, world.database.begin() as connection:
            insert_request(connection, request)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + DAY)
    with World(tmp_path) as world:
        passed = world.engine.settings.now() - before
    assert passed < 600 if waits else passed >= DAY
