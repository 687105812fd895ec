"""Handler processes: starting, freezing, measuring and killing them with everything they start.

The one place where platforms differ. POSIX: each handler leads a session of its own, so that Ctrl-C at the terminal
does not reach it, its group is stopped and killed as a whole, and a reaper process kills what is left should this
process itself be killed. Windows: a process group of its own, `taskkill /T` for the tree; no freezing, no memory limit,
and no reaper: a handler whose service was killed ends when it asks for its next event.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from formwork.lambda_host import reaper
from formwork.lambda_host.namespace import start_in_namespace
from formwork.lambda_host.way_out import NamespaceRequest, NamespaceSockets, NoNamespaceError

_PLATFORM: str = sys.platform
WINDOWS = _PLATFORM == "win32"


class HandlerProcess:
    """One handler process; its standard output and error are one pipe, `output` its reading end."""

    def __init__(  # noqa: PLR0913 - what a process needs
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        working_directory: Path,
        guard: "OrphanGuard",
        on_exit: Callable[[int], None],
        namespace: NamespaceRequest | None = None,
    ) -> None:
        """Start it; `on_exit` is called once, in a thread of this class, with the exit code (negative: a signal).

        With a `namespace` it has a network of its own, and `sockets` are those that were opened there.

        Raises:
            OSError: it could not be started.
            NoNamespaceError: the machine gives it no network of its own.
        """
        self._mark = secrets.token_hex(8)
        self._guard = guard
        self._on_exit = on_exit
        self._lock = threading.Lock()
        self._reaped = False
        self._frozen = False
        self.output, write_end = os.pipe()
        try:
            self._process, self.sockets = _start(
                command,
                namespace,
                {**environment, reaper.MARK_VARIABLE: self._mark},
                stdin=subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                cwd=working_directory,
                close_fds=True,
                start_new_session=not WINDOWS,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, NoNamespaceError):
            os.close(self.output)
            raise
        finally:
            os.close(write_end)
        self.pid = self._process.pid
        guard.watch(self.pid, self._mark)
        self._waiter = threading.Thread(target=self._wait, name=f"wait-{self.pid}", daemon=True)
        self._waiter.start()

    def freeze(self) -> None:
        """Stop it and its children in their tracks, as Lambda does between invocations."""
        self._signal_group("SIGSTOP", frozen=True)

    def thaw(self) -> None:
        """Resume the processes."""
        if self._frozen:
            self._signal_group("SIGCONT", frozen=False)

    def kill(self) -> None:
        """Kill it and everything it started; returns at once, `on_exit` follows."""
        with self._lock:
            if self._reaped:
                return
            if WINDOWS:
                command = ["taskkill", "/F", "/T", "/PID", str(self.pid)]
                subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - of the system
            else:
                reaper.kill_group(self.pid)

    def join(self, timeout: float) -> None:
        """Wait until it is gone and `on_exit` was called, at most `timeout` seconds."""
        self._waiter.join(timeout)

    def resident_bytes(self) -> int | None:
        """Return the resident memory of the process and its children, in bytes; None if unknown."""
        if _PLATFORM == "linux":
            return sum(_resident_bytes(pid) for pid in _family(self.pid))
        if _PLATFORM == "darwin":
            return _group_resident_bytes(self.pid)
        return None

    def _signal_group(self, name: str, *, frozen: bool) -> None:
        with self._lock:
            if WINDOWS or self._reaped:
                return
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, getattr(signal, name))
            self._frozen = frozen

    def _wait(self) -> None:
        if _PLATFORM == "linux":
            # Not reaped yet: its number stays taken, so that killing its group can't hit a stranger.
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
            reaper.kill_group(self.pid)
        with self._lock:
            code = self._process.wait()
            self._reaped = True
        reaper.kill_all_marked(self._mark)
        self._guard.forget(self.pid, self._mark)
        self._on_exit(code)


def _start(
    command: Sequence[str], namespace: NamespaceRequest | None, environment: Mapping[str, str], **settings: Any
) -> "tuple[subprocess.Popen[bytes], NamespaceSockets | None]":
    if namespace is not None:
        return start_in_namespace(command, namespace, environment=environment, **settings)
    return subprocess.Popen(list(command), env=dict(environment), **settings), None  # noqa: S603 - the command is ours


def _family(pid: int) -> list[int]:
    """Return the ids of the process and of its descendants that have not been re-parented."""
    found = [pid]
    for each in found:  # grows while it is walked
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text("ascii").split())
    return found


def _resident_bytes(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _group_resident_bytes(group: int) -> int | None:
    command = ["/bin/ps", "-A", "-o", "pgid=,rss="]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - of the system
    rows = [line.split() for line in listed.splitlines()]
    return sum(int(rss) * 1024 for pgid, rss in rows if pgid == str(group)) or None


class OrphanGuard:
    """Ensures that no handler process outlives this one, even if this one is killed.

    Its process starts with the first handler process, beside it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reaper: subprocess.Popen[bytes] | None = None
        self._closed = False

    def watch(self, pid: int, mark: str) -> None:
        """From now on the process group and the mark are killed when this process ends."""
        self._tell(f"+{pid} {mark}\n")

    def forget(self, pid: int, mark: str) -> None:
        """They are gone."""
        self._tell(f"-{pid} {mark}\n")

    def close(self) -> None:
        """End the reaper, which kills the processes that it still watches."""
        with self._lock:
            self._closed = True
            if self._reaper is not None and self._reaper.stdin is not None:
                self._reaper.stdin.close()
                self._reaper.wait(timeout=10)

    def _tell(self, line: str) -> None:
        if WINDOWS:
            return
        with self._lock:
            if self._closed:
                return
            if self._reaper is None:
                self._reaper = subprocess.Popen(  # noqa: S603 - our own interpreter
                    [sys.executable, "-I", "-S", reaper.__file__],
                    env={},  # handlers can read it
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            assert self._reaper.stdin is not None
            with contextlib.suppress(OSError):  # a killed reaper costs only its guard
                self._reaper.stdin.write(line.encode())
                self._reaper.stdin.flush()
