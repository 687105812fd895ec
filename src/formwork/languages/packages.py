"""The builds of projects for Lambda, chosen by the language in `.rpdk-config`."""

from formwork.diagnostics import UsageError
from formwork.languages.catalogue import get_language
from formwork.package.provider import PackagingSettings, ProviderBuild
from formwork.project import Project


def package_build(project: Project, settings: PackagingSettings) -> ProviderBuild:
    """Return the build of `project` for Lambda.

    Raises:
        UsageError: the language is not found, its projects are not packaged, or not for the project's runtime.
    """
    name = project.language or ""
    # the runtime decides the version of Python
    language = get_language("python312" if name.startswith("python") else name)
    if language is None or language.package_build is None:
        raise UsageError(
            f'projects in "{project.language}" are not packaged yet',
            hint="this version packages Python's, go, java, typescript",
        )
    return language.package_build(project, settings)
