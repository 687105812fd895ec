"""How long `cfn test --watch` and `cfn dev` take from a save to the verdict on the sample.

Saves change the body of one handler after the other, so that each run has new code and a new handler process.
"""

import itertools
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.small import SMALL
from bench.table import Row

_SAVES = 3 if SMALL else 20
_MOST_SECONDS = 1.0
_BODIES = ("Start to create;", "Replace every property", "Start to delete;", "Everything that has", "A page of")
_CFN = (sys.executable, "-m", "formwork.cli.main")


def main() -> Iterator[Row]:
    """Make the sample, watch it, and save."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("init", "-a", "RESOURCE", "-t", "Acme::Bench::Thing", "--sample", "python311", "--no-docker")
        subprocess.run([*_CFN, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for command in (("test", "--watch"), ("dev",)):
            seconds = _measure(Path(folder), _SAVES, command)
            name = f"cfn {' '.join(command)}"
            what = f"{name}: from a save to the verdict, median of {_SAVES}"
            yield Row(what, "s", statistics.median(seconds), limit=_MOST_SECONDS)
            yield Row(f"{name}: the slowest", "s", max(seconds))


def _measure(folder: Path, saves: int, words: tuple[str, ...]) -> list[float]:
    """The seconds from each save to the end of the run that it caused."""
    (handlers,) = folder.glob("src/*/handlers.py")
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([*_CFN, *words], cwd=folder, text=True, **streams) as running:
        assert running.stderr is not None
        seconds = []
        for number, body in zip(range(saves), itertools.cycle(_BODIES)):
            _await(running.stderr, r"watching for saved files")
            text = handlers.read_text(encoding="utf-8")
            line = next(each for each in text.splitlines() if body in each)
            handlers.write_text(text.replace(line, f"{line}\n    _saved = {number}", 1), encoding="utf-8")
            started = time.monotonic()
            _await(running.stderr, r"s after the save")
            seconds.append(time.monotonic() - started)
        running.terminate()
    return seconds


def _await(stream: object, pattern: str) -> None:
    for line in stream:  # type: ignore[attr-defined]
        if re.search(pattern, line):
            return
    raise RuntimeError("cfn ended")
