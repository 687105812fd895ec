"""What an unpacked package's handlers are as a Lambda function, by their runtime.

Packages are made for Lambda's machine. Where this one can't run them, that their entry point is there is all that can
be told.
"""

import re
import sys
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.lambda_host import Function, Launch
from formwork.lambda_host.interpreters import find_interpreter
from formwork.lambda_host.python_environment import toolkit_boto3
from formwork.lambda_host.python_launch import python_launch
from formwork.project.config import CONFIG_FILE, ProjectConfig
from formwork.registry.packages import Package
from formwork.registry.settings import HandlerSettings

FUNCTION = "TypeFunction"
_PYTHON = re.compile(r"python3\.\d+")
_PROGRAM = re.compile(r"go1\.x|provided(\.al2|\.al2023)?")
_NODE = re.compile(r"nodejs\d+\.x")
_PROGRAMS = ("bootstrap", "handler")


def packaged_function(package: Package, config: ProjectConfig, settings: HandlerSettings) -> Function:
    """The function of a package; what can't be started says so when it is."""
    return Function(
        FUNCTION,
        config.entrypoint or "",
        config.runtime or "",
        package.handler,
        lambda: _launch(package, config, settings),
        timeout=settings.limit_seconds,
        memory_mb=settings.memory_mb,
    )


def can_run(config: ProjectConfig) -> bool:
    """Whether handlers of that runtime can be run on this machine, as they are packaged."""
    runtime = config.runtime or ""
    return _PYTHON.fullmatch(runtime) is not None or (
        _PROGRAM.fullmatch(runtime) is not None and sys.platform == "linux"
    )


def check_entry_point(package: Package, config: ProjectConfig) -> None:
    """See that what Lambda would call is in the package.

    Raises:
        BadInputError: it is not.
    """
    runtime, handler = config.runtime or "", config.entrypoint or ""
    if not handler:
        raise _problem("the config has no entrypoint")
    root = package.handler
    if _PYTHON.fullmatch(runtime):
        module = handler.rpartition(".")[0].replace("/", ".")
        place = root.joinpath(*module.split("."))
        missing = not place.with_suffix(".py").is_file() and not (place / "__init__.py").is_file()
        what = f'module "{module}"'
    elif _PROGRAM.fullmatch(runtime):
        missing, what = _program(root) is None, "program bootstrap"
    elif _NODE.fullmatch(runtime):
        stem = handler.rpartition(".")[0]
        missing = not any((root / f"{stem}{suffix}").is_file() for suffix in (".js", ".mjs", ".cjs"))
        what = f"file {stem}.js"
    else:
        missing = not list(package.files.glob("target/*.jar")) and not any(root.glob("*"))
        what = "jar in target/, nor an archive of handlers"
    if missing:
        raise _problem(f'the handler "{handler}" is not in the package: there is no {what}')


def _program(root: Path) -> Path | None:
    return next((root / name for name in _PROGRAMS if (root / name).is_file()), None)


def _launch(package: Package, config: ProjectConfig, settings: HandlerSettings) -> Launch:
    check_entry_point(package, config)
    runtime = config.runtime or ""
    if _PYTHON.fullmatch(runtime):
        return _python(package.handler, runtime, settings)
    program = _program(package.handler) if can_run(config) else None
    if program is None:
        raise EnvironmentProblemError(f'runtime "{runtime}": packaged handlers of it can\'t be run here')
    program.chmod(0o755)
    return Launch((str(program),), {}, package.handler)


def _python(root: Path, runtime: str, settings: HandlerSettings) -> Launch:
    """Everything is in the package but boto3, which is part of Lambda's runtimes: the toolkit's stands in."""
    search_path = settings.user_environment.get("PATH", "")
    interpreter = find_interpreter(runtime, search_path=search_path, home=settings.home)
    if interpreter.note:
        settings.note(interpreter.note)
    boto3 = {
        name: folder
        for name, folder in toolkit_boto3(interpreter).items()
        if not (root / name).is_dir() and not (root / f"{name}.py").is_file()
    }
    return python_launch(interpreter.executable, task_root=root, packages=boto3, bytecode=settings.cache / "bytecode")


def _problem(message: str) -> BadInputError:
    return BadInputError.of("package.handler", message, location=Location(CONFIG_FILE))
