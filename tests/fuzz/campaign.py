"""The fuzzing campaign: `python -m fuzz.campaign [--minutes N] [TARGET…]` in tests/, as `make fuzz` runs it.

Each target runs for its minutes in a process of its own, one after the other, from the corpus that is kept in the tree
and what earlier runs left in .fuzz/. Time that a target has had is noted there: a campaign that was interrupted resumes
where it was, and `--again` begins a new one. With `--keep` the corpora are kept in the tree, and what was measured is written to
results.json, from which a page of the reference is made. The exit code is 1 where a defect was found.
"""

import argparse
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

from fuzz.kept import HANG_SECONDS, HERE, TARGETS, as_text, corpus, findings, write_corpus

WORK = HERE.parents[1] / ".fuzz"
RESULTS = HERE / "results.json"
_KEPT_BYTES = 130_000  # of a target's corpus in the tree
_STATUS = re.compile(r"^#(\d+)\s.*\bcov: (\d+) ft: (\d+) corp: (\d+)/")
_LEAST_SECONDS = 5
_REPLAY = "import importlib, sys; module = importlib.import_module(sys.argv[1])\nwith module.opened() as check: check(open(sys.argv[2], 'rb').read())"


def main(words=None):
    arguments = _arguments(words)
    chosen = arguments.targets or TARGETS
    found = 0
    for target in chosen:
        folder = WORK / target
        if arguments.again:
            shutil.rmtree(folder, ignore_errors=True)
        state = _begin(target, folder)
        while (left := round(arguments.minutes * 60 - state["seconds"])) >= _LEAST_SECONDS:
            _run(target, folder, left, state)
        defects = _defects(folder)
        for each in defects:
            print(f"{target}: {each['what']}\n    {each['input']}")
        found += len(defects)
        print(
            f"{target}: {state['seconds'] / 60:.1f} min, {state['executions']:,} inputs, {state['edges']:,} edges, {len(defects)} defects",
            flush=True,
        )
    if arguments.keep:
        for target in chosen:
            _keep(target, WORK / target)
        _write_results(chosen)
    return 1 if found else 0


def _arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"which of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long each target runs (default: 5)")
    parser.add_argument("--again", action="store_true", help="forget what earlier runs left in .fuzz/")
    parser.add_argument("--keep", action="store_true", help="write corpus/ and results.json")
    arguments = parser.parse_args(words)
    if unknown := set(arguments.targets) - set(TARGETS):
        parser.error(f"unknown targets: {', '.join(sorted(unknown))}")
    return arguments


def _begin(target, folder):
    """The folder of a target with the inputs to begin with; what was measured so far."""
    for name in ("corpus", "findings"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    module = importlib.import_module(f"fuzz.targets.{target}")
    for data in (*module.seeds(), *corpus(target), *(data for data, _was in findings(target))):
        (folder / "corpus" / hashlib.sha1(data).hexdigest()).write_bytes(data)
    path = folder / "state.json"
    if path.is_file():
        return json.loads(path.read_text())
    return {"seconds": 0.0, "executions": 0, "edges": 0, "features": 0, "ended": 0}


def _run(target, folder, seconds, state):
    """Fuzz until the time is over or the process ends, of a hang or a crash of the interpreter; note what it did."""
    command = [sys.executable, "-m", "fuzz.run", target, str(folder), str(seconds)]
    began, executions = None, 0
    with (
        (folder / "log").open("ab") as log,
        subprocess.Popen(
            command, cwd=HERE.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_environment()
        ) as process,
    ):
        for line in process.stderr:
            log.write(line)
            if status := _STATUS.match(line.decode("utf-8", "replace")):
                began = began or time.monotonic()  # everything is imported and instrumented
                executions, edges, features, _inputs = map(int, status.groups())
                state |= {"edges": max(edges, state["edges"]), "features": max(features, state["features"])}
    state["seconds"] += time.monotonic() - began
    state["executions"] += executions
    if began is None:
        raise SystemExit(f"{target} did not begin: see {folder / 'log'}")
    if process.returncode:
        state["ended"] += 1
        _judge_artifacts(target, folder, process.returncode)
    (folder / "state.json").write_text(json.dumps(state))


def _environment():
    """Nothing of the user's; the garbage collector's and hash seeds are as they are."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_"))}
    return {**kept, "NO_COLOR": "1", "HOME": str(WORK)}


def _judge_artifacts(target, folder, code):
    """A hang counts where it takes that long without the instrumentation, which costs some times what the code does."""
    new = [
        each
        for each in (folder / "findings").iterdir()
        if each.name.partition("-")[0] in ("timeout", "crash", "oom", "leak")
    ]
    for path in (each for each in new if not each.with_name(f"{each.name}.json").exists()):
        try:
            replayed = subprocess.run(
                [sys.executable, "-c", _REPLAY, f"fuzz.targets.{target}", str(path)],
                cwd=HERE.parent, timeout=HANG_SECONDS + 5, capture_output=True, check=False, env=_environment(),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            what = f"takes more than {HANG_SECONDS} s"
        else:
            what = f"ends the interpreter: {replayed.returncode}" if replayed.returncode < 0 else None
        if what is None and not path.name.startswith("oom"):
            path.rename(folder / f"slow-{path.name}")
        else:
            told = {"what": what or "needs too much memory", "traceback": f"exit code {code} under atheris"}
            path.with_name(f"{path.name}.json").write_text(json.dumps(told))
    if not new:
        (folder / "findings" / "process.json").write_text(
            json.dumps({"what": f"ends with {code}", "traceback": "see log"})
        )


def _defects(folder):
    told = sorted((folder / "findings").glob("*.json"))
    return [{**json.loads(each.read_text()), "input": str(each.with_suffix(""))} for each in told]


def _keep(target, folder):
    """Put the smallest inputs that reached something new, as many as there is room for, into the tree.

    libFuzzer has replaced each input by the smallest one that reaches the same.
    """
    seeds = set(importlib.import_module(f"fuzz.targets.{target}").seeds())
    found = {each.read_bytes() for each in (folder / "corpus").iterdir()} - seeds
    kept, size = [], 0
    for data in sorted(found, key=len):
        size += len(json.dumps(as_text(data))) + 2
        if size > _KEPT_BYTES:
            break
        kept.append(data)
    write_corpus(target, kept)
    print(f"{target}: {len(kept)} of {len(found)} inputs are kept", flush=True)


def _write_results(chosen):
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    for target in chosen:
        state = json.loads((WORK / target / "state.json").read_text())
        results[target] = {
            "minutes": round(state["seconds"] / 60, 1),
            "executions": state["executions"],
            "edges": state["edges"],
            "defects": len(_defects(WORK / target)),
        }
    RESULTS.write_text(json.dumps({name: results[name] for name in TARGETS if name in results}, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
