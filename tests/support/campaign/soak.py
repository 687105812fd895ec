"""What a server's processes hold after minutes of mixed work: memory, descriptors, threads, temporary folders, disk."""

import contextlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

_SETTLED_SHARE = 0.15  # of the samples after the warm-up: how many of them at each end are compared


@dataclass(frozen=True)
class Sample:
    """What is held at a moment, `seconds` after the start.

    `descriptors` are all but those of the database's files, of which a pool keeps some open.
    """

    seconds: int
    turns: int
    resident_kb: int
    descriptors: int
    threads: int
    handlers: int
    handlers_kb: int
    temporary_folders: int
    database_kb: int
    state_kb: int


def take_sample(seconds, turns, pid, temporary, state):
    """What the server `pid` holds now, and the processes that it started."""
    children = list(descendants(pid))
    files = [each.stat().st_size for each in _files(state)]
    database = [each.stat().st_size for each in _files(state) if ".db" in each.name or ".sqlite" in each.name]
    return Sample(
        seconds=int(seconds),
        turns=turns,
        resident_kb=_status(pid, "VmRSS"),
        descriptors=_descriptors(pid),
        threads=_status(pid, "Threads"),
        handlers=len(children),
        handlers_kb=sum(_status(each, "VmRSS") for each in children),
        temporary_folders=_entries(temporary),
        database_kb=sum(database) // 1024,
        state_kb=sum(files) // 1024,
    )


def _entries(folder):
    return sum(1 for _ in Path(folder).iterdir())


def _descriptors(pid):
    number = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            number += ".db" not in str(descriptor.readlink())
    return number


def _files(folder):
    for path in Path(folder).rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink():
                path.stat()
                yield path


def _status(pid, name):
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    return 0


def descendants(pid):
    """The processes that a process has started, and those that these have."""
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield int(child)
                yield from descendants(int(child))


def soak(stories, server, *, minutes, turns_per_second, note):
    """Keep the stories going for so long, about so many turns in a second; the samples and what was wrong.

    `server` has `pid`, `temporary` and `state`; `note` receives each sample as a line.
    """
    started, samples, wrong, turns = time.monotonic(), [], [], 0
    every = max(5.0, minutes * 60 / 240)
    while (now := time.monotonic() - started) < minutes * 60:
        for story in stories:
            if story.asked or turns <= (time.monotonic() - started) * turns_per_second:
                found = story.advance()
                turns += found is not None
                wrong += found or []
        if not samples or now - samples[-1].seconds >= every:
            samples.append(take_sample(now, turns, server.pid, server.temporary, server.state))
            note(json.dumps(asdict(samples[-1])))
        time.sleep(0.2)
    return samples, wrong


def settled(samples, name, warm_up_seconds):
    """The medians of a figure at the beginning and at the end of what comes after the warm-up."""
    warm = sorted((each for each in samples if each.seconds >= warm_up_seconds), key=lambda each: each.seconds)
    number = max(1, round(len(warm) * _SETTLED_SHARE))
    return tuple(_median([getattr(each, name) for each in part]) for part in (warm[:number], warm[-number:]))


def grown(samples, name, warm_up_seconds, *, slack=0):
    """Where the least of a figure became more, among samples with the same number of processes of handlers.

    Those are kept warm, up to ten of a function, and each has pipes, connections and threads.
    """
    warm = [each for each in samples if each.seconds >= warm_up_seconds]
    first, last = ({}, {})
    for index, each in enumerate(warm):
        half = first if index < len(warm) // 2 else last
        half[each.handlers] = min(half.get(each.handlers, getattr(each, name)), getattr(each, name))
    return [
        f"{name} with {handlers} handlers: {first[handlers]} became {last[handlers]}"
        for handlers in sorted(first.keys() & last.keys())
        if last[handlers] > first[handlers] + slack
    ]


def _median(numbers):
    return sorted(numbers)[len(numbers) // 2]
