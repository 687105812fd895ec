"""Long polling: a waiter's call is answered when the operation ends, instead of at its next poll.

botocore's default waiters poll every 30 seconds, and mark their calls in the User-Agent. Such a call is held until the
status is final, for at most 50 seconds: botocore stops reading after 60. The CDK has polling loops of its own.

Holding every Describe call would break clients that poll to show progress.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

from formwork.durable.observer import WorkObserver

HOLD_SECONDS = 50.0
_CDK_HOLD_SECONDS = 4.0  # it polls every 5, and shows the events that it reads meanwhile
# Changes that another process makes don't notify this one.
_ASK_AGAIN_SECONDS = 1.0

# The feature list of an SDK's User-Agent (version 2.1 of the specification): `m/B,Z`; B is a waiter.
_FEATURES = re.compile(r"(?:^|\s)m/([A-Za-z0-9+\-,]+)")

_CDK = re.compile(r"(?:^|\s)aws-cdk/")

Output = Mapping[str, Any]


def seconds_to_hold(user_agent: str, longest: float = HOLD_SECONDS) -> float:
    """Return how many seconds a call may be held, at most `longest`; 0 where the client is not a waiter."""
    if any("B" in features.split(",") for features in _FEATURES.findall(user_agent)):
        return longest
    return min(longest, _CDK_HOLD_SECONDS) if _CDK.search(user_agent) else 0.0


def _stack_in_progress(output: Output) -> bool:
    stacks = output.get("Stacks", ())
    return len(stacks) == 1 and (
        str(stacks[0]["StackStatus"]).endswith("_IN_PROGRESS") and stacks[0]["StackStatus"] != "REVIEW_IN_PROGRESS"
    )


# Operations that return a status, and whether their output says that the work is in progress.
IN_PROGRESS: Mapping[tuple[str, str], Callable[[Output], bool]] = {
    ("cloudformation", "DescribeTypeRegistration"): lambda output: output.get("ProgressStatus") == "IN_PROGRESS",
    ("cloudformation", "DescribeStacks"): _stack_in_progress,
    ("cloudformation", "DescribeChangeSet"): lambda output: str(output.get("Status")).endswith(
        ("_IN_PROGRESS", "_PENDING")
    ),
    ("cloudcontrol", "GetResourceRequestStatus"): lambda output: (
        output.get("ProgressEvent", {}).get("OperationStatus") in {"PENDING", "IN_PROGRESS", "CANCEL_IN_PROGRESS"}
    ),
}


class ChangeNotifier(WorkObserver):
    """Wakes every call that is held when something has changed; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._closed = False

    def changed(self) -> None:
        """Wake up all held calls, so that they check their condition again."""
        with self._lock:
            held = list(self._held.items())
        for event, loop in held:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and its calls with it
                loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """Release all held calls, and hold no further ones."""
        self._closed = True
        self.changed()

    async def hold(
        self,
        output: Output,
        ask: Callable[[], Awaitable[Output]],
        in_progress: Callable[[Output], bool],
        seconds: float,
        has_left: Callable[[], Awaitable[bool]],
    ) -> Output:
        """Call `ask` after each change, and return its first output that is not `in_progress`; `output` is the first.

        After `seconds`, or where the client `has_left`, return the latest output.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        with self._listen(loop) as changed:
            while in_progress(output) and not self._closed and (left := end - loop.time()) > 0:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), min(left, _ASK_AGAIN_SECONDS))
                changed.clear()  # before asking, so that a change meanwhile is not missed
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
