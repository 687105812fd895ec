"""What a Python project's handlers import besides their own code: installed once, kept in a cache by content.

Nothing is fetched where nothing has to be: the handler library is the toolkit's own, what Lambda includes comes from
`runtime_packages`, and only other requirements need pip.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder
from formwork.languages.python.installing import Installation, InstallSettings, install_once
from formwork.languages.python.interpreters import Interpreter
from formwork.languages.python.requirements import AWS_LIBRARY, Requirements, load_requirements
from formwork.languages.python.runtime_packages import provide_runtime_packages

_USES_REQUESTS = re.compile(rb"^\s*(?:import|from)\s+requests\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PythonSettings:
    """How environments are made.

    `cache` is the folder to keep them in; `environment` the user's, for pip; `aws_runtime` keeps AWS's handler library
    instead of the toolkit's; `note` receives lines for the user.
    """

    cache: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    aws_runtime: bool = False
    note: Callable[[str], None] = lambda _line: None


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """Where a project's handlers import from: folders, and single packages with the folders that contain them."""

    interpreter: Interpreter
    paths: tuple[Path, ...]
    packages: Mapping[str, Path]


def prepare_environment(
    root: Path, task_root: Path, interpreter: Interpreter, settings: PythonSettings
) -> PythonEnvironment:
    """Return the environment of the project in `root`, whose handlers' code is in `task_root`.

    Raises:
        BadInputError: requirements.txt can't be used.
        EnvironmentProblemError: pip failed, or is unavailable.
    """
    asked = load_requirements(root / "requirements.txt")
    packages = {} if settings.aws_runtime else {LIBRARY_MODULE: python_library_folder()}
    lines = _lines(asked, task_root, settings)
    if asked.library_line is not None and not settings.aws_runtime:
        settings.note(f"{AWS_LIBRARY}: using Formwork's own handler library (--aws-runtime keeps AWS's)")
    installing = InstallSettings(settings.cache, settings.environment, settings.note)
    paths: tuple[Path, ...] = ()
    if replace(asked, lines=lines).needs_pip:
        paths = (_requirements(root, lines, interpreter, settings, installing),)
    runtime = provide_runtime_packages(interpreter, (task_root, *paths), installing)
    return PythonEnvironment(interpreter, (*paths, *runtime.paths), {**packages, **runtime.packages})


def _lines(asked: Requirements, task_root: Path, settings: PythonSettings) -> tuple[str, ...]:
    lines = asked.lines
    if settings.aws_runtime:
        return (*lines, asked.library_line or AWS_LIBRARY)
    if asked.library_line and "requests" not in asked.names and _uses_requests(task_root):
        lines = (*lines, "requests")  # AWS's library brings it, and handlers rely on that
    return lines


def _uses_requests(task_root: Path) -> bool:
    for path in task_root.rglob("*.py"):
        try:
            if _USES_REQUESTS.search(path.read_bytes()):
                return True
        except OSError:
            continue
    return False


def _requirements(
    root: Path, lines: tuple[str, ...], interpreter: Interpreter, settings: PythonSettings, installing: InstallSettings
) -> Path:
    """Return the folder of the installed requirements, AWS's handler library removed unless it is to stay."""
    what = f"the requirements of {root.name}"
    if settings.aws_runtime:
        installation = Installation(lines, what, variant="aws-runtime")
    else:
        installation = Installation(lines, what, finish=lambda made: _remove_aws_library(made, settings))
    return install_once(installation, interpreter, installing)


def _remove_aws_library(made: Path, settings: PythonSettings) -> None:
    """Remove AWS's handler library where another requirement brought it: ours stands in for it."""
    if (made / LIBRARY_MODULE).is_dir():
        shutil.rmtree(made / LIBRARY_MODULE)
        for folder in made.glob(f"{LIBRARY_MODULE}-*.dist-info"):
            shutil.rmtree(folder)
        settings.note(f"{AWS_LIBRARY} was installed by another requirement; using Formwork's own instead")
