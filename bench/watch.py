"""How long `cfn test --watch` takes from a save to the verdict on the sample: `python bench/watch.py [SAVES]`.

Saves change the body of one handler after the other, so that each run has new code and a new handler process.
"""

import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SAVES = 20
_BODIES = ("Start to create;", "Replace every property", "Start to delete;", "Everything that has", "A page of")
_CFN = (sys.executable, "-m", "formwork.cli.main")


def main() -> None:
    """Make the sample, watch it, save, and print the times."""
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else _SAVES
    with tempfile.TemporaryDirectory() as folder:
        words = ("init", "-a", "RESOURCE", "-t", "Acme::Bench::Thing", "--sample", "python311", "--no-docker")
        subprocess.run([*_CFN, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        seconds = _measure(Path(folder), saves)
    print(f"{saves} saves: median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s")
    print(f"load average: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def _measure(folder: Path, saves: int) -> list[float]:
    """The seconds from each save to the end of the run that it caused."""
    (handlers,) = folder.glob("src/*/handlers.py")
    command = [*_CFN, "test", "--watch"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
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
            print(f"{body:25} {seconds[-1]:.2f} s")
        running.terminate()
    return seconds


def _await(stream: object, pattern: str) -> None:
    for line in stream:  # type: ignore[attr-defined]
        if re.search(pattern, line):
            return
    raise RuntimeError("cfn test --watch ended")


if __name__ == "__main__":
    main()
