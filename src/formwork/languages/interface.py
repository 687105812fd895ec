"""What Formwork needs of a language: one class that implements `Language`.

| methods | called by | for |
| --- | --- | --- |
| `GeneratingLanguage`'s | `formwork.generate` | `cfn init`, `cfn generate` |
| `project_runtime` | `formwork.invoke.project_host` | `cfn test`, `cfn invoke`, `cfn serve` |
| `package_build` | `formwork.package` | `cfn package`, `cfn submit` |
| `missing_entry_point`, `launch_package`, `loads_like_lambda` | `formwork.registry` | registered types |

A language of ours is a folder beside this file, whose `ENTRY` says its names and Lambda runtimes without importing the
rest (`formwork.languages.entry`). A language of another package is found by its entry point in the group
`formwork.languages`, which leads to the class, made without arguments. It may lack `runtimes` and with it what runs
functions, which the language of ours with the same runtime then does; and `package_build`, without which its projects
are not packaged.
docs/how-to/add-a-language.md is a complete example.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from formwork.generate.language import GeneratingLanguage
from formwork.invoke.project_host import ProjectHostSettings
from formwork.invoke.project_host.runtime import ProjectRuntime
from formwork.lambda_host import Launch
from formwork.package.provider import PackagingSettings, ProviderBuild
from formwork.project import Project
from formwork.project.config import ProjectConfig


class UnpackedPackage(Protocol):
    """A package that was registered: the folder with its members, and the one with what Lambda would unpack of it."""

    @property
    def files(self) -> Path:
        """The folder with the package's members."""
        ...

    @property
    def handler(self) -> Path:
        """The folder with the content of the package's inner archive; empty or missing where it has none."""
        ...


class LaunchSettings(Protocol):
    """How handlers of packages are run; `ProjectHostSettings` has members of the same names and meanings."""

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


class Language(GeneratingLanguage, Protocol):
    """A language that handlers are generated, run, packaged and registered in."""

    @property
    def runtimes(self) -> str:
        """Regular expression that Lambda's names of the language's runtimes match in full."""
        ...

    def project_runtime(self, project: Project, settings: ProjectHostSettings) -> ProjectRuntime:
        """Return what makes Lambda functions of the project's folder, for local runs."""
        ...

    def package_build(self, project: Project, settings: PackagingSettings) -> ProviderBuild:
        """Return what builds the project for Lambda.

        Raises:
            UsageError: the project's runtime can't be packaged for.
        """
        ...

    def missing_entry_point(self, package: UnpackedPackage, handler: str) -> str | None:
        """Return what the package lacks of the entry point `handler`, such as "file handlers.js"; None if nothing."""
        ...

    def launch_package(
        self, package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings, temporary: Path
    ) -> Launch:
        """Return how to start the package's handlers; `temporary` is an empty folder for files of the process.

        Raises:
            EnvironmentProblemError: they can't be run on this machine.
        """
        ...

    def loads_like_lambda(self, package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings) -> bool:
        """Return whether a handler that can't be loaded on this machine could not be loaded in Lambda either.

        Raises:
            EnvironmentProblemError: what the handlers run on is not installed.
        """
        ...
