"""Each bench can be run: those that need nothing of the incumbent's in small, the others are at least imported."""

import pkgutil
import sys
from pathlib import Path

import bench
import pytest

from support.corpus import REPOSITORY
from support.installations import run

pytestmark = [pytest.mark.acceptance, pytest.mark.xdist_group("benches")]
FOLDER = Path(bench.__path__[0])
NAMES = sorted(each.name for each in pkgutil.iter_modules([str(FOLDER)]) if not each.ispkg and each.name != "__main__")
ALONE = (
    *("acceptance", "console", "editor", "egress", "engine", "host"),
    *("policies", "registry", "server", "simulator", "watch"),
)


@pytest.mark.parametrize("name", ALONE)
def test_it_runs_in_small(name):
    assert f"[{name}," in run(sys.executable, "-m", "bench", "--small", name, cwd=REPOSITORY)


def test_all_can_be_imported():
    program = "import importlib, sys; [importlib.import_module(f'bench.{name}') for name in sys.argv[1:]]"
    run(sys.executable, "-c", program, *NAMES, cwd=REPOSITORY)
