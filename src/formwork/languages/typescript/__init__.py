"""TypeScript, compiled for Node.js."""

from typing import TYPE_CHECKING

from formwork.languages.interface import Language, PackageRunner

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator
    from formwork.invoke.project_host.runtime import ProjectRuntime
    from formwork.invoke.project_host.settings import ProjectHostSettings
    from formwork.package.provider import PackagingSettings, ProviderBuild
    from formwork.project import Project


def _generator(_name: str) -> "LanguageGenerator":
    from formwork.languages.typescript.generate.generator import TypeScriptGenerator

    return TypeScriptGenerator()


def _project_runtime(project: "Project", settings: "ProjectHostSettings") -> "ProjectRuntime":
    from formwork.languages.typescript.project import NodeProject

    return NodeProject(project, settings)


def _package_build(_project: "Project", settings: "PackagingSettings") -> "ProviderBuild":
    from formwork.languages.typescript.provider import NodeBuild

    return NodeBuild(settings)


def _package_runner() -> PackageRunner:
    from formwork.languages.typescript import packaged

    return packaged


LANGUAGE = Language(
    offered=("typescript",),
    runtimes=r"nodejs\d+\.x",
    generator=_generator,
    project_runtime=_project_runtime,
    package_build=_package_build,
    package_runner=_package_runner,
)
