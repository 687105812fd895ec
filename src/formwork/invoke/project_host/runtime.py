"""What makes Lambda functions of a project's folder: implemented by each language."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host import LambdaFunction
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


# Makes the runtime of a project.
OpenRuntime: TypeAlias = Callable[[Project, ProjectHostSettings], ProjectRuntime]
