"""Processes that are forked from one that has imported everything: a second of imports each would be a test's cost."""

import atexit
import multiprocessing.connection
import multiprocessing.context
import multiprocessing.forkserver
import multiprocessing.popen_forkserver
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest import mock

import formwork

_TESTS = str(Path(__file__).parents[1])
_LIVES = ("support.crash_life", "support.nested_life", "support.registry_crash")
_LIBRARIES = (
    *("alembic.command", "botocore.session", "sqlalchemy.dialects.sqlite"),
    *("starlette.applications", "uvicorn.lifespan.on", "uvicorn.loops.asyncio", "uvicorn.protocols.http.h11_impl"),
)
_PACKAGES = ("api", "cli", "contract", "durable", "engine", "registry", "schema", "template")


def processes():
    """A context whose processes start at once. A test process has one server that they are forked from."""
    context = _Context()
    context.set_forkserver_preload([*_LIVES, *_LIBRARIES, *_modules()])
    with mock.patch.dict(os.environ, PYTHONPATH=_TESTS):  # it gets no sys.path, and tells nobody what it can't import
        multiprocessing.forkserver.ensure_running()
    return context


def stop():
    """End the server that processes are forked from: the next one begins with the environment of its time."""
    multiprocessing.forkserver._forkserver._stop()


def _modules():
    """Much is imported where it is needed first: all that a life might need."""
    for package in _PACKAGES:
        for each in pkgutil.walk_packages([f"{formwork.__path__[0]}/{package}"], f"formwork.{package}."):
            if "migrations" not in each.name and not each.name.endswith("__main__"):
                yield each.name


class _Popen(multiprocessing.popen_forkserver.Popen):
    """A process whose exit code is read once.

    Each start of a process polls all the others. While a thread starts one, and another waits for the end of its own, both
    would read the one code that the server writes, and who finds nothing left says 255.
    """

    _reading = threading.Lock()

    def poll(self, flag=os.WNOHANG):
        if self.returncode is None and not multiprocessing.connection.wait(
            [self.sentinel], 0 if flag == os.WNOHANG else None
        ):
            return None
        with self._reading:
            return super().poll()


class _Process(multiprocessing.context.ForkServerProcess):
    _Popen = staticmethod(_Popen)


class _Context(multiprocessing.context.ForkServerContext):
    Process = _Process


class ForkedCommand:
    """`cfn` with its words, running; what a test uses of a `subprocess.Popen`."""

    def __init__(self, words, *, cwd, env):
        context = processes()
        pipes = [context.Pipe(duplex=False) for _ in range(2)]
        ends = [end for _, end in pipes]
        self._process = context.Process(target=_cfn, args=(words, str(cwd), env, *ends), daemon=True)
        self._process.start()
        for each in ends:
            each.close()
        self.pid = self._process.pid
        self.stdout, self.stderr = (_text(end) for end, _ in pipes)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.stdout.close()
        self.stderr.close()
        self._process.join()

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout=None):
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("cfn", timeout)
        return self._process.exitcode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self._process.kill()


def run_command(words, *, cwd, env, timeout):
    """`cfn` with its words, to its end: as `subprocess.run` returns it."""
    with ForkedCommand(words, cwd=cwd, env=dict(env)) as running:
        read = []
        reader = threading.Thread(target=lambda: read.append(running.stderr.read()), daemon=True)
        killer = threading.Timer(timeout, running.kill)
        for each in (reader, killer):
            each.start()
        out = running.stdout.read()
        reader.join()
        code = running.wait()
        killer.cancel()
    if code == -signal.SIGKILL:
        raise subprocess.TimeoutExpired(["cfn", *words], timeout, out, read[0])
    return subprocess.CompletedProcess(["cfn", *words], code, out, read[0])


def may_be_forked(env):
    """Whether a command with this environment does the same in a process that has started already."""
    return not any(name.startswith(("PYTHON", "LC_")) and os.environ.get(name) != env[name] for name in env)


def _text(connection):
    """What comes through a pipe, as text; its end is the end of the pipe."""
    with connection:
        return os.fdopen(os.dup(connection.fileno()), encoding="utf-8")


def _cfn(words, folder, environment, *ends):
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    tempfile.tempdir = None  # which may have been found in another environment
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, each in enumerate((nothing, *(each.fileno() for each in ends))):
        os.dup2(each, number)
        os.close(each)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    sys.argv = ["cfn", *words]
    sys.path = [each for each in sys.path if each not in ("", _TESTS)]
    from formwork.cli.entry import run

    try:
        code = run()
    finally:  # what ends with the interpreter, which this process ends without
        threading._shutdown()
        atexit._run_exitfuncs()
    sys.exit(code)
