"""A wall clock for processes of a test, which the test sets while they run.

libfaketime also shifts steady clocks and does not reach handlers, whose environment is built again; patches of `time`
in Python do not reach C code; a time namespace does not shift the wall clock.
"""

import contextlib
import os
import shutil
import struct
import subprocess
from pathlib import Path
from unittest import mock

import pytest

DAY = 24 * 3600
_SOURCE = Path(__file__).with_name("wall_clock.c")


class WallClock:
    """The clock of every process that is started while it is `preloaded`; `shift` says by how much it is wrong."""

    def __init__(self, folder):
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler for a library that shifts the clock: apt-get install gcc")
        self._library, self._file = folder / "wall_clock.so", folder / "wall_clock"
        command = [compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", self._library, _SOURCE, "-ldl"]
        subprocess.run(command, check=True)
        self._write(0)

    @property
    def shift(self):
        """Seconds by which the clock is ahead of the machine's."""
        return struct.unpack("q", self._file.read_bytes())[0]

    def set(self, shift):
        """Set the clock, also for processes that run already."""
        self._write(shift)

    def _write(self, shift):
        # In place: the processes have the file mapped.
        with self._file.open("r+b" if self._file.exists() else "w+b", buffering=0) as file:
            file.write(struct.pack("q", shift))

    @contextlib.contextmanager
    def preloaded(self):
        """Processes that are started meanwhile, and theirs, have this clock."""
        given = {"LD_PRELOAD": str(self._library), "WALL_CLOCK_SHIFT": str(self._file)}
        with mock.patch.dict(os.environ, given):
            yield
