"""The clocks of an invocation, and whether a short wait may be spent inside it."""

from __future__ import annotations

import time
from typing import Callable

from cloudformation_cli_python_lib.invocation import remaining_seconds

# Create, update and delete must answer within 60 seconds: local waits end well before.
_BUDGET_SECONDS = 30.0
_SPARE_SECONDS = 0.1


class Timing:
    """The time as one invocation sees it, from when this is made.

    Args:
        clock: Seconds since the epoch.
        sleep: Waits that many seconds.
        remaining: Seconds until Lambda ends the invocation, None if unknown.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        remaining: Callable[[], float | None] = remaining_seconds,
    ) -> None:
        self.clock = clock
        self.sleep = sleep
        self._remaining = remaining
        self._began = clock()

    def may_wait(self, seconds: float) -> bool:
        """Whether a wait, and twice as long a turn as the one so far after it, fit into this invocation."""
        spent = self.clock() - self._began
        remaining = self._remaining()
        fits = remaining is None or remaining > seconds + 2 * spent + _SPARE_SECONDS
        return fits and spent + seconds < _BUDGET_SECONDS
