"""Running a build, with the compiler's own words where it fails."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, EnvironmentProblemError

_PLATFORM: str = sys.platform
_MOST_LINES = 200
# Colours, which some tools set and reset even when asked not to.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def _ignore(_line: str) -> None:
    pass


class BuildSettings(Struct, frozen=True):
    """Settings of builds.

    `environment` is the user's, for the tools; `cache` the folder that keeps what was built and downloaded; `note`
    receives lines for the user.
    """

    environment: Mapping[str, str]
    cache: Path
    note: Callable[[str], None] = field(default=_ignore)


def run_build(  # noqa: PLR0913 - what messages of failures contain
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    what: str,
    hint: str | None = None,
    timeout: float = 1800.0,
) -> str:
    """Run `command` in `folder` and return what it said; `what` names it, such as "the TypeScript compiler".

    Raises:
        BadInputError: it failed; the notes are its own lines, as they are.
        EnvironmentProblemError: it can't be started, or took longer than `timeout` seconds.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - a tool that was found, with the project's own files
            [*command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=folder,
            env=dict(environment),
            start_new_session=_PLATFORM != "win32",  # so that nothing it starts outlives it
        )
    except OSError as error:
        raise EnvironmentProblemError(f"{what} can't be started: {command[0]}: {error.strerror or error}") from error
    try:
        words, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise EnvironmentProblemError(f"{what} did not end within {timeout:.0f} seconds") from None
    except BaseException:  # Ctrl-C: leave nothing behind
        _kill(process)
        raise
    if process.returncode != 0:
        raise BadInputError.of("build.failed", f"{what} failed", hint=hint, notes=_lines(words))
    return words


def _kill(process: subprocess.Popen[str]) -> None:
    if _PLATFORM == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _lines(words: str) -> tuple[str, ...]:
    lines = [line.rstrip().expandtabs(4) for line in _COLOUR.sub("", words).splitlines() if line.strip()]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"… {len(lines) - _MOST_LINES} more lines"]
    return tuple(lines) or ("it printed nothing",)
