"""Generated sources that a build uses instead of those in the project's folder."""

from collections.abc import Mapping

from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY
from formwork.project import Project


def has_aws_library(project: Project) -> bool:
    """Return whether the project's handlers use AWS's handler library."""
    return project.settings.get(LIBRARY_SETTING) != OWN_LIBRARY or project.config.keeps_aws_library


def managed_sources(project: Project) -> Mapping[str, str]:
    """Return path → text of the files that a build uses instead of the project's own.

    Only projects with AWS's library have one: their models.ts depends on the version of a package that the build may
    have to change (formwork.toolchain.skew); a models.ts for the other version would read no properties.

    Raises:
        BadInputError: the schema has errors.
    """
    if not has_aws_library(project):
        return {}
    from formwork.languages.typescript.generate.generator import TypeScriptGenerator  # noqa: PLC0415 - projects of one kind
    from formwork.model import build_type_model  # noqa: PLC0415
    from formwork.project.schema_file import expect_project_schema  # noqa: PLC0415

    schema, _ = expect_project_schema(project)
    generator = TypeScriptGenerator()
    types = build_type_model(schema, kind=project.kind, reserved=generator.reserved_model_names)
    return {name: file.text for name, file in generator.plan_models(types, {}, project.settings).items()}
