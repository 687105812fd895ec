"""Processes that are forked from one that has imported everything: a second of imports each would be a test's cost."""

import multiprocessing
import multiprocessing.forkserver
import os
import pkgutil
import subprocess
import sys
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
    context = multiprocessing.get_context("forkserver")
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


def _text(connection):
    """What comes through a pipe, as text; its end is the end of the pipe."""
    with connection:
        return os.fdopen(os.dup(connection.fileno()), encoding="utf-8")


def _cfn(words, folder, environment, *ends):
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, each in enumerate(ends, 1):
        os.dup2(each.fileno(), number)
        each.close()
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    sys.argv = ["cfn", *words]
    from formwork.cli.entry import run

    sys.exit(run())
