"""Running the `cfn` command as a user does, and judging how it ends."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.forked import may_be_forked, run_command

CFN = Path(sys.executable).with_name("cfn")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    def __str__(self):
        return f"cfn {' '.join(self.words)}: exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"

    @property
    def said(self):
        return self.out + self.err


class Desk:
    """A place to run commands at: a home of its own, no credentials, no colours."""

    def __init__(self, home):
        self.home = home

    @property
    def environment(self):
        ours = ("AWS_", "FORMWORK_", "PYTEST_", "COVERAGE_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return {**kept, "HOME": str(self.home), "NO_COLOR": "1"}

    def cfn(self, *words, cwd, timeout=120, env=None):
        """Run `cfn` to its end, forked where that makes no difference: its imports cost more than most of its work."""
        words = tuple(map(str, words))
        environment = {**self.environment, **(env or {})}
        run = run_command if may_be_forked(environment) else _start_and_wait
        done = run(words, cwd=cwd, env=environment, timeout=timeout)
        return Ended(words, done.returncode, done.stdout, done.stderr)

    def start(self, *words, cwd):
        """Start `cfn` in a process group of its own, as a terminal does."""
        return subprocess.Popen(
            [CFN, *map(str, words)],
            cwd=cwd,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def _start_and_wait(words, **more):
    pipes = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run([CFN, *words], **pipes, **more, check=False)


def refuses(ended, code, *says):
    """The command ended with `code`, said why (with all of `says`), and showed no traceback."""
    assert ended.code == code, str(ended)
    assert "Traceback" not in ended.said, str(ended)
    assert "a bug in Formwork" not in ended.said, str(ended)
    assert ended.said.strip(), str(ended)
    for text in says:
        assert text in ended.said, f"{text!r} is not in\n{ended}"


def contents(folder):
    """Every file and folder below with its bytes: what must be the same after a command that failed."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


def copy_project(project, to):
    """A copy to spoil."""
    shutil.copytree(project, to, ignore=shutil.ignore_patterns("build", "*.zip", "__pycache__", ".pytest_cache"))
    return to
