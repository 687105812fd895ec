"""Runs registered Python packages; packages that Lambda's runtimes include are supplied as for `cfn test`."""

import sys
from pathlib import Path

from formwork.lambda_host.function import Launch
from formwork.languages.interface import LaunchSettings, UnpackedPackage
from formwork.languages.python.installing import InstallSettings
from formwork.languages.python.launch import python_launch
from formwork.languages.python.runtime_packages import provide_runtime_packages
from formwork.project.config import ProjectConfig
from formwork.toolchain.python import Interpreter, find_interpreter


def missing(package: UnpackedPackage, handler: str) -> str | None:
    """Return the handler's module if it is missing."""
    module = handler.rpartition(".")[0].replace("/", ".")
    place = package.handler.joinpath(*module.split("."))
    found = place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()
    return None if found else f'module "{module}"'


def launch(package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings, _temporary: Path) -> Launch:
    """Return the launch on the interpreter of the package's runtime, or the nearest version."""
    root = package.handler
    interpreter = _interpreter(config, settings)
    if interpreter.note:
        settings.note(interpreter.note)
    installing = InstallSettings(settings.cache, settings.user_environment, settings.note)
    runtime = provide_runtime_packages(interpreter, (root,), installing)
    return python_launch(
        interpreter.executable,
        task_root=root,
        paths=runtime.paths,
        packages=runtime.packages,
        bytecode=settings.cache / "bytecode",
    )


def loads_like_lambda(package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings) -> bool:
    """Return whether the interpreter has the runtime's version and this is Linux, as compiled modules are for Linux."""
    if _interpreter(config, settings).note:
        return False
    return sys.platform == "linux" or next(package.handler.rglob("*.so"), None) is None


def _interpreter(config: ProjectConfig, settings: LaunchSettings) -> Interpreter:
    search_path = settings.user_environment.get("PATH", "")
    return find_interpreter(config.runtime or "", search_path=search_path, home=settings.home)
