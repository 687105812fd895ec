"""What an unpacked package's handlers are as a Lambda function, by their runtime."""

import re
from pathlib import Path
from typing import NoReturn

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.lambda_host import Function, Launch
from formwork.lambda_host.interpreters import find_interpreter
from formwork.lambda_host.python_environment import toolkit_boto3
from formwork.lambda_host.python_launch import python_launch
from formwork.project.config import CONFIG_FILE, ProjectConfig
from formwork.registry.packages import Package
from formwork.registry.settings import HandlerSettings

FUNCTION = "TypeFunction"


def packaged_function(package: Package, config: ProjectConfig, settings: HandlerSettings) -> Function:
    """The function of a package; what can't be started says so when it is."""
    runtime, handler = config.runtime or "", config.entrypoint or ""
    root = package.handler

    def launch() -> Launch:
        if not handler:
            raise _problem("the config has no entrypoint")
        if re.fullmatch(r"python3\.\d+", runtime):
            return _python(root, runtime, handler, settings)
        _not_runnable(runtime)

    return Function(
        FUNCTION, handler, runtime, root, launch, timeout=settings.limit_seconds, memory_mb=settings.memory_mb
    )


def _python(root: Path, runtime: str, handler: str, settings: HandlerSettings) -> Launch:
    """Everything is in the package but boto3, which is part of Lambda's runtimes: the toolkit's stands in."""
    module, _, _name = handler.rpartition(".")
    place = root.joinpath(*module.replace("/", ".").split("."))
    if not (place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()):
        raise _problem(f'the handler "{handler}" is not in the package: there is no module "{module}"')
    search_path = settings.user_environment.get("PATH", "")
    interpreter = find_interpreter(runtime, search_path=search_path, home=settings.home)
    if interpreter.note:
        settings.note(interpreter.note)
    return python_launch(
        interpreter.executable,
        task_root=root,
        packages={
            name: folder
            for name, folder in toolkit_boto3(interpreter).items()
            if not (root / name).is_dir() and not (root / f"{name}.py").is_file()
        },
        bytecode=settings.cache / "bytecode",
    )


def _not_runnable(runtime: str) -> NoReturn:
    raise EnvironmentProblemError(f'runtime "{runtime}": its handlers can\'t be run here yet')


def _problem(message: str) -> BadInputError:
    return BadInputError.of("package.handler", message, location=Location(CONFIG_FILE))
