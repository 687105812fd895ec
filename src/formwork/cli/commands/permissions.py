"""Compare the permissions of the handlers with what their calls used in the last `cfn test`, and fill them in.

For each handler of the schema: the actions of AWS that it used and lacks, and the permissions that no call used. With
--write, what is missing is added to `handlers` in the schema, and the role in resource-role.yaml (hook-role.yaml) is
replaced. With --prune, what no call used is taken out as well, and a permission for
everything is replaced by the actions that were used. Run `cfn test --aws moto` (or real) first: calls
that are refused keep a handler from its later ones.

The exit code is 1 where a permission is missing and not written.
"""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.command_context.output import CommandOutput
from formwork.command_context.schemas_here import add_schema_arguments, open_project
from formwork.diagnostics import BadInputError, UsageError

if TYPE_CHECKING:
    from formwork.contract_runs.permission_record import SeenHandler, SeenRun
    from formwork.project import Project

_HINT = "run `cfn test --aws moto` first, or `cfn test --aws real`"


class _Handler(Struct, frozen=True):
    """A handler's declared permissions, compared with the actions that it used in the run."""

    name: str
    declared: tuple[str, ...]
    used: tuple[str, ...]
    missing: tuple[str, ...]
    unused: tuple[str, ...]
    unknown: tuple[str, ...]

    def filled(self, *, prune: bool) -> list[str]:
        """Return the declared permissions and the missing ones; `prune` drops unused ones and narrows broad ones."""
        from formwork.schema.permissions import grants, is_broad

        kept: list[str] = []
        for each in self.declared:
            if prune and is_broad(each) and each not in self.unused and not self.unknown:
                kept += [action for action in self.used if grants(each, action)]
            elif not (prune and each in self.unused):
                kept.append(each)
        return list(dict.fromkeys([*kept, *self.missing]))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn permissions`."""
    parser.add_argument(
        "--write", action="store_true", help="add what is missing to the schema, and write the role anew"
    )
    parser.add_argument(
        "--prune", action="store_true", help="with --write: take out what no call of the whole run used"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")
    add_schema_arguments(parser)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Compare, print, and write."""
    from formwork.contract_runs.permission_record import read_seen

    if arguments.prune and not arguments.write:
        raise UsageError("--prune has no meaning without --write", hint="add --write, or leave it out")
    project = open_project(arguments, output)
    output.show(project.diagnostics)
    declared = _declared(project)
    seen = read_seen()
    if seen is None:
        raise BadInputError.of("permissions.no-run", "no run of the contract tests saw calls here", hint=_HINT)
    if arguments.prune and not seen.complete:
        raise BadInputError.of(
            "permissions.partial-run", "--prune needs a run of all tests, and the last one was not", hint=_HINT
        )
    handlers = [_compare(name, each, seen.handlers.get(name)) for name, each in declared.items()]
    _show(handlers, seen, arguments.format, output)
    missing = any(each.missing for each in handlers)
    if arguments.write:
        _write(project, handlers, output, prune=arguments.prune)
        return 0
    return 1 if missing else 0


def _declared(project: "Project") -> dict[str, tuple[str, ...]]:
    from formwork.extensions import ExtensionKind
    from formwork.project.schema_file import expect_project_schema

    if project.kind is ExtensionKind.MODULE:
        raise UsageError("a module has no handlers, so that it has no permissions")
    schema, _ = expect_project_schema(project)
    return {name: info.permissions for name, info in schema.handlers.items()}


def _compare(name: str, declared: tuple[str, ...], seen: "SeenHandler | None") -> _Handler:
    from formwork.contract.permissions import missing_of, unused_of

    used = () if seen is None else seen.used
    unused = unused_of(declared, used) if seen is not None and seen.answered and not seen.unknown else ()
    return _Handler(
        name, declared, used, tuple(missing_of(declared, used)), tuple(unused), () if seen is None else seen.unknown
    )


def _show(handlers: "list[_Handler]", seen: "SeenRun", form: str, output: CommandOutput) -> None:
    if form == "json":
        members = ("declared", "used", "missing", "unused", "unknown")
        listed = {each.name: {member: list(getattr(each, member)) for member in members} for each in handlers}
        output.result(json.dumps({"handlers": listed, "sealed": seen.sealed, "complete": seen.complete}, indent=2))
        return
    for each in handlers:
        output.result(each.name)
        for action in each.missing:
            output.result(f"  + {action}  used, and not among its permissions")
        for permission in each.declared:
            if permission in each.unused:
                output.result(f"  - {permission}  no call used it")
            else:
                output.result(f"    {permission}")
        for call in each.unknown:
            output.result(f"  ? {call}  its action is not known")
    if not seen.sealed:
        output.say("warning: the handlers were not sealed in the last run: calls may have passed unseen")


def _write(project: "Project", handlers: "list[_Handler]", output: CommandOutput, *, prune: bool) -> None:
    """Change the schema where a handler's permissions change, and write the role.

    Raises:
        BadInputError: the schema comes from a Smithy model, or a place in it cannot be changed.
    """
    from formwork.cli.writing import tell_written
    from formwork.documents.editing import edit_document
    from formwork.documents.json_edit import Replace
    from formwork.generate.generated import plan_role
    from formwork.generate.plan import managed
    from formwork.generate.write import write_plan
    from formwork.project.project import has_smithy_source
    from formwork.project.schema_document import load_schema_document
    from formwork.project.schema_file import expect_project_schema

    if has_smithy_source(project):
        raise BadInputError.of(
            "permissions.converted",
            "the schema is converted from a Smithy model, so that permissions written into it would be lost",
            hint="declare them in the model with aws.iam#requiredActions, and run `cfn generate`",
        )
    document = load_schema_document(project)
    edits = [
        Replace(("handlers", each.name, "permissions"), each.filled(prune=prune))
        for each in handlers
        if each.filled(prune=prune) != list(each.declared)
    ]
    if edits:
        changed = edit_document(document, edits)
        if changed is None:
            raise BadInputError.of(
                "permissions.not-written",
                "the permissions cannot be changed without changing another part of the schema",
                location=document.locate(("handlers",)),
                hint="an alias may share the place: write it out",
            )
        file = Path(document.name)
        tell_written(write_plan({file.name: managed(changed.text)}, file.parent), output)
        output.say(f"wrote the permissions of {', '.join(str(each.path[1]) for each in edits)} to {file.name}")
    schema, _ = expect_project_schema(project)
    tell_written(write_plan(plan_role(project.kind, schema), project.root), output)
