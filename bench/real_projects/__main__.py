"""See the package."""

import argparse
import sys
from pathlib import Path

import bench.real_projects
from bench.real_projects.projects import listed_projects
from bench.real_projects.run import STEPS, Workplace, run_project
from formwork.diagnostics import BadInputError

REPOSITORY = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m bench.real_projects", description=bench.real_projects.__doc__)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the checkouts")
    parser.add_argument("--work", type=Path, default=REPOSITORY / ".bench" / "real-projects", help="for results")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="projects with this in their id")
    parser.add_argument("--step", action="append", choices=STEPS, help="only these steps")
    parser.add_argument("--again", action="store_true", help="run what has a result, too")
    parser.add_argument("--reverse", action="store_true", help="begin with the last")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page of the results, run nothing")
    given = parser.parse_args()
    work = given.work.resolve()
    place = Workplace(work / "copies", work / "environments", work / "results")
    place.results.mkdir(parents=True, exist_ok=True)
    projects = listed_projects(given.folder.resolve())
    if given.page:
        from bench.real_projects.page import write_page

        return write_page(projects, place.results, given.page)
    steps = tuple(given.step or STEPS)
    for project in reversed(projects) if given.reverse else projects:
        if given.only and not any(each in project.id for each in given.only):
            continue
        if not given.again and (place.results / f"{project.key}.json").is_file():
            continue
        try:
            record = run_project(project, place, steps)
        except (BadInputError, OSError, ValueError) as error:  # one odd project must not end the run
            print(f"{project.id}: not run: {error}", file=sys.stderr, flush=True)
            continue
        told = " ".join(f"{name}={_word(each)}" for name, each in record["steps"].items())
        print(f"{project.id}: {told}", flush=True)
    return 0


def _word(step: dict) -> str:
    return {True: "ok", False: "FAILED", None: "-"}[step["passed"]]


if __name__ == "__main__":
    sys.exit(main())
