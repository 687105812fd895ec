"""Processes that are forked from one that has imported everything: a second of imports each would be a test's cost."""

import multiprocessing
import multiprocessing.forkserver
import os
import pkgutil
from pathlib import Path
from unittest import mock

import formwork

_TESTS = str(Path(__file__).parents[1])
_LIVES = ("support.crash_life", "support.nested_life", "support.registry_crash")
_LIBRARIES = ("alembic.command", "dbos", "dbos._sys_db_sqlite", "sqlalchemy.dialects.sqlite")
_PACKAGES = ("api", "contract", "durable", "engine", "registry", "schema", "template")


def processes():
    """A context whose processes start at once. A test process has one server that they are forked from."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_LIVES, *_LIBRARIES, *_modules()])
    with mock.patch.dict(os.environ, PYTHONPATH=_TESTS):  # it gets no sys.path, and tells nobody what it can't import
        multiprocessing.forkserver.ensure_running()
    return context


def _modules():
    """Much is imported where it is needed first: all that a life might need."""
    for package in _PACKAGES:
        for each in pkgutil.walk_packages([f"{formwork.__path__[0]}/{package}"], f"formwork.{package}."):
            if "migrations" not in each.name and not each.name.endswith("__main__"):
                yield each.name
