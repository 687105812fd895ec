"""Finding the Python that a Lambda runtime names, or the nearest one on this machine."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from formwork.diagnostics import EnvironmentProblemError

# The versions that the bootstrap loop and the handler library run on.
SUPPORTED_MINORS = range(9, 15)
_PLATFORM: str = sys.platform
_WINDOWS = _PLATFORM == "win32"
_RUNTIME = re.compile(r"python3\.(\d+)", re.ASCII)


class Interpreter(Struct, frozen=True):
    """A Python 3: its executable and minor version; `note` says why it is not the one asked for, "" where it is."""

    executable: Path
    minor: int
    note: str = ""

    @property
    def has_monitoring(self) -> bool:
        """Whether it can report the lines that run at no cost (sys.monitoring)."""
        return self.minor >= 12


def find_interpreter(runtime: str, *, search_path: str, home: Path) -> Interpreter:
    """Return the interpreter for a Lambda runtime such as `python3.11`: the running one, PATH, pyenv's, Windows' `py`.

    Raises:
        EnvironmentProblemError: the runtime is not a Python runtime, or no usable Python is found.
    """
    named = _RUNTIME.fullmatch(runtime)
    if named is None:
        raise EnvironmentProblemError(
            f'cannot run handlers of runtime "{runtime}": it is not a Python runtime',
            hint="run them in another Lambda service and give its address: --endpoint URL",
        )
    wanted = int(named[1])
    running = Interpreter(Path(getattr(sys, "_base_executable", sys.executable)), sys.version_info[1])
    if wanted == running.minor:
        return running
    found = {running.minor: running}
    for minor in sorted(SUPPORTED_MINORS, key=lambda each: (abs(each - wanted), -each)):
        if minor in found or (interpreter := _find(minor, search_path, home)) is not None:
            interpreter = found.get(minor) or interpreter
            assert interpreter is not None
            if minor == wanted:
                return interpreter
            note = f"{runtime} is not installed; running handlers on Python 3.{minor}, the nearest installed version"
            return Interpreter(interpreter.executable, minor, note)
    return running


def _find(minor: int, search_path: str, home: Path) -> Interpreter | None:
    for candidate in _candidates(minor, search_path, home):
        if _minor_of(candidate) == minor:
            return Interpreter(candidate, minor)
    return None


def _candidates(minor: int, search_path: str, home: Path) -> Iterator[Path]:
    name = f"python3.{minor}"
    for folder in search_path.split(os.pathsep):
        if folder and Path(folder).name != "shims":  # pyenv's shims exist for versions that are not chosen, and fail
            candidate = Path(folder, name + (".exe" if _WINDOWS else ""))
            if candidate.is_file():
                yield candidate
    versions = home / ".pyenv" / "versions"
    yield from sorted(versions.glob(f"3.{minor}.*/bin/{name}"), reverse=True)
    if _WINDOWS and (launched := _ask(["py", f"-3.{minor}", "-c", "import sys; print(sys.executable)"])):
        yield Path(launched)


def _minor_of(executable: Path) -> int | None:
    answer = _ask([str(executable), "-I", "-S", "-c", "import sys; print(*sys.version_info[:2])"])
    major, _, minor = answer.partition(" ")
    return int(minor) if major == "3" and minor.isdecimal() else None


def _ask(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - of ours
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
