"""Unpacked packages as Lambda functions, by their runtime.

Packages are made for Lambda's machine. On another machine, or without what they need, only the presence of their entry
point is checked.
"""

import tempfile
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.languages.catalogue import language_of_runtime
from formwork.languages.interface import PackageRunner
from formwork.project.config import CONFIG_FILE, ProjectConfig
from formwork.registry.packages import Package
from formwork.registry.settings import HandlerSettings

FUNCTION = "TypeFunction"


def expect_entry_point(package: Package, config: ProjectConfig) -> PackageRunner:
    """Return what runs the handlers of a package.

    Raises:
        BadInputError: the runtime is unknown, or the function that Lambda would call is not in the package.
    """
    if not config.entrypoint:
        raise _problem("the config has no entrypoint")
    language = language_of_runtime(config.runtime or "", config.language)
    if language is None or language.package_runner is None:
        raise _problem(f'unknown runtime "{config.runtime}": expected one of Python, Node.js, Java or Go')
    runner = language.package_runner()
    missing = runner.missing(package, config.entrypoint)
    if missing is not None:
        raise _problem(f'the handler "{config.entrypoint}" is not in the package: {missing} not found')
    return runner


def packaged_function(
    package: Package, config: ProjectConfig, settings: HandlerSettings, temporary: Path
) -> LambdaFunction:
    """Return a package's function, with its processes' folders below `temporary`; launch errors are raised on start."""

    def launch() -> Launch:
        runner = expect_entry_point(package, config)
        return runner.launch(package, config, settings, Path(tempfile.mkdtemp(dir=temporary)))

    return LambdaFunction(
        FUNCTION,
        config.entrypoint or "",
        config.runtime or "",
        package.handler if package.handler.is_dir() else package.files,
        launch,
        timeout=settings.limit_seconds,
        memory_mb=settings.memory_mb,
    )


def is_judged(package: Package, config: ProjectConfig, settings: HandlerSettings) -> bool:
    """Return whether a handler that can't be loaded here could not be loaded in Lambda either."""
    try:
        return expect_entry_point(package, config).loads_like_lambda(package, config, settings)
    except EnvironmentProblemError:  # what it runs on is not installed
        return False


def _problem(message: str) -> BadInputError:
    return BadInputError.of("package.handler", message, location=Location(CONFIG_FILE))
