"""Installing requirements into a folder with pip, for another interpreter."""

import importlib.util
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.languages.python.interpreters import Interpreter
from formwork.languages.python.pip_output import read_failure

_OPTIONS = (
    "--disable-pip-version-check",
    "--no-input",
    "--no-warn-script-location",
    "--progress-bar",
    "off",
)


def install(
    lines: Sequence[str], what: str, target: Path, interpreter: Interpreter, *, environment: Mapping[str, str]
) -> None:
    """Install the requirement `lines` into the new folder `target`; `environment` is the user's, for pip's settings.

    `what` names the lines in the message of a failure.

    Raises:
        EnvironmentProblemError: pip failed (with pip's own words), or there is no pip.
    """
    folder = (
        target.parent
    )  # also the working directory: `python -m pip` would import modules of the project's otherwise
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [
        *_pip(interpreter, environment, folder),
        "install",
        *_OPTIONS,
        "--target",
        str(target),
        "-r",
        str(requirements),
    ]
    done = subprocess.run(  # noqa: S603 - pip, with the project's own requirements
        command,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=folder,
        env=dict(environment),
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        failure = read_failure(done.stdout + done.stderr)
        at = "" if failure.requirement is None else f': it failed at "{failure.requirement}"'
        raise EnvironmentProblemError(
            f"pip can't install {what} for Python 3.{interpreter.minor}{at}",
            hint="check the connection: the first installation needs the package index, later ones do not",
            notes=failure.reasons,
        )


def _pip(interpreter: Interpreter, environment: Mapping[str, str], folder: Path) -> list[str]:
    """How to call a pip that installs for `interpreter`: the toolkit's for the same version, else that Python's own."""
    own = [str(interpreter.executable), "-m", "pip"]
    toolkit = [sys.executable, "-m", "pip"] if importlib.util.find_spec("pip") else None
    if toolkit is not None and interpreter.minor == sys.version_info[1]:
        return toolkit
    if _has_pip(interpreter, environment, folder):
        return own
    if toolkit is not None:
        return [*toolkit, "--python", str(interpreter.executable)]
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
