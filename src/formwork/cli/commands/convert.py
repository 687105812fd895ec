"""Convert Smithy models to CloudFormation resource schemas.

Each MODEL is a .smithy or .json file (JSON AST), or a folder of them; together they are one model. Every resource with
the trait aws.cloudformation#cfnResource becomes a schema, which is checked like a schema written by hand; what is wrong
with one is shown, and every schema is written. The exit code is 1 where anything has an error.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import EnvironmentProblemError, Severity, UsageError, sort_diagnostics


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn convert`."""
    parser.add_argument("models", metavar="MODEL", nargs="*", type=Path, help="a model file or a folder of them")
    parser.add_argument("--service", metavar="ID", help="the service to convert (default: the only one)")
    parser.add_argument("--organization", metavar="NAME", help="the first part of type names (AWS services: AWS)")
    parser.add_argument("--service-name", metavar="NAME", help="the second part of type names")
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="a smithy-build.json with settings for the plugin cloudformation"
    )
    parser.add_argument("--projection", metavar="NAME", help="the projection of the smithy-build.json to convert")
    target = parser.add_mutually_exclusive_group()
    target.add_argument(
        "--output", metavar="DIR", type=Path, help="the folder to write to, one file per type (default: here)"
    )
    target.add_argument("--stdout", action="store_true", help="print one JSON object with the schemas by type name")
    parser.add_argument(
        "--allow-unknown-traits", action="store_true", help="accept traits that the model applies and doesn't define"
    )
    parser.add_argument(
        "--strict-spec", action="store_true", help="leave out what AWS's own converter plainly gets wrong"
    )
    parser.add_argument(
        "--json-schema", action="store_true", help="write plain JSON Schema of the whole model instead (with --stdout)"
    )
    parser.add_argument("--root", metavar="ID", help="the shape that the plain JSON Schema describes")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Load, validate, convert, check, write."""
    from formwork.convert.files import check_models
    from formwork.convert.smithy_build import BuildProjection
    from formwork.smithy.events import EventSeverity

    projection = _projection(arguments) if arguments.config else BuildProjection("source", (), {})
    paths = [*projection.sources, *arguments.models]
    if not paths:
        raise UsageError("missing model", hint="give .smithy or .json files, or folders with such files")
    checked = check_models(paths, allow_unknown_traits=arguments.allow_unknown_traits)
    least = EventSeverity.SUPPRESSED if output.verbosity else EventSeverity.DANGER
    output.show(each.to_diagnostic() for each in checked.told(least))
    if not checked.usable:
        output.say("no type was converted: the model has errors")
        return 1
    if arguments.json_schema:
        return _json_schema(arguments, checked.model, projection.settings, output)
    return _convert(arguments, checked.model, projection, output)


def _projection(arguments: argparse.Namespace) -> Any:
    from formwork.convert.smithy_build import read_smithy_build

    projections = read_smithy_build(arguments.config)
    named = [each for each in projections if arguments.projection in (None, each.name)]
    if len(named) != 1:
        known = ", ".join(each.name for each in projections)
        raise UsageError(f"which projection of {arguments.config}? It has: {known}", hint="name one with --projection")
    return named[0]


def _convert(arguments: argparse.Namespace, model: Any, projection: Any, output: CommandOutput) -> int:
    from formwork.convert.files import check_converted, convert_model_types, only_service, render_schema
    from formwork.convert.options import read_cfn_options

    options = read_cfn_options(projection.settings, strict_spec=arguments.strict_spec)
    service = arguments.service or options.json_schema.service or only_service(model)
    options = replace(
        options,
        json_schema=replace(options.json_schema, service=service),
        organization_name=arguments.organization or options.organization_name,
        service_name=arguments.service_name or options.service_name,
    )
    conversion = convert_model_types(model, options, projection.transforms)
    schemas = {each.type_name: each.schema for each in conversion.types}
    if not schemas and not conversion.problems:
        output.say(f"no resource of {service} has the trait aws.cloudformation#cfnResource: nothing to write")
    unconverted = dict.fromkeys(found for each in conversion.problems.values() for found in each)
    checks = (found for each in conversion.types for found in check_converted(each))
    diagnostics = sort_diagnostics([*unconverted, *checks])
    output.show(diagnostics)
    if conversion.problems:
        output.say(f"not converted: {', '.join(conversion.problems)}")
    if arguments.stdout:
        output.result(json.dumps(schemas, indent=4, ensure_ascii=False, default=float))
    else:
        _write(arguments.output or Path(), {name: render_schema(each) for name, each in schemas.items()}, output)
    return 1 if any(each.severity is Severity.ERROR for each in diagnostics) else 0


def _write(folder: Path, texts: Mapping[str, str], output: CommandOutput) -> None:
    from formwork.convert.converter import file_name

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            path = folder / file_name(name)
            path.write_text(text, encoding="utf-8", newline="\n")
            output.result(str(path))
    except OSError as error:
        problem = error.strerror or str(error)
        raise EnvironmentProblemError(f'cannot write to "{folder}": {problem}') from error


def _json_schema(arguments: argparse.Namespace, model: Any, settings: Mapping[str, Any], output: CommandOutput) -> int:
    from formwork.convert.files import render_schema
    from formwork.convert.json_schema.document import json_schema_of
    from formwork.convert.options import read_json_schema_options

    options = read_json_schema_options(settings)
    if arguments.service:
        options = replace(options, service=arguments.service)
    output.result(render_schema(json_schema_of(model, options, root=arguments.root or options.service)))
    return 0
