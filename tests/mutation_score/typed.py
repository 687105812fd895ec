"""Run mypy for mutmut and pass on the errors that one mutant alone is to blame for.

mutmut counts a mutant as refused where mypy has an error in its function, and gives up on an error outside of all. Two
kinds of errors are left out here: those outside of mutants, which one elsewhere caused (the inferred type of an
attribute, say), and those that the unchanged function has as well, since mutmut's own code lacks annotations.

A few files are checked at a time, in place of the unchanged ones (`--shadow-file`): a file has a copy of each function
per mutant, and all of `durable` at once takes more than 4 GB. Each run of mypy has a cache of its own, so that the
checks of the runs of mutmut that follow take seconds.
"""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

_UNCHANGED = "../"
_AT_ONCE = 3_000_000  # of which mypy takes less than 1 GB; a file of 11 MB takes 2 GB
_MUTANT = re.compile(r"(x[_ǁ].+)__mutmut_(\d+|orig)$")


def main():
    """Run the command that the arguments are, its files a few at a time; print one JSON object a line and error."""
    files = [each for each in sys.argv[1:] if each.endswith(".py")]
    command = [each for each in sys.argv[1:] if each not in files]
    status = 0
    for number, together in enumerate(batches({each: Path(each).stat().st_size for each in files})):
        done = _check([*command, "--cache-dir", f".mypy_cache/{number}"], together)
        if done.returncode not in (0, 1):
            sys.stderr.write(done.stdout + done.stderr)
            return done.returncode
        status |= done.returncode
        for file, errors in _errors(done.stdout).items():
            for error in caused_by_mutants(Path(file).read_text(encoding="utf-8"), errors):
                print(json.dumps({**error, "file": file}))
    return status


def batches(sizes):
    """The files, which `sizes` has by name, in lists of at most _AT_ONCE bytes; a larger file is alone in its list."""
    found, room = [], 0
    for file, size in sizes.items():
        if size > room:
            found.append([])
            room = _AT_ONCE
        found[-1].append(file)
        room -= size
    return found


def _check(command, files):
    """Run mypy in the folder of the mutants, above which the unchanged sources are."""
    shadows = [word for file in files for word in ("--shadow-file", _UNCHANGED + file, file)]
    return subprocess.run(
        [*command, *shadows, *(_UNCHANGED + file for file in files)], check=False, capture_output=True, encoding="utf-8"
    )


def _errors(output):
    """File → mypy's errors in it, which name the unchanged file."""
    found = defaultdict(list)
    for line in output.splitlines():
        if line.strip():
            error = json.loads(line)
            found[error["file"].removeprefix(_UNCHANGED)].append(error)
    return found


def caused_by_mutants(source, errors):
    """Those of mypy's errors in a file of mutants that are in a mutant, and not in the unchanged function too."""
    functions = [node for node in ast.walk(ast.parse(source)) if _number(node) is not None]
    by_line = {line: node for node in functions for line in range(node.lineno, node.end_lineno + 1)}
    placed = []
    for error in errors:
        function = by_line.get(error["line"])
        if function is not None and error["severity"] == "error":
            placed.append((_MUTANT.match(function.name)[1], _number(function), error))
    unchanged = {(name, error["message"]) for name, number, error in placed if number == "orig"}
    return [error for name, _, error in placed if (name, error["message"]) not in unchanged]


def _number(node):
    """The number of a mutant, "orig" of the unchanged function, None of anything else."""
    named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _MUTANT.match(node.name)
    return named[2] if named else None


if __name__ == "__main__":
    sys.exit(main())
