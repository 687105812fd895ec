"""Run mypy for mutmut and pass on the errors that one mutant alone is to blame for.

mutmut counts a mutant as refused where mypy has an error in its function, and gives up on an error outside of all. Two
kinds of errors are left out here: those outside of mutants, which one elsewhere caused (the inferred type of an
attribute, say), and those that the unchanged function has as well, since mutmut's own code lacks annotations.
"""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

_MUTANT = re.compile(r"(x[_ǁ].+)__mutmut_(\d+|orig)$")


def main():
    """Run the command that the arguments are; print what is left of its errors, one JSON object a line."""
    done = subprocess.run(sys.argv[1:], check=False, capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        sys.stderr.write(done.stdout + done.stderr)
        return done.returncode
    by_file = defaultdict(list)
    for line in done.stdout.splitlines():
        if line.strip():
            error = json.loads(line)
            by_file[error["file"]].append(error)
    for file, errors in by_file.items():
        for error in caused_by_mutants(Path(file).read_text(encoding="utf-8"), errors):
            print(json.dumps(error))
    return done.returncode


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
