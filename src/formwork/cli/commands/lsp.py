"""Serve the Language Server Protocol on standard input and output, for editors.

Editors start it for schemas of resource types, hooks and modules, for what belongs to their projects (inputs,
overrides, configurations, egress.yml, template.yml), for Smithy models and for templates: docs/how-to/use-an-editor.md.
It reads files, asks a server of Formwork that runs on this machine for registered types, and fetches nothing.
`cfn validate` says the same of the same files.
"""

import argparse
import sys
from pathlib import Path

from formwork.cli.long_lived import keep_memory_flat
from formwork.command_context.output import CommandOutput
from formwork.diagnostics.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn lsp`."""
    parser.add_argument("--stdio", action="store_true", help="what some editors add; it is how the server works")
    parser.add_argument(
        "--schemas",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder with schemas of types that templates use (repeatable; `schemas` in the state folder is another)",
    )
    parser.add_argument(
        "--own-types-only",
        action="store_true",
        help="in templates, leave AWS's types and everything but resources to another server that the editor runs",
    )


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Serve until the client ends."""
    from formwork.cli.editing import HandlerTestRuns, editor_dependencies
    from formwork.editor.server import EditorServer

    incoming, outgoing = getattr(sys.stdin, "buffer", None), getattr(output.out, "buffer", None)
    if incoming is None or outgoing is None:
        raise UsageError("the standard input or output is closed", hint="an editor starts `cfn lsp`, with pipes")
    runs = HandlerTestRuns()
    dependencies = editor_dependencies(arguments, runs, output)
    keep_memory_flat()
    sys.stdout = output.err  # a print of a library would break the protocol
    try:
        return EditorServer(incoming, outgoing, dependencies).serve()
    finally:
        runs.end()
