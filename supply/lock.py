"""The lock: each pin with the digests of all files of its release, as `pip install --require-hashes` reads it."""

import re
from collections.abc import Callable, Iterable, Mapping

from supply.index import ReleaseFile
from supply.pins import Pin, PinError

_HEADER = "# Written by `make lock` from constraints.txt: the SHA-256 digests of every file of each release."
_DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def render_lock(pins: Iterable[Pin], files: Callable[[Pin], Iterable[ReleaseFile]]) -> str:
    """The text of the lock."""
    lines = [_HEADER]
    for pin in pins:
        digests = sorted({file.sha256 for file in files(pin)})
        parts = [f"{pin.name}=={pin.version}", *(f"    --hash=sha256:{digest}" for digest in digests)]
        lines.append(" \\\n".join(parts))
    return "\n".join(lines) + "\n"


def parse_lock(text: str) -> Mapping[Pin, frozenset[str]]:
    """Each pin of a lock with its digests.

    Raises:
        PinError: something in it is neither a pin nor a digest, or a pin has no digest.
    """
    locked: dict[Pin, frozenset[str]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        if not line or line.startswith("#"):
            continue
        requirement, *options = line.split()
        digests = frozenset(found[1] for each in options if (found := _DIGEST.fullmatch(each)))
        name, _, version = requirement.partition("==")
        if not version or not digests or len(digests) != len(options):
            raise PinError(f'"{requirement}" is not NAME==VERSION with SHA-256 digests alone')
        locked[Pin(name, version)] = digests
    return locked
