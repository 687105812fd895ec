"""The interface that creates Lambda functions from a project's folder, implemented by each language."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.project import Project


class ProjectRuntime(Protocol):
    """The functions of one project in one language; made with the project and the settings.

    What functions share (an environment, a build) it makes once, when the first process starts, and again when sources
    changed: `Function.prepare` does that, and its `sources` are what the host watches.
    """

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes.

        Raises:
            BadInputError: the template names code that is not there.
        """
        ...


def function_of(
    spec: FunctionSpec,
    settings: ProjectHostSettings,
    *,
    task_root: Path,
    prepare: Callable[[], Launch],
    sources: tuple[Path, ...],
) -> LambdaFunction:
    """Return the function that a template describes; under a debugger it has no limits."""
    limited = settings.debug_port is None
    return LambdaFunction(
        spec.name,
        spec.handler,
        spec.runtime,
        task_root,
        prepare,
        timeout=float(spec.timeout) if limited else None,
        memory_mb=spec.memory_mb if limited else None,
        environment=spec.environment,
        sources=sources,
    )


def once_each(note: Callable[[str], None]) -> Callable[[str], None]:
    """Return `note` for lines that functions which share a build would repeat: each is passed on once."""
    said: set[str] = set()

    def tell(line: str) -> None:
        if line not in said:
            said.add(line)
            note(line)

    return tell


# Makes the runtime of a project.
OpenRuntime: TypeAlias = Callable[[Project, ProjectHostSettings], ProjectRuntime]
