"""The interface of a language: a `Language`, whose parts are imported when they are first used.

| part | used by | for |
| --- | --- | --- |
| `generator` | `formwork.generate` | `cfn init`, `cfn generate` |
| `project_runtime` | `formwork.invoke.project_host` | `cfn test`, `cfn invoke`, `cfn serve` |
| `package_build` | `formwork.package` | `cfn package`, `cfn submit` |
| `package_runner` | `formwork.registry` | registered types |

A built-in language is a folder beside this file with a `LANGUAGE` in its `__init__.py`. A language of another package
is found by its entry point in the group `formwork.languages`. docs/how-to/add-a-language.md is a complete example.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator
    from formwork.invoke.project_host.runtime import OpenRuntime
    from formwork.lambda_host.function import Launch
    from formwork.package.provider import PackagingSettings, ProviderBuild
    from formwork.project import Project
    from formwork.project.config import ProjectConfig


class UnpackedPackage(Protocol):
    """A registered package: the folder with its members, and the one with the code that Lambda would unpack."""

    @property
    def files(self) -> Path:
        """The folder with the package's members."""
        ...

    @property
    def handler(self) -> Path:
        """The folder with the content of the package's inner archive; empty or missing if there is none."""
        ...


class LaunchSettings(Protocol):
    """Settings for running handlers of packages; `ProjectHostSettings` has members with the same names and meanings."""

    @property
    def cache(self) -> Path: ...  # noqa: D102 - see the class
    @property
    def home(self) -> Path: ...  # noqa: D102
    @property
    def user_environment(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def aws_environment(self) -> Mapping[str, str] | None: ...  # noqa: D102
    @property
    def memory_mb(self) -> int: ...  # noqa: D102
    @property
    def note(self) -> Callable[[str], None]: ...  # noqa: D102


class PackageRunner(Protocol):
    """Runs the handlers of registered packages; a module with these functions is enough."""

    def missing(self, package: UnpackedPackage, handler: str, /) -> str | None:
        """Return what the package lacks of the entry point `handler`, such as "file handlers.js"; None if nothing."""
        ...

    def launch(
        self, package: UnpackedPackage, config: "ProjectConfig", settings: LaunchSettings, temporary: Path, /
    ) -> "Launch":
        """Return how to start the package's handlers; `temporary` is an empty folder for files of the process.

        Raises:
            EnvironmentProblemError: they can't be run on this machine.
        """
        ...

    def loads_like_lambda(self, package: UnpackedPackage, config: "ProjectConfig", settings: LaunchSettings, /) -> bool:
        """Return whether a handler that can't be loaded on this machine could not be loaded in Lambda either.

        Raises:
            EnvironmentProblemError: the handlers' runtime is not installed.
        """
        ...


class Language(Struct, frozen=True, kw_only=True):
    """A language that handlers are written in.

    Attributes:
        offered: the names that `cfn init` offers, for `language` of `.rpdk-config`.
        names: regular expression of all names, those of outdated versions too; "" if they are the offered ones.
        runtimes: regular expression of the Lambda runtimes that it runs; "" if it runs none. Its functions are then
            run by the built-in language that has their runtime.
        generator: returns the generator of projects, for one of the names. project_runtime: returns the runtime for the
        functions of a project's folder. package_build: returns the build of a project for Lambda, or raises UsageError
        if it does not support the project's
            runtime; None if projects are not packaged.
        package_runner: returns the runner of registered packages.
    """

    offered: tuple[str, ...]
    generator: "Callable[[str], LanguageGenerator]"
    names: str = ""
    runtimes: str = ""
    project_runtime: "OpenRuntime | None" = None
    package_build: "Callable[[Project, PackagingSettings], ProviderBuild] | None" = None
    package_runner: Callable[[], PackageRunner] | None = None
