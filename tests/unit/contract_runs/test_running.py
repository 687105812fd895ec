"""What a run of the contract tests does to its process."""

import gc
import weakref

from formwork.contract_runs.running import freeze_once


class Cycle:
    def __init__(self):
        self.own = self


def test_garbage_of_an_earlier_run_is_freed():
    frozen = gc.get_freeze_count()
    try:
        freeze_once()
        earlier = weakref.ref(Cycle())
        freeze_once()
        gc.collect()
        assert earlier() is None
    finally:
        if not frozen:
            gc.unfreeze()
