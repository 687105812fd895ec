"""The packages that a Python project's handlers import: installed once, cached by content.

The handler library is the toolkit's own, packages that Lambda includes come from `runtime_packages`, and only other
requirements need pip and the network.

The reasons are in docs/decisions/0403.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder
from formwork.languages.python.installing import Installation, InstallSettings, install_once
from formwork.languages.python.library_metadata import installed_metadata
from formwork.languages.python.requirements import (
    AWS_LIBRARY,
    HANDLER_LIBRARIES,
    OWN_LIBRARY,
    REQUIREMENTS_FILE,
    RequirementLine,
    read_requirements,
)
from formwork.languages.python.runtime_packages import provide_runtime_packages
from formwork.toolchain.python import Interpreter

_USES_REQUESTS = re.compile(rb"^\s*(?:import|from)\s+requests\b", re.MULTILINE)


class PythonEnvironment(Struct, frozen=True):
    """The import paths of a project's handlers: folders, and single packages with the folders that contain them."""

    interpreter: Interpreter
    paths: tuple[Path, ...]
    packages: Mapping[str, Path]


def prepare_environment(
    root: Path, task_root: Path, interpreter: Interpreter, settings: InstallSettings, *, aws_runtime: bool = False
) -> PythonEnvironment:
    """Return the environment of the project in `root`, with the handlers' code in `task_root`.

    `aws_runtime` keeps AWS's handler library instead of the toolkit's.

    Raises:
        BadInputError: requirements.txt can't be used.
        EnvironmentProblemError: pip failed, or is unavailable.
    """
    asked = load_requirements(root / REQUIREMENTS_FILE)
    library = next((line for line in asked if line.name == AWS_LIBRARY), None)
    packages = {} if aws_runtime else {LIBRARY_MODULE: python_library_folder()}
    lines = [line for line in asked if line.name not in HANDLER_LIBRARIES]
    if aws_runtime:
        lines.append(library or RequirementLine(AWS_LIBRARY))
    elif library is not None:
        settings.note(f"{AWS_LIBRARY}: using Formwork's own handler library (--aws-runtime keeps AWS's)")
        if "requests" not in {line.name for line in lines} and _uses_requests(task_root):
            lines.append(RequirementLine("requests"))  # a dependency of AWS's library, which handlers rely on
    paths: tuple[Path, ...] = ()
    if any(not line.is_option for line in lines):
        texts = tuple(line.text for line in lines)
        paths = (install_once(_installation(root, texts, settings, aws_runtime=aws_runtime), interpreter, settings),)
    runtime = provide_runtime_packages(interpreter, (task_root, *paths), settings)
    described = () if aws_runtime else (installed_metadata(settings.cache),)
    return PythonEnvironment(interpreter, (*paths, *runtime.paths, *described), {**packages, **runtime.packages})


def load_requirements(path: Path) -> list[RequirementLine]:
    """Return the lines of the requirements file at `path`; none if it does not exist.

    Raises:
        BadInputError: it can't be read, includes itself, or requires both handler libraries.
    """
    try:
        lines = read_requirements(path) if path.is_file() else []
    except BadInputError as error:
        raise BadInputError([replace(each, code="python.requirements") for each in error.diagnostics]) from None
    asked = {line.name: line.location for line in lines}
    if asked.keys() >= HANDLER_LIBRARIES:
        raise BadInputError.of(
            "python.two-libraries",
            f"{AWS_LIBRARY} and {OWN_LIBRARY} are the same module, cloudformation_cli_python_lib: require one of them",
            location=asked[OWN_LIBRARY],
            hint=f"remove the line {OWN_LIBRARY}: the toolkit contains it, and uses it in place of {AWS_LIBRARY}",
        )
    return lines


def _uses_requests(task_root: Path) -> bool:
    for path in task_root.rglob("*.py"):
        try:
            if _USES_REQUESTS.search(path.read_bytes()):
                return True
        except OSError:
            continue
    return False


def _installation(root: Path, lines: tuple[str, ...], settings: InstallSettings, *, aws_runtime: bool) -> Installation:
    """Return the installation of requirements, with AWS's handler library only if `aws_runtime`."""
    what = f"the requirements of {root.name}"
    if aws_runtime:
        return Installation(lines, what, variant="aws-runtime")
    return Installation(lines, what, finish=lambda made: _remove_aws_library(made, settings))


def _remove_aws_library(made: Path, settings: InstallSettings) -> None:
    """Remove AWS's handler library if another requirement installed it: the toolkit's replaces it."""
    if (made / LIBRARY_MODULE).is_dir():
        shutil.rmtree(made / LIBRARY_MODULE)
        for folder in made.glob(f"{LIBRARY_MODULE}-*.dist-info"):
            shutil.rmtree(folder)
        settings.note(f"{AWS_LIBRARY} was installed by another requirement; using Formwork's own instead")
