"""Write what follows from the schema of the project in this folder: models, documentation, the role's template.

Files of yours (handlers, tests, inputs) are never touched. Generating twice changes nothing.

With --cdk, constructs for AWS's Cloud Development Kit are written instead: L1 classes of the project's type, or of each
TYPE, a project's folder, a schema file or a type in a registry (NAME, registry:NAME@00000003 or an ARN; without options
that name another registry, the one on this machine).
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.writing import tell_written
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import add_target_arguments
from formwork.command_context.remote import add_remote_arguments, remote_documents
from formwork.command_context.schemas_here import add_schema_arguments
from formwork.diagnostics import BadInputError, Location, Severity, UsageError
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.generated import plan_generated, plan_json, plan_module
from formwork.generate.plan import Plan
from formwork.generate.write import write_plan
from formwork.project import Project, load_project
from formwork.project.project import has_smithy_source

if TYPE_CHECKING:
    from formwork.schema import HookSchema


_MANY_SCHEMAS = 10  # more are counted, not listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `cfn generate`, including all of AWS's CLI."""
    parser.add_argument(
        "types", metavar="TYPE", nargs="*", default=[], help="with --cdk, what to write constructs of (default: here)"
    )
    parser.add_argument(
        "--cdk",
        choices=("typescript", "python"),
        help="write constructs of resource types and modules for the CDK in this language, and nothing else",
    )
    parser.add_argument(
        "--output", metavar="DIR", type=Path, help='with --cdk, the folder to write to (default: "cdk" here)'
    )
    parser.add_argument(
        "--target-schemas",
        metavar="FILE",
        nargs="*",
        default=[],
        help="schemas of a hook's target types, besides the project's: files, https:// or s3:// URLs, or JSON itself",
    )
    parser.add_argument(
        "--local-only", action="store_true", help="do not ask a registry for the schemas of a hook's targets"
    )
    parser.add_argument(
        "--local-code-generation",
        action="store_true",
        help="also write canary-bundle/ from contract-tests-artifacts/, where canarySettings name its files",
    )
    add_schema_arguments(parser)
    add_remote_arguments(parser)
    add_target_arguments(parser, what="the registry to ask for the schemas of a hook's targets that the project lacks")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Plan, write, tell."""
    if arguments.cdk is not None:
        return _write_constructs(arguments, output)
    if arguments.types or arguments.output is not None:
        raise UsageError("TYPE and --output are for constructs", hint="add --cdk typescript or --cdk python")
    project = load_project(Path(), remote=remote_documents(arguments))
    output.show(project.diagnostics)
    _convert_source(project, output)
    plan = {**_plan(project, arguments, output), **_plan_canaries(project, arguments)}
    report = write_plan(plan, project.root)
    tell_written(report, output)
    written = {name: plan[name].text for name in (*report.created, *report.updated)}
    _tell_remarks(project, written, output)
    output.result(f"Generated files for {project.type_name}")
    return 0


def _write_constructs(arguments: argparse.Namespace, output: CommandOutput) -> int:
    from formwork.cdk import module_construct, plan_constructs, resource_construct
    from formwork.command_context.described_extensions import find_extensions
    from formwork.schema import HookSchema, ModuleSchema

    refused = ("target_schemas", "local_only", "local_code_generation", "schemas")
    given = next((name for name in refused if getattr(arguments, name)), None)
    if given is not None:
        raise UsageError(f"--{given.replace('_', '-')} does not go with --cdk", hint="leave one of them out")
    constructs = []
    for each in find_extensions(arguments.types, arguments, output):
        if isinstance(each.schema, HookSchema):
            message = f'"{each.type_name}" is a hook: it is not a part of templates'
            expected = "a resource type or a module"
            raise BadInputError.of("generate.cdk-kind", message, location=Location(each.type_name), expected=expected)
        schema = each.schema
        constructs.append(module_construct(schema) if isinstance(schema, ModuleSchema) else resource_construct(schema))
    folder = arguments.output or Path("cdk")
    tell_written(write_plan(plan_constructs(constructs, arguments.cdk), folder), output)
    for construct in constructs:
        output.result(f"Generated {construct.class_name} for {construct.type_name} in {folder}")
    return 0


def _tell_remarks(project: Project, written: Mapping[str, str], output: CommandOutput) -> None:
    """Print the remarks of the project's language about the written files."""
    if project.kind is ExtensionKind.MODULE:
        return
    from formwork.languages.catalogue import expect_generator

    language = expect_generator(project.language)
    if hasattr(language, "remarks"):  # one of another package may leave it out
        for remark in language.remarks(project, written):
            output.say(remark)


def _convert_source(project: Project, output: CommandOutput) -> None:
    """Write the schema again where it comes from a Smithy model; errors are reported at the model's lines."""
    if project.kind is not ExtensionKind.RESOURCE or not has_smithy_source(project):
        return
    from formwork.generate.plan import managed
    from formwork.project.smithy_source import convert_source, plan_schema

    converted, diagnostics = convert_source(project)
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    name, text = plan_schema(converted)
    tell_written(write_plan({name: managed(text)}, project.root), output)


def _plan(project: Project, arguments: argparse.Namespace, output: CommandOutput) -> Plan:
    if project.kind is ExtensionKind.MODULE:
        plan, found = plan_module(project)
        output.show(found)
        return plan
    from formwork.languages.catalogue import expect_generator
    from formwork.project.schema_file import expect_project_schema
    from formwork.schema import HookSchema

    schema, warnings = expect_project_schema(project)
    output.show(warnings)
    if isinstance(schema, HookSchema):
        return {**plan_json(schema.document), **_plan_hook(project, schema, arguments, output)}
    return {**plan_json(schema.document), **plan_generated(project, schema, expect_generator(project.language))}


def _plan_hook(project: Project, schema: "HookSchema", arguments: argparse.Namespace, output: CommandOutput) -> Plan:
    """Plan the hook's files, and the missing schemas of its targets, which other commands read from the project."""
    from formwork.cli.target_schemas import fetch_named, fetch_targets, render_target
    from formwork.generate.plan import seed
    from formwork.languages.catalogue import expect_generator
    from formwork.project.targets import TARGET_SCHEMAS_FOLDER, expect_target_schemas

    own = expect_target_schemas(project)
    known = expect_target_schemas(project, arguments.target_schemas, fetch=fetch_named(arguments, output))
    fetched = fetch_targets(schema, known, arguments, output)
    output.show(fetched.diagnostics)
    targets = {**known, **fetched.schemas}
    kept = {
        f"{TARGET_SCHEMAS_FOLDER}/{hyphenated_name(name)}.json": seed(render_target(each))
        for name, each in targets.items()
        if name not in own
    }
    if len(kept) > _MANY_SCHEMAS:
        output.say(f"fetched: {len(kept):,} schemas into {TARGET_SCHEMAS_FOLDER}/")
    for name in kept if len(kept) <= _MANY_SCHEMAS else ():
        output.say(f"fetched: {name}")
    language = expect_generator(project.language)
    return {**plan_generated(project, schema, language, targets=targets), **kept}


def _plan_canaries(project: Project, arguments: argparse.Namespace) -> Plan:
    if not (arguments.local_code_generation and project.config.canary_settings):
        return {}
    from formwork.generate.canary import plan_canaries
    from formwork.project.canaries import load_canary_inputs

    return plan_canaries(project.type_name, *load_canary_inputs(project))
