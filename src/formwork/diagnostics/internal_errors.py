"""Descriptions of unexpected errors: the class and where it was raised, never the message.

The message may repeat a value of the request, and the code that shows it cannot tell which values are secret.

Masking by the values of the request is not possible where such errors are caught (a connection, a worker's loop), and a
list of harmless error classes would not be kept up. `FORMWORK_TRACEBACK=1` prints everything.
"""

import traceback
from collections.abc import Iterator
from pathlib import PurePath

_MOST_LINKS = 10


def internal_error(error: BaseException) -> str:
    """Return the error in one line: `internal error: KeyError (engine/step.py:12)`."""
    return f"internal error: {error_and_place(error)}"


def internal_failure(error: BaseException) -> str:
    """Return the error in one line, as a stack's status reason: `Internal Failure: KeyError (engine/step.py:12)`."""
    return f"Internal Failure: {error_and_place(error)}"


def error_and_place(error: BaseException) -> str:
    """Return the class of the error and the line of code that raised it: `KeyError (engine/step.py:12)`."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    place = "/".join(PurePath(frames[-1].filename).parts[-2:])
    return f"{type(error).__name__} ({place}:{frames[-1].lineno})"


def traceback_of(error: BaseException) -> str:
    """Return the traceback of the error and of its causes, without their messages."""
    lines: list[str] = []
    for link in _chain(error):
        lines += [
            "Traceback (most recent call last):\n",
            *traceback.format_tb(link.__traceback__),
            f"{type(link).__name__}\n",
        ]
    return "".join(lines).rstrip()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Return the error and its causes, the first cause first."""
    links: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and len(links) < _MOST_LINKS:
        links.append(found)
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return reversed(links)
