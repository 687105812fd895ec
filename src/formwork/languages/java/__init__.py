"""Java on AWS's published runtime."""

from typing import TYPE_CHECKING

from formwork.languages.interface import Language, PackageRunner

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator
    from formwork.invoke.project_host.runtime import ProjectRuntime
    from formwork.invoke.project_host.settings import ProjectHostSettings
    from formwork.package.provider import PackagingSettings, ProviderBuild
    from formwork.project import Project


def _generator(_name: str) -> "LanguageGenerator":
    from formwork.languages.java.generate.generator import JavaGenerator

    return JavaGenerator()


def _project_runtime(project: "Project", settings: "ProjectHostSettings") -> "ProjectRuntime":
    from formwork.languages.java.project import JavaProject

    return JavaProject(project, settings)


def _package_build(_project: "Project", settings: "PackagingSettings") -> "ProviderBuild":
    from formwork.languages.java.provider import JavaBuild

    return JavaBuild(settings)


def _package_runner() -> PackageRunner:
    from formwork.languages.java import packaged

    return packaged


LANGUAGE = Language(
    offered=("java",),
    runtimes=r"java\d+(\.al2)?",
    generator=_generator,
    project_runtime=_project_runtime,
    package_build=_package_build,
    package_runner=_package_runner,
)
