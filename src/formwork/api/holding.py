"""Waiters answered when what they wait for is there, instead of 30 seconds later.

botocore's default waiters ask every 30 seconds, and say in their User-Agent that they are waiters. Such a call is held
until the answer is final, for 50 seconds at most: botocore gives up reading after 60. The CDK waits by its own loops.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

HOLD_SECONDS = 50.0
_CDK_HOLD_SECONDS = 4.0  # it asks every 5, and shows the events that it reads meanwhile
# Work that another process does rings no bell here.
_ASK_AGAIN_SECONDS = 1.0

# The feature list of an SDK's User-Agent (version 2.1 of the specification): `m/B,Z`; B is a waiter.
_FEATURES = re.compile(r"(?:^|\s)m/([A-Za-z0-9+\-,]+)")

_CDK = re.compile(r"(?:^|\s)aws-cdk/")

Output = Mapping[str, Any]


def patience_of(user_agent: str, longest: float = HOLD_SECONDS) -> float:
    """How many seconds a call may be held, at most `longest`; 0 for a client that wants to be answered at once."""
    if any("B" in features.split(",") for features in _FEATURES.findall(user_agent)):
        return longest
    return min(longest, _CDK_HOLD_SECONDS) if _CDK.search(user_agent) else 0.0


def _stack_moves(output: Output) -> bool:
    stacks = output.get("Stacks", ())
    return len(stacks) == 1 and (
        str(stacks[0]["StackStatus"]).endswith("_IN_PROGRESS") and stacks[0]["StackStatus"] != "REVIEW_IN_PROGRESS"
    )


# Operations that say how far something is, and whether their answer says that it goes on.
MOVING: Mapping[tuple[str, str], Callable[[Output], bool]] = {
    ("cloudformation", "DescribeTypeRegistration"): lambda output: output.get("ProgressStatus") == "IN_PROGRESS",
    ("cloudformation", "DescribeStacks"): _stack_moves,
    ("cloudformation", "DescribeChangeSet"): lambda output: str(output.get("Status")).endswith(
        ("_IN_PROGRESS", "_PENDING")
    ),
    ("cloudcontrol", "GetResourceRequestStatus"): lambda output: (
        output.get("ProgressEvent", {}).get("OperationStatus") in {"PENDING", "IN_PROGRESS", "CANCEL_IN_PROGRESS"}
    ),
}


class Bell:
    """Rung from any thread when something has changed; wakes every call that is held."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._closed = False

    def ring(self) -> None:
        """Something has changed: look again."""
        with self._lock:
            held = list(self._held.items())
        for event, loop in held:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it who waited
                loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """Hold nobody any more: the server ends."""
        self._closed = True
        self.ring()

    async def hold(
        self,
        output: Output,
        ask: Callable[[], Awaitable[Output]],
        moving: Callable[[Output], bool],
        seconds: float,
        has_left: Callable[[], Awaitable[bool]],
    ) -> Output:
        """The first answer of `ask` that is not `moving`, or the last one after `seconds`; `output` is its first.

        It ends early where the client `has_left`.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        with self._listen(loop) as rung:
            while moving(output) and not self._closed and (left := end - loop.time()) > 0:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(rung.wait(), min(left, _ASK_AGAIN_SECONDS))
                rung.clear()  # before asking: what changes meanwhile rings again
                if await has_left():
                    break
                output = await ask()
        return output

    @contextlib.contextmanager
    def _listen(self, loop: asyncio.AbstractEventLoop) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        event.set()  # it may have changed between the first answer and now
        with self._lock:
            self._held[event] = loop
        try:
            yield event
        finally:
            with self._lock:
                del self._held[event]
