"""What a command costs: whole processes in the same project, medians of runs taken in turn."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from bench.incumbent import HOME, get_incumbent, make_project
from bench.installed import EMPTY, installed_cfn
from bench.measure import Command, compare
from bench.table import Row

# command line → the least ratio of wall times, and of peak memory, that we promise
PROMISES: dict[str, tuple[float, float | None]] = {
    "--help": (8, None),
    "validate": (8, 3),
    "generate": (8, None),
}


def main() -> Iterator[Row]:
    """Time `cfn --help`, `validate` and `generate` on both sides, beside an empty interpreter."""
    incumbent = get_incumbent()
    if incumbent is None:
        yield from _alone()
        return
    theirs = make_project(HOME / "their-project")
    ours = HOME / "our-project"
    shutil.rmtree(ours, ignore_errors=True)
    shutil.copytree(theirs, ours)
    for words, (faster, smaller) in PROMISES.items():
        argv = words.split()
        mine, peer, empty = compare(
            [Command([installed_cfn(), *argv], ours), Command([incumbent.cfn, *argv], theirs), EMPTY]
        )
        yield Row(f"cfn {words}", "ms", mine.wall, peer.wall, faster, floor=empty.wall)
        yield Row(f"cfn {words}, peak memory", "MB", mine.memory, peer.memory, smaller)


def _alone() -> Iterator[Row]:
    for words in PROMISES:
        example = Path(__file__).resolve().parent.parent / "examples" / "initech-tps-report"
        mine, empty = compare([Command([installed_cfn(), *words.split()], example), EMPTY])
        yield Row(f"cfn {words}", "ms", mine.wall, floor=empty.wall)
        yield Row(f"cfn {words}, peak memory", "MB", mine.memory)
