"""One function over many items, on all cores, by forks of this process.

Only where forks are safe and worth it: on Linux (elsewhere the system's own libraries do not outlive a fork), with two
cores or more, and with many items; otherwise here, one after another. The results are the same.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_WORTH_IT = 64  # items, of about a millisecond each, that outweigh a fork


class _Share(NamedTuple, Generic[Result]):
    """The results of some items, and the error that ended the work on them early."""

    results: list[Result]
    error: Exception | None


def map_on_all_cores(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return what `function` returns for each item, in the order of the items.

    Results of forks are pickled; what the function changes in their memory is lost.

    Raises:
        Exception: what `function` raised first, in the order of the items.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if cores == 1 or len(items) < _WORTH_IT:
        return [function(item) for item in items]
    first = function(items[0])  # before the forks, which share what it imports
    shares = [items[1 + number :: cores] for number in range(cores)]
    forks: list[_Fork[Item, Result]] = []
    try:
        forks.extend(_Fork(function, share) for share in shares[1:])
        done = [_work(function, shares[0]), *(each.result() for each in forks)]
    finally:
        for each in forks:
            each.end()
    return [first, *(_take(done[number % cores], number // cores) for number in range(len(items) - 1))]


def _work(function: Callable[[Item], Result], items: Sequence[Item]) -> _Share[Result]:
    results: list[Result] = []
    try:
        results.extend(map(function, items))  # those before an error stay
    except Exception as error:  # noqa: BLE001 - it is raised in the order of all items
        return _Share(results, error)
    return _Share(results, None)


def _take(share: _Share[Result], place: int) -> Result:
    if place == len(share.results) and share.error is not None:
        raise share.error
    return share.results[place]


class _Fork(Generic[Item, Result]):
    """A process that works on some of the items and sends the results through a pipe."""

    def __init__(self, function: Callable[[Item], Result], items: Sequence[Item]) -> None:
        self._function, self._items = function, items
        self._read, write = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            self._work_and_exit(write)
        os.close(write)

    def _work_and_exit(self, write: int) -> None:
        """Work, send, and exit without what the parent does at its end: its buffers and files are the parent's."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.close(self._read)  # without a reader, where the parent was killed, the sending fails
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(_work(self._function, self._items), pipe, protocol=pickle.HIGHEST_PROTOCOL)
        finally:
            os._exit(0)

    def result(self) -> _Share[Result]:
        """Return the results; those of a process that was killed, or could not send them, are found here."""
        with os.fdopen(self._read, "rb") as pipe:
            self._read = -1
            sent = pipe.read()
        try:
            share: _Share[Result] = pickle.loads(sent)  # noqa: S301 - of our own fork
        except Exception:  # noqa: BLE001 - classes of errors say themselves how they are read
            return _work(self._function, self._items)
        return share

    def end(self) -> None:
        """End the process where it still works, as after an interrupt."""
        if self._read >= 0:
            os.close(self._read)
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
