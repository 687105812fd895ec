"""Measure mutation scores: `python -m mutation_score [--sample N] [--seed S] [--again] [TARGET…]` in tests/.

Each target's sources are changed in one place at a time by mutmut, and its tests run against every change, or against a
sample of them that `--seed` chooses. A mutant is killed where a test fails or runs out of time, or where mypy refuses
it, as `make check` would; mutants of the words of messages are left out. Results stay in .mutants/, so that a run that
was interrupted resumes; `--again` forgets them. What was measured is written to results/, from which a page of the
reference is made.
"""

import argparse
import random
import shutil
import sys

from mutation_score.results import summarize, write_results
from mutation_score.targets import TARGETS
from mutation_score.workspace import Workspace

_AT_ONCE = 200  # mutants a run of mutmut, which checks types and runs all of the tests once before them


def main():
    """Measure the targets that the command line names; returns the exit code."""
    parser = argparse.ArgumentParser(prog="mutation_score", description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"which of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--sample", type=int, default=200, help="mutants of each target; 0 for all (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: 1)")
    parser.add_argument("--again", action="store_true", help="forget what earlier runs left in .mutants/")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.targets if name not in TARGETS]:
        parser.error(f"unknown target {', '.join(unknown)}")
    for name in arguments.targets or TARGETS:
        workspace = Workspace(name, TARGETS[name])
        if arguments.again:
            shutil.rmtree(workspace.root, ignore_errors=True)
        workspace.prepare()
        mutants = workspace.mutants()
        judged = sorted(key for key, mutant in mutants.items() if not mutant.is_wording)
        random.Random(arguments.seed).shuffle(judged)
        chosen = judged[: arguments.sample or None]
        while left := [key for key in chosen if workspace.verdict(key) is None][:_AT_ONCE]:
            workspace.run(left)
        result = summarize({key: (mutants[key], workspace.verdict(key)) for key in chosen}, len(judged))
        write_results(name, workspace.commit, result)
        print(
            f"{name}: {result['killed']} of {result['sampled']} killed, {len(result['survived'])} survive", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
