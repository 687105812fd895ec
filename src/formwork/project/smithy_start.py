"""The first files of a project whose schema comes from a Smithy model."""

import json
import os
from pathlib import Path

from msgspec import Struct

from formwork.convert.errors import conversion_error
from formwork.convert.files import check_converted, check_models, convert_model_types, only_service, render_schema
from formwork.convert.naming import CFN_RESOURCE
from formwork.convert.options import read_cfn_options
from formwork.diagnostics import BadInputError, Severity
from formwork.smithy.events import EventSeverity


class SmithyStart(Struct, frozen=True):
    """The texts of smithy-build.json and of the schema."""

    build: str
    schema: str


def start_from_smithy(model: Path, root: Path, type_name: str) -> SmithyStart:
    """Convert `model` for the type of that name; its first two parts become the settings of the conversion.

    Raises:
        BadInputError: the model has errors, or no resource that becomes the type.
    """
    checked = check_models([model])
    if not checked.usable:
        raise BadInputError(each.to_diagnostic() for each in checked.told(EventSeverity.DANGER))
    organization, service_name, _ = type_name.split("::")
    settings = {
        "service": only_service(checked.model),
        "organizationName": organization,
        "serviceName": service_name,
    }
    conversion = convert_model_types(checked.model, read_cfn_options(settings))
    converted = {each.type_name: each for each in conversion.types}
    if type_name in conversion.problems:
        raise BadInputError(conversion.problems[type_name])
    if type_name not in converted:
        known = ", ".join(converted) or f"none: no resource has the trait {CFN_RESOURCE}"
        message = f'the model "{model}" has no resource that converts to the type "{type_name}"'
        raise conversion_error(message, hint=f"with these names it converts to: {known}")
    diagnostics = check_converted(converted[type_name])
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    source = Path(os.path.relpath(model, root)).as_posix()
    build = {"version": "1.0", "sources": [source], "plugins": {"cloudformation": settings}}
    return SmithyStart(json.dumps(build, indent=4) + "\n", render_schema(converted[type_name].schema))
