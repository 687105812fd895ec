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
        forks.extend(_Fork(_work(function, items, blocks)) for _ in range(processes - 1))
        found = {place: result for block in _work(function, items, blocks) for place, result in block.items()}
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


def _work(function: Callable[[Item], Result], items: Sequence[Item], blocks: _Blocks) -> Iterator[dict[int, Result]]:
    """Yield the results of each block that this process gets; end at an error."""
    with contextlib.suppress(Exception):  # it is raised where the item's turn is
        for block in blocks.take():
            yield {place: function(items[place]) for place in block}


class _Fork(Generic[Result]):
    """A process that works, and writes the results to a file in memory: a pipe would be full before it is read."""

    def __init__(self, work: Iterator[dict[int, Result]]) -> None:
        parent = os.getpid()
        self._file = open(os.memfd_create("results"), "w+b")  # noqa: SIM115, PTH123 - closed by `end`
        self._process = os.fork()
        if self._process == 0:
            self._work_and_exit(work, parent)

    def _work_and_exit(self, work: Iterator[dict[int, Result]], parent: int) -> None:
        """Work, write, and exit without what the parent does at its end: its buffers and files are the parent's."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            for each in work:
                if os.getppid() != parent:  # which was killed, and reads nothing more
                    break
                pickle.dump(each, self._file, protocol=pickle.HIGHEST_PROTOCOL)
            self._file.flush()
        finally:
            os._exit(0)

    def results(self) -> dict[int, Result]:
        """Return the results, when the process has ended; not those that it could not write or that can't be read."""
        os.waitpid(self._process, 0)
        self._process = 0
        self._file.seek(0)
        found: dict[int, Result] = {}
        with contextlib.suppress(Exception):  # at the end, or what classes say themselves of how they are read
            while True:
                found.update(pickle.load(self._file))  # noqa: S301 - of our own fork
        return found

    def end(self) -> None:
        """End the process where it still works, as after an interrupt."""
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        self._file.close()
