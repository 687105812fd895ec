"""Work with modules in templates.

`cfn module expand TEMPLATE` prints the processed template that results when each module that the template uses is
replaced by what the module's fragment declares, as CloudFormation does before a stack operation. Fragments come from
folders. Where a registry is named and a module is in no folder, the service that has the registry expands the template,
by a change set that is deleted again.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from formwork.command_context.module_lookup import expand_by_service, find_modules
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import add_target_arguments, names_registry, reach_registry
from formwork.diagnostics import Diagnostic, Severity, sort_diagnostics
from formwork.documents import DocumentFormat, load_document
from formwork.template import Template, read_template, render_json, render_yaml
from formwork.template.expansion import expand_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn module`."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    expand = verbs.add_parser("expand", help="print the template with its modules replaced by their resources")
    expand.add_argument("template", metavar="TEMPLATE", type=Path, help="a template, JSON or YAML")
    expand.add_argument(
        "--modules",
        metavar="DIR",
        type=Path,
        action="append",
        help="a module project, or a folder of them; may be given several times (default: the template's folder)",
    )
    add_target_arguments(
        expand, what="the registry whose service expands the modules that no folder gives; none is asked"
    )
    expand.add_argument(
        "--format", choices=("json", "yaml"), help="how to print the result (default: as the template is written)"
    )


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Expand and print."""
    document = load_document(arguments.template, short_tags=True)
    read = read_template(document)
    modules, diagnostics = find_modules(arguments.modules or [arguments.template.parent])
    diagnostics += read.diagnostics
    text = None
    if read.template is not None and not _failed(diagnostics):
        unknown: set[str] = set()

        def find(name: str) -> Template | None:
            found = modules(name)
            if found is None:
                unknown.add(name)
            return found

        expansion = expand_modules(read.template, find)
        value = expansion.value
        if unknown and names_registry(arguments):
            with reach_registry(arguments, output) as registry:
                value = expand_by_service(registry.client("cloudformation"), read.template, document.text)
        else:
            diagnostics += expansion.diagnostics
        as_yaml = (arguments.format or document.format) in {"yaml", DocumentFormat.YAML}
        text = render_yaml(value) if as_yaml else render_json(value)
    output.show(sort_diagnostics(diagnostics))
    if text is None or _failed(diagnostics):
        return 1
    output.result(text)
    return 0


def _failed(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in diagnostics)
