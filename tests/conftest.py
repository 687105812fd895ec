"""What every test may use; see README.md beside this file for the map of the tree."""

import gc
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import settings

from support import toolchains
from support.diagnostic_codes import check_every_diagnostic
from support.postgres import running_server, skip_without_postgres

# Hypothesis' own 200 ms an example fail on a machine that is busy elsewhere; a hang still fails.
settings.register_profile("patient", deadline=timedelta(seconds=20))
settings.load_profile("patient")

# A shell that starts this in the background has Ctrl-C ignored, and every command that the tests start would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What commands print is as wide and as plain as where nothing says otherwise, whoever runs the tests.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)

# A process holds all tests, and the collector of garbage looked through them again and again: a fifth of the tests' time.
gc.set_threshold(20_000, 20, 50)

check_every_diagnostic()

# The fixture `cloudformation`, also where the entry point of the plugin is not installed.
pytest_plugins = ["formwork.testing.plugin"]

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden files instead of comparing them")


def pytest_collection_modifyitems(items):
    for item in items:
        toolchains.prepare_item(item)
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(3600))


def pytest_collection_finish():
    gc.collect()
    gc.freeze()  # the tests stay to the end


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(toolchains.summary(terminalreporter.stats))


@pytest.fixture(scope="module", autouse=True)
def _no_compiled_rules_stay():
    """Free the compiled Guard rules of a module's tests: a gigabyte in each process that runs tests."""
    yield
    if rules := sys.modules.get("formwork.hooks.guard.rules"):
        rules.drop_compiled()


@pytest.fixture
def missing_toolchain(request):
    """Fails a test whose toolchain is missing where none may be."""
    names = [each.args[0] for each in request.node.iter_markers("toolchain")]
    pytest.fail("; ".join(filter(None, (toolchains.describe(name)[1] for name in names))))


@pytest.fixture(scope="session")
def make_database():
    """Makes an empty database on a PostgreSQL server that all tests of this process share; returns its URL."""
    skip_without_postgres()
    with running_server() as make:
        yield make


@pytest.fixture
def golden(request):
    """`golden("area/case/file", text)`: the text equals the golden file, or becomes it with --update-golden."""

    def check(name, text):
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.is_file(), f"no golden file {path}; run pytest --update-golden and look at what it wrote"
        assert text == path.read_text(encoding="utf-8"), f"{path} differs; run pytest --update-golden if it should"

    return check
