"""Go: handlers are programs for Lambda's `provided` runtimes."""

from typing import TYPE_CHECKING

from formwork.languages.interface import Language, PackageRunner

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator
    from formwork.invoke.project_host.runtime import ProjectRuntime
    from formwork.invoke.project_host.settings import ProjectHostSettings
    from formwork.package.provider import PackagingSettings, ProviderBuild
    from formwork.project import Project


def _generator(_name: str) -> "LanguageGenerator":
    from formwork.languages.go.generate.generator import GoGenerator

    return GoGenerator()


def _project_runtime(project: "Project", settings: "ProjectHostSettings") -> "ProjectRuntime":
    from formwork.languages.go.project import GoProject

    return GoProject(project, settings)


def _package_build(_project: "Project", settings: "PackagingSettings") -> "ProviderBuild":
    from formwork.languages.go.provider import GoBuild

    return GoBuild(settings)


def _package_runner() -> PackageRunner:
    from formwork.languages.go import packaged

    return packaged


LANGUAGE = Language(
    offered=("go",),
    runtimes=r"go1\.x|provided(\.al2|\.al2023)?",
    generator=_generator,
    project_runtime=_project_runtime,
    package_build=_package_build,
    package_runner=_package_runner,
)
