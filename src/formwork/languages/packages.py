"""What builds a project for Lambda, chosen by the language in `.rpdk-config`."""

from formwork.diagnostics import UsageError
from formwork.languages.catalogue import get_language
from formwork.package.provider import PackagingSettings, ProviderBuild
from formwork.project import Project


def package_build(project: Project, settings: PackagingSettings) -> ProviderBuild:
    """Return what builds `project` for Lambda.

    Raises:
        UsageError: there is no such language, its projects are not packaged, or not for the project's runtime.
    """
    language = get_language(project.language or "")
    if language is None and (project.language or "").startswith("python"):  # its runtime says the version
        language = get_language("python3")
    if language is None or not hasattr(language, "package_build"):  # one of another package may only generate
        raise UsageError(
            f'projects in "{project.language}" are not packaged yet',
            hint="this version packages Python's, go, java, typescript",
        )
    return language.package_build(project, settings)
