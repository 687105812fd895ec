"""Write what follows from the schema of the project in this folder: models, documentation, the role's template.

Files of yours (handlers, tests, inputs) are never touched. Generating twice changes nothing.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.output import Output
from formwork.cli.remote import add_remote_arguments, remote_documents
from formwork.cli.writing import tell_written
from formwork.diagnostics import BadInputError, Severity
from formwork.generate import Plan, plan_generated, write_plan
from formwork.project import ExtensionKind, Project, load_project
from formwork.project.project import has_smithy_source

if TYPE_CHECKING:
    from formwork.project.schema_file import ExtensionSchema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn generate`, the incumbent's all."""
    parser.add_argument(
        "--target-schemas",
        metavar="FILE",
        nargs="*",
        default=[],
        help="schemas of a hook's target types, besides the project's",
    )
    parser.add_argument("--local-only", action="store_true", help="accepted: no target's schema is fetched anyway")
    parser.add_argument(
        "--local-code-generation",
        action="store_true",
        help="also write canary-bundle/ from contract-tests-artifacts/, where canarySettings name its files",
    )
    add_remote_arguments(parser)
    ignored = parser.add_argument_group("accepted and not needed, since no target's schema is fetched")
    ignored.add_argument("--endpoint-url", metavar="URL", help="CloudFormation's endpoint")
    ignored.add_argument("--region", help="the region")
    ignored.add_argument("--profile", help="the AWS profile")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Plan, write, tell."""
    project = load_project(Path(), remote=remote_documents(arguments))
    output.show(project.diagnostics)
    _convert_source(project, output)
    plan = {**_plan(project, arguments, output), **_plan_canaries(project, arguments)}
    report = write_plan(plan, project.root)
    tell_written(report, output)
    output.result(f"Generated files for {project.type_name}")
    return 0


def _convert_source(project: Project, output: Output) -> None:
    """Write the schema anew where it comes from a Smithy model; errors are told at the model's lines."""
    if project.kind is not ExtensionKind.RESOURCE or not has_smithy_source(project):
        return
    from formwork.generate.plan import managed
    from formwork.project.smithy_source import convert_source, plan_schema

    converted, diagnostics = convert_source(project)
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    name, text = plan_schema(converted)
    tell_written(write_plan({name: managed(text)}, project.root), output)


def _plan(project: Project, arguments: argparse.Namespace, output: Output) -> Plan:
    if project.kind is ExtensionKind.MODULE:
        return _plan_module(project, output)
    from formwork.project.schema_file import expect_project_schema

    schema, warnings = expect_project_schema(project)
    output.show(warnings)
    targets = {}
    if project.kind is ExtensionKind.HOOK:
        from formwork.project.targets import expect_target_schemas

        targets = expect_target_schemas(project, arguments.target_schemas)
    return {**_plan_json(schema), **plan_generated(project, schema, targets=targets)}


def _plan_json(schema: "ExtensionSchema") -> Plan:
    """The JSON beside a schema in YAML: for other tools, and the one that is packaged."""
    from formwork.generate.plan import managed
    from formwork.project.yaml_source import json_beside, render_json

    beside = json_beside(Path(schema.document.name))
    return {} if beside is None else {beside.name: managed(render_json(schema.document))}


def _plan_canaries(project: Project, arguments: argparse.Namespace) -> Plan:
    if not (arguments.local_code_generation and project.config.canary_settings):
        return {}
    from formwork.generate.canary import plan_canaries
    from formwork.project.canaries import load_canary_inputs

    return plan_canaries(project.type_name, *load_canary_inputs(project))


def _plan_module(project: Project, output: Output) -> Plan:
    from formwork.generate.plan import managed
    from formwork.project.module import load_module, render_module_schema

    module = load_module(project)
    if module.template is None or not module.valid:
        raise BadInputError(module.diagnostics)
    output.show(module.diagnostics)
    return {"schema.json": managed(render_module_schema(project, module.template))}
