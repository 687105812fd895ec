"""One function over many items, on all cores, by forks of this process.

Only where forks are safe and worth it: on Linux (elsewhere the system's own libraries do not outlive a fork), with two
cores or more, and with many items for each; otherwise here, one after another. The results are the same.
"""

import contextlib
import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_OF_EACH = 32  # items, of about a millisecond each, that outweigh a fork
_BLOCKS = 1000  # at most, of neighbouring items; their numbers fit into one write to a pipe
_NUMBER_BYTES = 4


def map_on_all_cores(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return what `function` returns for each item, in the order of the items.

    Results of forks are pickled; what the function changes in their memory is lost.

    Raises:
        Exception: what `function` raised first, in the order of the items.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    processes = min(cores, len(items) // _OF_EACH)
    if processes < 2:
        return [function(item) for item in items]
    found = {0: function(items[0])}  # before the forks, which share what it imports
    found.update(_find(function, items, range(1, len(items)), processes))
    return [found[place] if place in found else function(item) for place, item in enumerate(items)]


def _find(
    function: Callable[[Item], Result], items: Sequence[Item], places: range, processes: int
) -> dict[int, Result]:
    """Return the results at `places`, without those of a process that ended early or met an error."""
    size = -(-len(places) // _BLOCKS)
    blocks = _Blocks([places[start : start + size] for start in range(0, len(places), size)])
    forks: list[_Fork[Result]] = []
    gc.freeze()  # collections would copy the memory that the forks share
    try:
        forks.extend(_Fork(lambda: _work(function, items, blocks)) for _ in range(processes - 1))
        found = _work(function, items, blocks)
        for each in forks:
            found.update(each.results())
    finally:
        for each in forks:
            each.end()
        blocks.close()
        gc.unfreeze()
    return found


class _Blocks:
    """Blocks of places, taken one by one by several processes: their numbers wait in a pipe."""

    def __init__(self, blocks: Sequence[range]) -> None:
        self._blocks = blocks
        self._read, write = os.pipe()
        os.write(write, b"".join(number.to_bytes(_NUMBER_BYTES) for number in range(len(blocks))))
        os.close(write)

    def take(self) -> Iterator[range]:
        """Yield blocks that no other process has, until none is left."""
        while number := os.read(self._read, _NUMBER_BYTES):
            yield self._blocks[int.from_bytes(number)]

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._read)


def _work(function: Callable[[Item], Result], items: Sequence[Item], blocks: _Blocks) -> dict[int, Result]:
    """Return the results of the blocks that this process gets; at an error it stops, and leaves that item out."""
    found: dict[int, Result] = {}
    with contextlib.suppress(Exception):  # it is raised where the item's turn is
        for block in blocks.take():
            found.update((place, function(items[place])) for place in block)
    return found


class _Fork(Generic[Result]):
    """A process that works, and sends the results through a pipe."""

    def __init__(self, work: Callable[[], dict[int, Result]]) -> None:
        self._read, write = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            self._work_and_exit(work, write)
        os.close(write)

    def _work_and_exit(self, work: Callable[[], dict[int, Result]], write: int) -> None:
        """Work, send, and exit without what the parent does at its end: its buffers and files are the parent's."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.close(self._read)  # without a reader, where the parent was killed, the sending fails
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(work(), pipe, protocol=pickle.HIGHEST_PROTOCOL)
        finally:
            os._exit(0)

    def results(self) -> dict[int, Result]:
        """Return the results; none of a process that was killed, or could not send them."""
        with os.fdopen(self._read, "rb") as pipe:
            self._read = -1
            sent = pipe.read()
        try:
            results: dict[int, Result] = pickle.loads(sent)  # noqa: S301 - of our own fork
        except Exception:  # noqa: BLE001 - classes say themselves how they are read
            return {}
        return results

    def end(self) -> None:
        """End the process where it still works, as after an interrupt."""
        if self._read >= 0:
            os.close(self._read)
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
