"""Installs requirements with pip, once, in a cache by content."""

import hashlib
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host.fingerprint import list_files
from formwork.toolchain.pip import pip_for
from formwork.toolchain.python import Interpreter

# Folders that building a local requirement creates beside its sources.
_WRITTEN_BY_BUILDS = re.compile(r"[/\\](build|[^/\\]*\.egg-info)[/\\]")
# Handlers of a type start in several processes at once; the others wait for the first one's installation.
_INSTALLING = threading.Lock()


class InstallSettings(Struct, frozen=True):
    """`cache` is the folder to install below; `environment` is the user's, for pip; `note` receives lines to show."""

    cache: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    note: Callable[[str], None] = lambda _line: None


class Installation(Struct, frozen=True):
    """An installation of requirement `lines` into a folder; messages call it `what`.

    `finish` modifies the new folder before it is stored; `variant` distinguishes installations that differ in `finish`.
    """

    lines: tuple[str, ...]
    what: str
    variant: str = ""
    finish: Callable[[Path], None] = lambda _folder: None


def install_once(installation: Installation, interpreter: Interpreter, settings: InstallSettings) -> Path:
    """Return the folder with `installation` for `interpreter`; created if it is missing.

    It is built in a temporary folder and renamed, so that parallel processes never see an incomplete one.

    Raises:
        EnvironmentProblemError: pip failed or is unavailable, or the cache can't be written.
    """
    place = settings.cache / "python" / _key(installation, interpreter, settings.environment)
    with _INSTALLING:
        if place.is_dir():
            return place
        settings.note(f"installing {installation.what} for Python 3.{interpreter.minor}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(
                dir=place.parent, prefix=".making-", ignore_cleanup_errors=True
            ) as temporary:
                made = Path(temporary, "packages")
                _install(installation, made, interpreter, settings.environment)
                made.mkdir(exist_ok=True)
                installation.finish(made)
                _move(made, place)
        except OSError as error:
            raise EnvironmentProblemError(
                f'the cache folder "{settings.cache}" can\'t be used: {error.strerror or error}',
                hint="set FORMWORK_CACHE to another folder",
            ) from error
    return place


def _install(
    installation: Installation, target: Path, interpreter: Interpreter, environment: Mapping[str, str]
) -> None:
    folder = target.parent  # the working directory too: otherwise `python -m pip` would import modules of the project
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(installation.lines) + "\n", encoding="utf-8")
    pip = pip_for(interpreter, environment, folder)
    done = pip.run("install", "--no-warn-script-location", f"--target={target}", f"--requirement={requirements}")
    if not done.succeeded:
        failure = done.failure
        at = "" if failure.requirement is None else f': it failed at "{failure.requirement}"'
        raise EnvironmentProblemError(
            f"pip can't install {installation.what} for Python 3.{interpreter.minor}{at}",
            hint="check the connection: the first installation needs the package index, later ones do not",
            notes=failure.reasons,
        )


def _move(made: Path, place: Path) -> None:
    try:
        os.rename(made, place)  # noqa: PTH104 - Path.rename's replacing differs by platform; this must fail on a race
    except OSError:
        if not place.is_dir():  # otherwise another process has created the same content
            raise


def _key(installation: Installation, interpreter: Interpreter, environment: Mapping[str, str]) -> str:
    """Return a hash of an installation's input: lines, local files in them, pip's settings, platform."""
    machine = os.uname().machine if hasattr(os, "uname") else ""
    pip = {name: value for name, value in sorted(environment.items()) if name.startswith("PIP_")}
    lines, variant = installation.lines, installation.variant
    local = [_state(Path(line.split("[")[0].split()[-1])) for line in lines if line.startswith(("-", "/"))]
    content = [list(lines), interpreter.minor, sys.platform, machine, variant, pip, local]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def _state(path: Path) -> list[Any]:
    """Return the state of a file, or of the files in a folder, to detect changes; empty if it is not a path."""
    try:
        if path.is_dir():
            return [row for row in list_files((path,)) if not _WRITTEN_BY_BUILDS.search(row[0])]
        return [hashlib.sha256(path.read_bytes()).hexdigest()]
    except (OSError, ValueError):
        return []
