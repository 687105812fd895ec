"""Which of AWS's handler libraries a project's handlers use."""

from formwork.project import Project


def aws_library_of(project: Project, *, aws_runtime: bool = False) -> str | None:
    """The language whose library of AWS's the project's handlers use, None where they use ours, or AWS has only one.

    `aws_runtime` asks for AWS's where ours would stand in for it.
    """
    settings = project.settings
    asked = aws_runtime or project.config.keeps_aws_library
    match project.language:
        case "go" | "typescript" as language:
            from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY

            own = settings.get(LIBRARY_SETTING) == OWN_LIBRARY and not project.config.keeps_aws_library
            return None if own else language
        case str() as language if asked and language.startswith("python"):
            return "python"
        case _:
            return None
