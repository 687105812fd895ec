"""How the demo speaks: chapters, commands with what they said, sizes and times."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

CFN = Path(sys.executable).with_name("cfn")


_HANGING = {"subsequent_indent": "    ", "break_on_hyphens": False}


class StoryError(Exception):
    """A step did not end as it should."""


@dataclass(frozen=True)
class Done:
    """A command that ended."""

    code: int
    stdout: str
    stderr: str
    seconds: float


class Story:
    """Prints to stdout; `folder` is where the commands may write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chapters = 0
        self.width = min(shutil.get_terminal_size((100, 24)).columns, 110)
        self.bold = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def chapter(self, title: str) -> None:
        """Begin a chapter."""
        self.chapters += 1
        heading = f"{self.chapters}. {title}"
        print(f"\n\033[1m{heading}\033[0m" if self.bold else f"\n{heading}", flush=True)

    def say(self, text: str) -> None:
        """A sentence of the story."""
        print(textwrap.fill(text, self.width, initial_indent="   ", subsequent_indent="   "), flush=True)

    def detail(self, text: str) -> None:
        """A line of what a command said; a long one on three lines, the rest of it cut."""
        room = self.width - 5
        lines = [text] if len(text) <= room else textwrap.wrap(text, room, max_lines=3, placeholder=" …", **_HANGING)
        for line in lines:
            print(f"     {line}", flush=True)

    def show(self, *words: str | Path) -> None:
        """A command line."""
        print(f"   $ {' '.join(map(str, words))}", flush=True)

    def run(
        self,
        *words: str | Path,
        cwd: Path | None = None,
        expect: Iterable[int] = (0,),
        quiet: bool = False,
        keep: Callable[[str], bool] = bool,
    ) -> Done:
        """Run `cfn` and show the lines that `keep` takes. Raises StoryError where it ends otherwise than it should."""
        if not quiet:
            self.show("cfn", *words)
        start = time.perf_counter()
        process = subprocess.run(
            [CFN, *map(str, words)],
            cwd=cwd or self.folder,
            # What it says fits below the story, in the order in which it is said.
            env={**os.environ, "COLUMNS": str(self.width - 5), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if quiet else subprocess.STDOUT,
            text=True,
            check=False,
        )
        done = Done(process.returncode, process.stdout, process.stderr or "", time.perf_counter() - start)
        if done.code not in set(expect):
            raise StoryError(f"`cfn {words[0]}` ended with {done.code}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        if not quiet:
            for line in filter(keep, done.stdout.splitlines()):
                self.detail(line.replace(str(self.folder) + os.sep, ""))
            self.detail(f"[{done.seconds:.1f} s]")
        return done

    def program(self, text: str) -> None:
        """Run a program of a few lines and show it with what it prints."""
        for line in text.strip().splitlines():
            self.show_code(line)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
        if done.returncode:
            raise StoryError(f"the program ended with {done.returncode}\n{done.stderr[-3000:]}")
        for line in done.stdout.splitlines():
            self.detail(line)

    def show_code(self, line: str) -> None:
        """A line of a file or a program."""
        print(f"   | {line}", flush=True)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """What the examples cost."""
        head = ("", "create and delete", "contract tests", "package", "its size")
        widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
        for row in (head, *rows):
            cells = [
                text.ljust(width) if not at else text.rjust(width)
                for at, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            print("   " + "   ".join(cells).rstrip())
