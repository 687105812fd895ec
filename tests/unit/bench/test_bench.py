"""The frame of the benchmarks: verdicts, the table, and the measuring of a process."""

import re
import sys
from pathlib import Path

import bench
import pytest
from bench.__main__ import FRAME
from bench.measure import Command, compare, run_once
from bench.table import Row, render_table


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (Row("a", "ms", 10, 100, target=8), True),
        (Row("a", "ms", 10, 70, target=8), False),
        (Row("a", "ms", 10, None, target=8), None),
        (Row("a", "ms", 10, 100), None),
        (Row("a", "ms", 10, limit=9), False),
        (Row("a", "ms", 10, 100, target=8, limit=9), False),
        (Row("a", "ms", 10, 100, target=8, limit=10), True),
    ],
)
def test_a_promise_is_met_only_when_every_part_of_it_is(row, met):
    assert row.met is met


def test_the_table_lines_up_and_names_what_was_missed():
    text = render_table([Row("cfn validate", "ms", 12.3, 983, 8, floor=6.15), Row("peak memory", "MB", 40, 100, 3)])
    lines = text.splitlines()
    assert " ".join(lines[1].split()) == "cfn validate 12.3 ms 983 ms 79.9x >= 8x 6.15 ms 50 % met"
    assert " ".join(lines[2].split()) == "peak memory 40 MB 100 MB 2.5x >= 3x - - MISSED"
    assert lines[2].endswith("MISSED")
    assert len({line.index("ms") if "ms" in line else line.index("MB") for line in lines[1:]}) == 1


def test_a_process_is_measured_and_one_that_fails_is_named_with_its_output():
    slow, quick = compare(
        [Command([sys.executable, "-c", "import time; time.sleep(0.3)"]), Command([sys.executable, "-c", "pass"])],
        runs=1,
    )
    assert slow.wall > 300
    assert slow.wall > quick.wall
    assert slow.cpu < 300
    assert 1 < slow.memory < 10_000  # in MB; what the process that runs the tests holds counts in
    with pytest.raises(RuntimeError, match="no such luck"):
        run_once(Command([sys.executable, "-c", "raise SystemExit('no such luck')"]))


@pytest.mark.parametrize("name", ["engine", "instant", "postgresql", "served", "stack_peers", "stack_workers"])
def test_the_engine_is_measured_without_helpers_of_the_tests(name):
    assert "from support" not in (Path(bench.__path__[0]) / f"{name}.py").read_text(encoding="utf-8")


def test_a_share_of_the_floor_needs_a_figure():
    assert Row("a", "ms", 10, floor=4).share == 0.4
    assert [Row("a", "ms", 10).share, Row("a", "ms", 0, floor=4).share] == [None, None]


def test_benchmarks_take_nothing_of_the_tests_but_what_is_tested():
    """A helper of the tests that changes would break a benchmark; seeded faults and the browser are one for both."""
    shared = {
        "browser_pages",
        "browsers",
        "chromium",
        "console",
        "faults",
        "mutants",
        "real_types",
        "serving",
        "shapes",
    }
    sources = Path(bench.__file__).parent.rglob("*.py")
    taken = {
        name
        for each in sources
        for name in re.findall(r"^\s*from support\.(\w+)", each.read_text("utf-8"), re.MULTILINE)
    }
    assert taken <= shared


def test_every_module_is_a_benchmark_or_part_of_the_frame():
    for each in Path(bench.__file__).parent.glob("*.py"):
        is_bench = "\ndef main() -> Iterator[Row]:" in each.read_text("utf-8")
        assert is_bench == (each.stem not in FRAME | {"__init__"}), each
