"""Work with modules in templates.

`cfn module expand TEMPLATE` prints the processed template that results when each module that the template uses is
replaced by what the module's fragment declares, as CloudFormation does before a stack operation.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from formwork.cli.module_lookup import find_modules
from formwork.cli.output import Output
from formwork.diagnostics import Diagnostic, Severity, sort_diagnostics
from formwork.documents import DocumentFormat, load_document
from formwork.template import read_template, render_json, render_yaml
from formwork.template.expansion import expand_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn module`."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    expand = verbs.add_parser("expand", help="print the template with its modules replaced by what they declare")
    expand.add_argument("template", metavar="TEMPLATE", type=Path, help="a template, JSON or YAML")
    expand.add_argument(
        "--modules",
        metavar="DIR",
        type=Path,
        action="append",
        help="a module project, or a folder of them; may be given several times (default: the template's folder)",
    )
    expand.add_argument(
        "--format", choices=("json", "yaml"), help="how to print the result (default: as the template is written)"
    )


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Expand and print."""
    document = load_document(arguments.template, short_tags=True)
    read = read_template(document)
    modules, diagnostics = find_modules(arguments.modules or [arguments.template.parent])
    diagnostics += read.diagnostics
    text = None
    if read.template is not None and not _failed(diagnostics):
        expansion = expand_modules(read.template, modules)
        diagnostics += expansion.diagnostics
        as_yaml = (arguments.format or document.format) in {"yaml", DocumentFormat.YAML}
        text = render_yaml(expansion.value) if as_yaml else render_json(expansion.value)
    output.show(sort_diagnostics(diagnostics))
    if text is None or _failed(diagnostics):
        return 1
    output.result(text)
    return 0


def _failed(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in diagnostics)
