"""What is told of an error that nobody foresaw: its class and where it was raised, never its message.

The message may repeat a value of the request, and no place that shows it knows which values are secret.
"""

import traceback
from collections.abc import Iterator
from pathlib import PurePath

_MOST_LINKS = 10


def internal_error(error: BaseException) -> str:
    """The error in one line: `internal error: KeyError (engine/step.py:12)`."""
    return f"internal error: {error_and_place(error)}"


def internal_failure(error: BaseException) -> str:
    """The same, as status reasons of stacks begin."""
    return f"Internal Failure: {error_and_place(error)}"


def error_and_place(error: BaseException) -> str:
    """The class of the error, and the line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    place = "/".join(PurePath(frames[-1].filename).parts[-2:])
    return f"{type(error).__name__} ({place}:{frames[-1].lineno})"


def traceback_of(error: BaseException) -> str:
    """The lines of code that led to the error, and to those that it came from, without messages."""
    lines: list[str] = []
    for each in _chain(error):
        lines += [
            "Traceback (most recent call last):\n",
            *traceback.format_tb(each.__traceback__),
            f"{type(each).__name__}\n",
        ]
    return "".join(lines).rstrip()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """What the error came from, the first cause first, and itself."""
    links: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and len(links) < _MOST_LINKS:
        links.append(found)
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return reversed(links)
