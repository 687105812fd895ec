"""pip: found for an interpreter, and run."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import EnvironmentProblemError
from formwork.toolchain.pip_output import PipFailure, read_failure
from formwork.toolchain.python import Interpreter

_OPTIONS = ("--disable-pip-version-check", "--no-input", "--no-color")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


class PipRun(Struct, frozen=True):
    """The output of pip, without credentials in URLs."""

    succeeded: bool
    output: str

    @property
    def failure(self) -> PipFailure:
        """The requirement that pip failed at, and the reason."""
        return read_failure(self.output)


class Pip(Struct, frozen=True):
    """How pip is run: by which command, in which environment, and where (paths in requirements are relative to it)."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    cwd: Path

    def working_in(self, folder: Path) -> "Pip":
        """Return the same with its temporary files in the new `folder`, so that they go when it goes."""
        folder.mkdir()
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
        # Options that contradict ours, if the user's environment has them.
        return replace(
            self, environment={**self.environment, **temporary, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
        )

    def run(self, *arguments: str) -> PipRun:
        """Run pip; its output is kept, not shown.

        Raises:
            EnvironmentProblemError: it can't be started.
        """
        try:
            done = subprocess.run(  # noqa: S603 - a Python that was found, and no shell
                [*self.command, *arguments, *_OPTIONS],
                cwd=self.cwd,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise EnvironmentProblemError(f'cannot run pip by "{self.command[0]}": {error.strerror}') from error
        return PipRun(done.returncode == 0, _CREDENTIALS.sub("", done.stdout + done.stderr))


def pip_for(interpreter: Interpreter, environment: Mapping[str, str], cwd: Path) -> Pip:
    """Return a pip that installs for `interpreter`: the toolkit's for the same version, else that Python's own.

    Raises:
        EnvironmentProblemError: there is none.
    """
    own = Pip((str(interpreter.executable), "-m", "pip"), environment, cwd)
    toolkit = (sys.executable, "-m", "pip") if importlib.util.find_spec("pip") else None
    if toolkit is not None and interpreter.minor == sys.version_info[1]:
        return replace(own, command=toolkit)
    if _has_pip(interpreter, environment, cwd):
        return own
    if toolkit is not None:
        return replace(own, command=(*toolkit, "--python", str(interpreter.executable)))
    raise EnvironmentProblemError(
        f"pip is unavailable, both here and in {interpreter.executable}",
        hint="install it: python -m ensurepip",
    )


def _has_pip(interpreter: Interpreter, environment: Mapping[str, str], folder: Path) -> bool:
    command = [str(interpreter.executable), "-c", "import pip"]
    try:
        done = subprocess.run(  # noqa: S603 - a Python that was found
            command, capture_output=True, env=dict(environment), cwd=folder, check=False, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
