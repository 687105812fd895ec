"""What a handler process writes: read all the time, so that it never blocks, and handed out by invocation."""

import contextlib
import os
import select
import threading
from collections.abc import Callable

from formwork.diagnostics.secret_edges import CUT
from formwork.lambda_host.processes import WINDOWS

# How much of an invocation's log is kept, from its end.
KEPT_BYTES = 1024 * 1024
# A pipe holds 64 KB; more reads than this only chase a process that never stops writing.
_DRAIN_READS = 32
# Where a line is handed out in parts. An ellipsis at each cut says so, to who masks parts of secrets there, too.
_LONG_LINE, _LONGEST_WORD = 8192, 64 * 1024


class LogPipe:
    """The reading end of a handler process's output.

    `on_line` receives every complete line as it is written, in the reading thread; long ones come in parts.
    """

    def __init__(self, descriptor: int, *, on_line: Callable[[str], None]) -> None:
        self._descriptor = descriptor
        self._on_line = on_line
        self._lock = threading.Lock()
        self._kept = bytearray()
        self._dropped = 0
        self._line = bytearray()
        self._in_line = False  # whether a part of the line was handed out
        self._ended = threading.Event()
        self._wake_read, self._wake_write = os.pipe()
        if not WINDOWS:
            os.set_blocking(descriptor, False)
        self._thread = threading.Thread(target=self._pump, name=f"log-{descriptor}", daemon=True)
        self._thread.start()

    def take(self) -> str:
        """Return the output since the last call, including what is still in the pipe."""
        if WINDOWS:
            self._ended.wait(0.01)  # no way to read without blocking: give the reading thread a moment
        with self._lock:
            if not WINDOWS:
                for _ in range(_DRAIN_READS):
                    if not self._read():
                        break
            dropped = self._dropped + (self._drop_partial_line() if self._dropped else 0)
            text = self._kept.decode(errors="replace")
            if dropped:
                text = f"[{dropped} bytes of log dropped]\n{text}"
            self._kept.clear()
            self._dropped = 0
        return text

    def _drop_partial_line(self) -> int:
        """Drop a line whose beginning is lost, since a part of a secret could not be masked; return its length."""
        end = self._kept.find(b"\n") + 1 or len(self._kept)
        del self._kept[:end]
        return end

    def close(self) -> None:
        """Stop reading; a process that still writes gets a broken pipe."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"x")
        self._thread.join(5)
        os.close(self._wake_write)

    def _pump(self) -> None:
        try:
            while self._wait():
                with self._lock if not WINDOWS else contextlib.nullcontext():
                    if self._read() is None:
                        return
        finally:
            self._ended.set()
            with self._lock:
                if self._line:
                    self._hand_out(self._line, ends=False)  # killed within a line, perhaps
                os.close(self._descriptor)
                os.close(self._wake_read)
                self._descriptor = -1

    def _wait(self) -> bool:
        """Wait until there is something to read; False when it's time to stop."""
        if WINDOWS:
            return True
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        return self._wake_read not in {ready for ready, _ in poll.poll()}

    def _read(self) -> bool | None:
        """Read once; whether there was something, None at the end."""
        if self._descriptor < 0:
            return None
        try:
            data = os.read(self._descriptor, 64 * 1024)
        except BlockingIOError:
            return False
        except OSError:
            return None
        if not data:
            return None
        self._kept += data
        if (over := len(self._kept) - KEPT_BYTES) > 0:
            del self._kept[:over]
            self._dropped += over
        self._forward(data)
        return True

    def _forward(self, data: bytes) -> None:
        self._line += data
        *lines, rest = self._line.split(b"\n")
        self._line = bytearray(rest)
        for each in lines:
            self._hand_out(each, ends=True)
        while len(self._line) > _LONG_LINE:  # a line without an end must not grow for ever
            end = self._line.rfind(b" ", 0, _LONG_LINE) + 1 or self._line.find(b" ") + 1
            if not end and len(self._line) <= _LONGEST_WORD:
                return
            self._hand_out(self._line[: end or _LONGEST_WORD], ends=False)
            del self._line[: end or _LONGEST_WORD]

    def _hand_out(self, part: bytes | bytearray, *, ends: bool) -> None:
        begin, end = CUT if self._in_line else "", "" if ends else CUT
        self._in_line = not ends
        self._on_line(f"{begin}{part.decode(errors='replace')}{end}")
