"""Which of AWS's handler libraries a project's handlers use."""

from formwork.project import Project


def aws_library_of(project: Project, *, aws_runtime: bool = False) -> str | None:
    """Return the language if the project's handlers use AWS's library for it instead of ours, else None.

    `aws_runtime` keeps AWS's library where ours would replace it. Java, which has only AWS's, gives None.
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
