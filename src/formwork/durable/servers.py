"""The servers that run on this machine for this user: one file per server in a folder, locked while its process lives.

`cfn … --local` finds a server by it, whichever port and state folder the server uses.

The lock, not the process id, says whether a server is alive: the id may belong to another process by now. Scanning
ports, or an address in each server's own state folder, would not find a server whose folder the client does not know.
"""

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable.state_folder import FolderLock, read_locked_note
from formwork.private_files.modes import make_private_folder

FOLDER = "servers"
_SUFFIX = ".json"


class RunningServer(Struct, frozen=True):
    """The address of a server, and the state folder that it serves, None if it has none.

    `console` is the address of its console and the key of one-time links to it, None where it has no console.
    """

    url: str
    state: Path | None
    pid: int
    console: tuple[str, str] | None = None


@contextlib.contextmanager
def registered_server(
    home: Path, url: str, state: Path | None, console: tuple[str, str] | None = None
) -> Iterator[None]:
    """Register a server of this process in the user's state folder `home` until the end of the block.

    `console` is the address of its console and the key of links to it: only this user can read the file.

    A folder that cannot be written does not keep the server from starting; clients then need its address.
    """
    path = home / FOLDER / f"{os.getpid()}-{uuid.uuid4().hex[:8]}{_SUFFIX}"
    lock: FolderLock | None = None
    with contextlib.suppress(OSError, EnvironmentProblemError):
        make_private_folder(home)
        make_private_folder(path.parent)
        lock = FolderLock(path)
        lock.note(address=url, state=None if state is None else str(state), console=console)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()
            path.unlink(missing_ok=True)
            # an ephemeral server removes the folder; one that others use is not empty
            with contextlib.suppress(OSError):
                path.parent.rmdir()
                home.rmdir()


def running_servers(home: Path) -> list[RunningServer]:
    """Return the servers whose processes are alive, by address; remove the files of others."""
    found = []
    for path in sorted((home / FOLDER).glob(f"*{_SUFFIX}")):
        note = read_locked_note(path)
        state = note.get("state")
        match note.get("address"), note.get("pid"):
            case str(url), int(pid):
                console = note.get("console")
                found.append(
                    RunningServer(
                        url,
                        Path(state) if isinstance(state, str) else None,
                        pid,
                        (str(console[0]), str(console[1])) if isinstance(console, list) else None,
                    )
                )
            case _:  # its process has ended, or has just begun to write the file
                _remove_if_written(path)
    return sorted(found, key=lambda server: server.url)


def _remove_if_written(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.stat().st_size > 0:
            path.unlink()
