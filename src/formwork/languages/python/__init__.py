"""Python: handlers run by Formwork's bootstrap loop, packaged with pip."""

from typing import TYPE_CHECKING

from formwork.languages.interface import Language, PackageRunner
from formwork.languages.python.versions import PYTHON_VERSIONS, python_language

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator
    from formwork.invoke.project_host.runtime import ProjectRuntime
    from formwork.invoke.project_host.settings import ProjectHostSettings
    from formwork.package.provider import PackagingSettings, ProviderBuild
    from formwork.project import Project


def _generator(name: str) -> "LanguageGenerator":
    from formwork.languages.python.generate.generator import PythonGenerator

    return PythonGenerator(f"3.{name.removeprefix('python3')}")


def _project_runtime(project: "Project", settings: "ProjectHostSettings") -> "ProjectRuntime":
    from formwork.languages.python.project import PythonProject

    return PythonProject(project, settings)


def _package_build(project: "Project", settings: "PackagingSettings") -> "ProviderBuild":
    from formwork.languages.python.packaging.provider import python_build

    return python_build(project, settings)


def _package_runner() -> PackageRunner:
    from formwork.languages.python import packaged

    return packaged


LANGUAGE = Language(
    offered=tuple(python_language(version) for version in PYTHON_VERSIONS),
    names=r"python3[0-9]{1,2}",
    runtimes=r"python3\.\d+",
    generator=_generator,
    project_runtime=_project_runtime,
    package_build=_package_build,
    package_runner=_package_runner,
)
