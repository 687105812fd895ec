"""A program of a toolchain: where it is and which version, or one line that says what to install."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from formwork.diagnostics import EnvironmentProblemError

Version: TypeAlias = tuple[int, ...]

_PLATFORM: str = sys.platform
_NUMBERS = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_PATIENCE = 60.0  # seconds: a JVM on a busy machine takes its time to say its version
# Hides every toolchain, so that a machine with Python only can be tried out on one that has more.
HIDE_VARIABLE = "FORMWORK_WITHOUT_TOOLCHAINS"


class Tool(Struct, frozen=True):
    """A program on this machine and its version, such as (20, 11, 1)."""

    executable: Path
    version: Version


def find_executable(name: str, environment: Mapping[str, str], *, beside: Sequence[Path] = ()) -> Path | None:
    """The program `name` in the folders `beside`, then on the PATH of `environment`; None where there is none."""
    if environment.get(HIDE_VARIABLE):
        return None
    suffixes = ("", ".exe", ".cmd", ".bat") if _PLATFORM == "win32" else ("",)
    folders = [*beside, *(Path(each) for each in environment.get("PATH", "").split(os.pathsep) if each)]
    for folder in folders:
        for suffix in suffixes:
            candidate = folder / f"{name}{suffix}"
            if candidate.is_file() and os.access(candidate, os.X_OK):
                return candidate
    return None


def ask_version(executable: Path, option: str, environment: Mapping[str, str]) -> Version | None:
    """Return the first version number in what `executable option` says; None where it can't be run or says none."""
    try:
        done = subprocess.run(  # noqa: S603 - a tool that was found
            [str(executable), option],
            capture_output=True,
            text=True,
            errors="replace",
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_version(done.stdout + done.stderr) if done.returncode == 0 else None


def parse_version(text: str) -> Version | None:
    """Return the first number such as `20.11.1` in `text`, as far as it goes."""
    found = _NUMBERS.search(text)
    return tuple(int(each) for each in found.groups() if each is not None) if found else None


def missing(what: str, why: str, install: str) -> EnvironmentProblemError:
    """Return the one line about a tool that is not there: `why` says what needs it, `install` what to do."""
    return EnvironmentProblemError(f"{what} is not installed, and {why}", hint=install)


def outdated(what: str, tool: Tool, oldest: str) -> EnvironmentProblemError:
    """Return the one line about a tool that is too old."""
    version = ".".join(map(str, tool.version))
    return EnvironmentProblemError(
        f"{what} {version} ({tool.executable}) is too old", hint=f"install {oldest} or later, or put it first on PATH"
    )
