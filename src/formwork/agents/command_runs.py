"""Runs of `cfn` in processes of their own: with this machine's services only, bounded, and ended with the server."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
from msgspec import Struct

# -P: a module in the project's folder is not taken for one of Python's or of ours, or validating would run its code.
_CFN = (sys.executable, "-P", "-m", "formwork")
_MOST_BYTES = 8 << 20  # kept of each stream; the rest is read and dropped
_SECONDS = 1800  # for one command: the slowest seen, a thorough test of a Java project, takes a third of it
_SECONDS_TO_END = 10  # for deleting what a test made, after an interrupt


class CommandRun(Struct, frozen=True):
    """What a command answered: its words after `cfn`, exit code, result (JSON, or None), and its messages."""

    words: Sequence[str]
    exit_code: int
    result: Any
    messages: str

    @property
    def failed(self) -> bool:
        """Whether the command gave no verdict: wrong arguments, an environment that lacks something, a bug."""
        return self.exit_code != 0 and (self.exit_code != 1 or self.result is None)


async def run_command(words: Sequence[str], folder: Path) -> CommandRun:
    """Run `cfn` with `words` in `folder`; a run that is cancelled, or too slow, is interrupted as by Ctrl-C."""
    process = await anyio.open_process(
        [*_CFN, *words],
        stdin=subprocess.DEVNULL,  # there is no one to ask
        cwd=folder,
        env=_environment(),
        start_new_session=True,
    )
    out, err = bytearray(), bytearray()
    slow = False
    try:
        with anyio.move_on_after(_SECONDS) as limit:
            async with anyio.create_task_group() as group:
                group.start_soon(_keep, process.stdout, out)
                group.start_soon(_keep, process.stderr, err)
            await process.wait()
        slow = limit.cancelled_caught
    finally:
        if process.returncode is None:
            with anyio.CancelScope(shield=True):
                await _end(process)
        await process.aclose()
    said = err.decode(errors="replace") + (f"interrupted after {_SECONDS} s\n" if slow else "")
    text = out.decode(errors="replace")
    result = _parsed(text)
    return CommandRun(words, process.returncode or 0, result, said if result is not None else text + said)


def _environment() -> dict[str, str]:
    """Return this process's environment without what says where AWS is and who one is there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    files = dict.fromkeys(("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"), os.devnull)
    return {**kept, **files, "AWS_EC2_METADATA_DISABLED": "true", "NO_COLOR": "1", "COLUMNS": "120"}


async def _keep(stream: anyio.abc.ByteReceiveStream | None, kept: bytearray) -> None:
    assert stream is not None
    async for piece in stream:
        kept += piece[: _MOST_BYTES - len(kept)]


async def _end(process: anyio.abc.Process) -> None:
    process.send_signal(signal.SIGINT)
    with anyio.move_on_after(_SECONDS_TO_END):
        await process.wait()
        return
    os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _parsed(text: str) -> Any:
    """Return the JSON document in `text`, or the list of documents where each line is one; None for other text."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()] or None
    except ValueError:
        return None
