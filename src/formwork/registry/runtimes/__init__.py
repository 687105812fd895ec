"""Unpacked packages as Lambda functions, by their runtime: one file a language.

Packages are made for Lambda's machine. Where this one lacks what they need, or is another, that their entry point is
there is all that can be told of them.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.lambda_host import Function, Launch
from formwork.project.config import CONFIG_FILE, ProjectConfig
from formwork.registry.packages import Package
from formwork.registry.runtimes import java, node, program, python
from formwork.registry.settings import HandlerSettings

FUNCTION = "TypeFunction"


@dataclass(frozen=True, slots=True)
class Runtime:
    """How packages of a language are run.

    `missing` says what of a package is not there, None where its entry point is; `launch` starts it, with an empty
    folder for temporary files of its own; `judged` says whether a handler that can't be loaded here could not be loaded
    in Lambda either.
    """

    pattern: str
    missing: Callable[[Package, str], str | None]
    launch: Callable[[Package, ProjectConfig, HandlerSettings, Path], Launch]
    judged: Callable[[Package, ProjectConfig, HandlerSettings], bool]


_RUNTIMES = (
    Runtime(r"python3\.\d+", python.missing, python.launch, python.judged),
    Runtime(r"nodejs\d+\.x", node.missing, node.launch, node.judged),
    Runtime(r"java\d+(\.al2)?", java.missing, java.launch, java.judged),
    Runtime(r"go1\.x|provided(\.al2|\.al2023)?", program.missing, program.launch, program.judged),
)


def expect_runtime(package: Package, config: ProjectConfig) -> Runtime:
    """How the handlers of a package are run.

    Raises:
        BadInputError: nobody knows the runtime, or what Lambda would call is not in the package.
    """
    if not config.entrypoint:
        raise _problem("the config has no entrypoint")
    runtime = next((each for each in _RUNTIMES if re.fullmatch(each.pattern, config.runtime or "")), None)
    if runtime is None:
        raise _problem(f'the runtime "{config.runtime}" is none of Python, Node.js, Java and Go')
    missing = runtime.missing(package, config.entrypoint)
    if missing is not None:
        raise _problem(f'the handler "{config.entrypoint}" is not in the package: there is no {missing}')
    return runtime


def packaged_function(package: Package, config: ProjectConfig, settings: HandlerSettings, temporary: Path) -> Function:
    """The function of a package, whose processes have folders below `temporary`; what can't be started says so then."""

    def launch() -> Launch:
        runtime = expect_runtime(package, config)
        return runtime.launch(package, config, settings, Path(tempfile.mkdtemp(dir=temporary)))

    return Function(
        FUNCTION,
        config.entrypoint or "",
        config.runtime or "",
        package.handler if package.handler.is_dir() else package.files,
        launch,
        timeout=settings.limit_seconds,
        memory_mb=settings.memory_mb,
    )


def is_judged(package: Package, config: ProjectConfig, settings: HandlerSettings) -> bool:
    """Whether a handler that can't be loaded here could not be loaded in Lambda either."""
    try:
        return expect_runtime(package, config).judged(package, config, settings)
    except EnvironmentProblemError:  # what it runs on is not installed
        return False


def _problem(message: str) -> BadInputError:
    return BadInputError.of("package.handler", message, location=Location(CONFIG_FILE))
