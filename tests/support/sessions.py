"""Console sessions in Markdown: what a page shows is what happens.

A block that begins with ```console holds commands (`$ …`) and what they print. `...` in a line stands for anything in
that line, a line of `...` for any lines; numbers may differ, or durations and invocations alone where a page is
`exact`. A command with nothing below it may print what it likes.
`[exit code 1]` says how a command ends; without it, it ends with 0. The blocks of a page are one session.
"""

import re
import subprocess
import time
from dataclasses import dataclass

from support.terminal_recording import Recorded

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# What differs between two runs of one machine: how often a handler was called again depends on time, too.
VARYING = re.compile(r"\b\d+(?:\.\d+)?(?= s\b| invocations\b)")
EXIT = re.compile(r"\[exit code (\d+)\]")


@dataclass(frozen=True)
class Command:
    """A command of a session, the lines it should print, and how it should end."""

    line: str
    expected: tuple[str, ...]
    code: int


def read_session(text):
    """The commands of a page, in order."""
    commands = []
    for block in BLOCK.findall(text):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
        for part in parts[1:]:
            line, *expected = part.rstrip("\n").split("\n")
            code = 0
            if expected and (found := EXIT.fullmatch(expected[-1])):
                code = int(found[1])
                expected.pop()
            commands.append(Command(line, tuple(expected), code))
    return commands


def play(commands, folder, environment, *, exact=False):
    """Run the commands in one shell's manner: where one goes, the next one is. What each printed, and its seconds."""
    varying = VARYING if exact else NUMBER
    where = folder
    session = []
    for command in commands:
        begun = time.monotonic()
        script = f"{command.line}\ncode=$?\npwd > {folder}/.where\nexit $code"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=where,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=180,
            check=False,
        )
        where = (folder / ".where").read_text().strip()
        session.append(Recorded(command.line, done.stdout, time.monotonic() - begun))
        assert done.returncode == command.code, f"$ {command.line}\n{done.stdout}\n[exit code {done.returncode}]"
        if command.expected:
            pattern = "".join(line_pattern(line, varying) for line in command.expected)
            shown = varying.sub("0", done.stdout.rstrip("\n") + "\n")
            assert re.fullmatch(pattern, shown), f"$ {command.line}\n{done.stdout}\nis not\n" + "\n".join(
                command.expected
            )
    return session


def line_pattern(line, varying):
    if line == "...":
        return "(?:.*\n)*?"
    return ".*".join(re.escape(part) for part in varying.sub("0", line).split("...")) + "\n"
