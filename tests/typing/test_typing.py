"""What a type checker must accept and refuse in handlers: the files beside this one, checked by mypy in strict mode."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.glob("*_handlers.py"))
MARK = re.compile(r"# refused: ([a-z-]+(?:, [a-z-]+)*)$")
ERROR = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): error: (?P<text>.*)  \[(?P<code>[a-z-]+)\]$")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The errors that mypy finds, as {file name: {line: {codes}}}."""
    cache = tmp_path_factory.mktemp("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", "--no-error-summary"]
    result = subprocess.run(
        [*command, "--hide-error-context", *map(str, FILES)], capture_output=True, text=True, check=False, cwd=HERE
    )
    assert result.stderr == ""
    errors = {path.name: {} for path in FILES}
    for line in result.stdout.splitlines():
        match = ERROR.match(line)
        if match:
            lines = errors[Path(match["file"]).name]
            lines.setdefault(int(match["line"]), set()).add(match["code"])
    return errors


def expected(path):
    marks = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = MARK.search(line)
        if match:
            marks[number] = set(match[1].split(", "))
    return marks


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_type_checker_refuses_exactly_what_is_marked(path, found):
    marks, errors = expected(path), found[path.name]
    assert marks, "nothing to refuse in this file"
    assert errors.keys() == marks.keys()
    for line, codes in errors.items():
        assert codes & marks[line], f"line {line}: {codes} instead of {marks[line]}"
