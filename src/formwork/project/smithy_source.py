"""Projects whose schema is written in Smithy: those with a smithy-build.json that configures the conversion."""

from formwork.convert.converter import Conversion, ConvertedType, file_name
from formwork.convert.errors import conversion_error
from formwork.convert.files import check_converted, check_models, convert_model_types, render_schema
from formwork.convert.options import read_cfn_options
from formwork.convert.smithy_build import BuildProjection, read_smithy_build
from formwork.diagnostics import BadInputError, Diagnostic
from formwork.project.project import SMITHY_BUILD_FILE, Project
from formwork.smithy.events import EventSeverity


def convert_source(project: Project) -> tuple[ConvertedType, list[Diagnostic]]:
    """Return the project's type, converted, and what the checks of schemas find in it, at the lines of the model.

    Raises:
        BadInputError: the model or the settings have errors, or the type isn't among those converted.
    """
    build = project.root / SMITHY_BUILD_FILE
    found: dict[str, ConvertedType] = {}
    problems: dict[str, tuple[Diagnostic, ...]] = {}
    for projection in read_smithy_build(build):
        conversion = _convert(projection)
        found |= {each.type_name: each for each in conversion.types}
        problems |= conversion.problems
    if project.type_name in problems:
        raise BadInputError(problems[project.type_name])
    if project.type_name not in found:
        known = ", ".join(found) or "none"
        message = f'{build} has no resource that converts to the type "{project.type_name}"'
        raise conversion_error(message, hint=f"it converts to: {known}")
    converted = found[project.type_name]
    return converted, check_converted(converted)


def _convert(projection: BuildProjection) -> Conversion:
    allow = bool(projection.settings.get("allowUnknownTraits", False))
    checked = check_models(projection.sources, allow_unknown_traits=allow)
    if not checked.usable:
        raise BadInputError(each.to_diagnostic() for each in checked.told(EventSeverity.DANGER))
    return convert_model_types(checked.model, read_cfn_options(projection.settings), projection.transforms)


def plan_schema(converted: ConvertedType) -> tuple[str, str]:
    """Name and text of the schema's file."""
    return file_name(converted.type_name), render_schema(converted.schema)
