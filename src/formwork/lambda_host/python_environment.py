"""What a Python project's handlers import besides their own code: installed once, kept in a cache by content.

Nothing is fetched where nothing has to be: the handler library is the toolkit's own, boto3 (part of Lambda's Python
runtimes) is taken from the toolkit's installation where the versions permit, and only other requirements need pip.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host.fingerprint import list_files
from formwork.lambda_host.interpreters import Interpreter
from formwork.lambda_host.pip import install
from formwork.lambda_host.requirements import AWS_LIBRARY, Requirements, load_requirements

LIBRARY_MODULE = "cloudformation_cli_python_lib"
_BOTO3_MODULES = ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "six", "urllib3")
# Building a local requirement writes these beside its sources.
_WRITTEN_BY_BUILDS = re.compile(r"[/\\](build|[^/\\]*\.egg-info)[/\\]")
_USES_BOTO3 = re.compile(
    rb"^\s*(?:import|from)\s+boto(?:3|core)\b|\b_?sess(?:ion)?\s*\.\s*(?:client|resource)\s*\(", re.MULTILINE
)
_USES_REQUESTS = re.compile(rb"^\s*(?:import|from)\s+requests\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PythonSettings:
    """How environments are made.

    `cache` is the folder to keep them in; `environment` the user's, for pip; `aws_runtime` keeps AWS's handler library
    instead of the toolkit's; `note` hears of what the user should know, a line each.
    """

    cache: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    aws_runtime: bool = False
    note: Callable[[str], None] = lambda _line: None


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """Where a project's handlers import from: folders, and single packages with the folders they stand in."""

    interpreter: Interpreter
    paths: tuple[Path, ...]
    packages: Mapping[str, Path]


def prepare_environment(
    root: Path, task_root: Path, interpreter: Interpreter, settings: PythonSettings
) -> PythonEnvironment:
    """The environment of the project in `root`, whose handlers' code is in `task_root`.

    Raises:
        BadInputError: requirements.txt can't be used.
        EnvironmentProblemError: pip failed, or there is none.
    """
    asked = load_requirements(root / "requirements.txt")
    packages = {} if settings.aws_runtime else {LIBRARY_MODULE: _own_library()}
    boto3 = toolkit_boto3(interpreter)
    packages |= boto3
    lines = _lines(asked, task_root, settings, boto3_at_hand=bool(boto3))
    if asked.library_line is not None and not settings.aws_runtime:
        settings.note(f"{AWS_LIBRARY}: using Formwork's own handler library (--aws-runtime keeps AWS's)")
    if not replace(asked, lines=lines).needs_pip:
        return PythonEnvironment(interpreter, (), packages)
    return PythonEnvironment(interpreter, (_installed(root, lines, interpreter, settings),), packages)


def _lines(asked: Requirements, task_root: Path, settings: PythonSettings, *, boto3_at_hand: bool) -> tuple[str, ...]:
    lines = asked.lines
    if settings.aws_runtime:
        lines = (*lines, asked.library_line or AWS_LIBRARY)
    uses_boto3, uses_requests = _uses(task_root)
    if uses_boto3 and not boto3_at_hand and "boto3" not in asked.names:
        lines = (*lines, "boto3")  # part of Lambda's Python runtimes
    if uses_requests and asked.library_line and "requests" not in asked.names and not settings.aws_runtime:
        lines = (*lines, "requests")  # AWS's library brings it, and handlers rely on that
    return lines


def _uses(task_root: Path) -> tuple[bool, bool]:
    """Whether the code in `task_root` uses boto3, and requests."""
    boto3 = requests = False
    for path in task_root.rglob("*.py"):
        try:
            text = path.read_bytes()
        except OSError:
            continue
        boto3 = boto3 or _USES_BOTO3.search(text) is not None
        requests = requests or _USES_REQUESTS.search(text) is not None
    return boto3, requests


def _own_library() -> Path:
    return folder_of(LIBRARY_MODULE) or Path()


def folder_of(module: str) -> Path | None:
    """The folder in which the toolkit has a top-level module."""
    spec = importlib.util.find_spec(module)
    return Path(spec.origin).parents[1 if spec.submodule_search_locations else 0] if spec and spec.origin else None


def toolkit_boto3(interpreter: Interpreter) -> dict[str, Path]:
    """boto3 and what it needs, of the toolkit's installation; empty where it has none or that Python is too old."""
    found = {name: folder for name in _BOTO3_MODULES if (folder := folder_of(name)) is not None}
    if len(found) < len(_BOTO3_MODULES):
        return {}
    if interpreter.minor != sys.version_info[1]:
        import importlib.metadata  # noqa: PLC0415 - 22 ms, needed for other Pythons only

        needed = str(importlib.metadata.metadata("boto3").json.get("requires_python", ""))
        oldest = re.search(r">=\s*3\.(\d+)", needed)
        if oldest and interpreter.minor < int(oldest[1]):
            return {}
    return found


def _installed(root: Path, lines: tuple[str, ...], interpreter: Interpreter, settings: PythonSettings) -> Path:
    """The folder of the installed requirements; made where it isn't there yet.

    It is made beside its place and moved there in one step, so that parallel runs never see half of it.
    """
    place = settings.cache / "python" / _key(lines, interpreter, settings)
    if place.is_dir():
        return place
    settings.note(f"installing the requirements of {root.name} for Python 3.{interpreter.minor}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".making-", ignore_cleanup_errors=True) as folder:
            made = Path(folder, "packages")
            install(lines, made, interpreter, environment=settings.environment)
            made.mkdir(exist_ok=True)
            if not settings.aws_runtime:
                _remove_aws_library(made, settings)
            _move(made, place)
    except OSError as error:
        raise EnvironmentProblemError(
            f'the cache folder "{settings.cache}" can\'t be used: {error.strerror or error}',
            hint="name another one in the environment variable FORMWORK_CACHE",
        ) from error
    return place


def _move(made: Path, place: Path) -> None:
    try:
        os.rename(made, place)  # noqa: PTH104 - Path.rename's replacing differs by platform; this must fail on a race
    except OSError:
        if not place.is_dir():  # otherwise another run was faster, with the same content
            raise


def _remove_aws_library(made: Path, settings: PythonSettings) -> None:
    """Drop AWS's handler library where another requirement brought it: ours stands in for it."""
    if (made / LIBRARY_MODULE).is_dir():
        shutil.rmtree(made / LIBRARY_MODULE)
        for each in made.glob(f"{LIBRARY_MODULE}-*.dist-info"):
            shutil.rmtree(each)
        settings.note(f"{AWS_LIBRARY} came with another requirement: using Formwork's own handler library instead")


def _key(lines: tuple[str, ...], interpreter: Interpreter, settings: PythonSettings) -> str:
    """A name for all that an environment comes from: the lines, local files in them, pip's settings, the platform."""
    machine = os.uname().machine if hasattr(os, "uname") else ""
    pip = {name: value for name, value in sorted(settings.environment.items()) if name.startswith("PIP_")}
    local = [_state(Path(line.split("[")[0].split()[-1])) for line in lines if line.startswith(("-", "/"))]
    content = [list(lines), interpreter.minor, sys.platform, machine, settings.aws_runtime, pip, local]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def _state(path: Path) -> list[Any]:
    """What changes when a file, or a file in a folder, does; empty for what is no path."""
    try:
        if path.is_dir():
            return [row for row in list_files((path,)) if not _WRITTEN_BY_BUILDS.search(row[0])]
        return [hashlib.sha256(path.read_bytes()).hexdigest()]
    except (OSError, ValueError):
        return []
