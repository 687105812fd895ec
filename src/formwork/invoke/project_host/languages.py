"""Which language runs a function: chosen by the function's runtime, imported when it is needed."""

import importlib
import re
from typing import NoReturn, Protocol

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host import Function
from formwork.lambda_host.template import FunctionSpec
from formwork.project import Project


class ProjectRuntime(Protocol):
    """The functions of one project in one language; made with the project and the settings.

    What functions share (an environment, a build) it makes once, when the first process starts, and again when sources
    changed: `Function.prepare` does that, and its `sources` are what the host watches.
    """

    def function(self, spec: FunctionSpec) -> Function:
        """The function that the template describes.

        Raises:
            BadInputError: the template names code that is not there.
        """
        ...


# Pattern of a Lambda runtime → module and class of what runs it.
_RUNTIMES = {
    r"python3\.\d+": ("python", "PythonProject"),
    r"go1\.x|provided(\.al2|\.al2023)?": ("go", "GoProject"),
    r"java\d+(\.al2)?": ("java", "JavaProject"),
    r"nodejs\d+\.x": ("node", "NodeProject"),
}


class ProjectRuntimes:
    """What runs the functions of `project`, one of each language."""

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._project = project
        self._settings = settings
        self._made: dict[str, ProjectRuntime] = {}

    def function(self, spec: FunctionSpec) -> Function:
        """The function that the template describes; one that can't be run here says so when it is started."""
        module, name = next(
            (found for pattern, found in _RUNTIMES.items() if re.fullmatch(pattern, spec.runtime)), (None, "")
        )
        if module is None:
            return self._not_runnable(spec)
        if module not in self._made:
            found = importlib.import_module(f"formwork.invoke.project_host.{module}")
            self._made[module] = getattr(found, name)(self._project, self._settings)
        return self._made[module].function(spec)

    def _not_runnable(self, spec: FunctionSpec) -> Function:
        def refuse() -> NoReturn:
            raise EnvironmentProblemError(
                f'runtime "{spec.runtime}": its handlers can\'t be run here yet',
                hint="start them elsewhere and name the service with --endpoint",
            )

        return Function(spec.name, spec.handler, spec.runtime, self._project.root.resolve(), refuse)
