"""Sources that are generated anew for a build, whatever the project's folder holds of them."""

from collections.abc import Mapping

from formwork.project import Project


def managed_sources(project: Project) -> Mapping[str, str]:
    """Path → text of the files that a build takes instead of the project's own.

    Only TypeScript projects on AWS's library have one: their models.ts depends on the version of a package that the
    build may have to change (formwork.toolchain.skew), so that an older one would read nothing.

    Raises:
        BadInputError: the schema has errors.
    """
    if aws_library_of(project) != "typescript":
        return {}
    from formwork.generate.languages import expect_language
    from formwork.model import Kind, build_type_model
    from formwork.project.schema_file import expect_project_schema

    language = expect_language("typescript")
    schema, _ = expect_project_schema(project)
    types = build_type_model(schema, kind=Kind(project.kind), reserved=language.reserved_model_names)
    return {name: file.text for name, file in language.plan_models(types, {}, project.settings).items()}


def aws_library_of(project: Project, *, aws_runtime: bool = False) -> str | None:
    """The language whose library of AWS's the project's handlers use, None where they use ours, or AWS has only one.

    `aws_runtime` asks for AWS's where ours would stand in for it.
    """
    settings = project.settings
    asked = aws_runtime or project.config.keeps_aws_library
    match project.language:
        case "go" | "typescript" as language:
            from formwork.generate.typescript.runtime import LIBRARY_SETTING, OWN_LIBRARY

            own = settings.get(LIBRARY_SETTING) == OWN_LIBRARY and not project.config.keeps_aws_library
            return None if own else language
        case str() as language if asked and language.startswith("python"):
            return "python"
        case _:
            return None
