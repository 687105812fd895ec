"""The functions of a project's folder, each run by the language of its Lambda runtime."""

from typing import NoReturn

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.project_host.runtime import ProjectRuntime
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.catalogue import language_of_runtime
from formwork.project import Project


class ProjectRuntimes:
    """Creates functions of a project in any language: a `ProjectRuntime` that delegates by the function's runtime."""

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._project = project
        self._settings = settings
        # by pattern of runtimes, so that functions of one language share its build
        self._made: dict[str, ProjectRuntime] = {}

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes; one that can't be run here raises when it is started."""
        language = language_of_runtime(spec.runtime, self._project.language)
        if language is None or language.project_runtime is None:
            return self._not_runnable(spec)
        if language.runtimes not in self._made:
            self._made[language.runtimes] = language.project_runtime(self._project, self._settings)
        return self._made[language.runtimes].function(spec)

    def _not_runnable(self, spec: FunctionSpec) -> LambdaFunction:
        def refuse() -> NoReturn:
            raise EnvironmentProblemError(
                f'runtime "{spec.runtime}": its handlers can\'t be run on this machine yet',
                hint="start the handlers elsewhere and pass their address with --endpoint",
            )

        return LambdaFunction(spec.name, spec.handler, spec.runtime, self._project.root.resolve(), refuse)
