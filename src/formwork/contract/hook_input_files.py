"""A hook project's input files and target schemas: what is wrong with them, and the schemas that are at hand."""

import json
from collections.abc import Collection, Mapping

from formwork.contract.hook_inputs import HookInputs
from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import DocumentFormat, parse_document
from formwork.project import Project
from formwork.project.inputs import INPUTS_FOLDER, InputKind, InputSet
from formwork.project.overrides import HOOK_PARTS
from formwork.project.targets import (
    TARGET_SCHEMAS_FOLDER,
    expect_target_schemas,
    is_wildcard,
    missing_targets,
    resource_targets,
)
from formwork.schema import HookSchema, ResourceSchema
from formwork.schema.resource import build_resource_schema

_SHAPE = '{"AWS::S3::Bucket": {"resourceProperties": {…}, "previousResourceProperties": {…}}}'
_RESOURCE_KINDS = frozenset({InputKind.CREATE, InputKind.UPDATE})


def known_targets(project: Project, schema: HookSchema, given: Collection[str] = ()) -> dict[str, ResourceSchema]:
    """Return the target types whose schemas are available; the schemas themselves are not checked.

    A wildcard that matches a type of the inputs (`given`) adds no types beyond those in the project.
    """
    wanted = [name for name in resource_targets(schema) if not is_wildcard(name) or missing_targets([name], given)]
    return {
        name: build_resource_schema(parse_document(json.dumps(value), name=name, format=DocumentFormat.JSON))
        for name, value in expect_target_schemas(project, targets=wanted).items()
    }


def check_hook_input_set(chosen: InputSet) -> list[Diagnostic]:
    """Return what is wrong with the files of an input set."""
    found = []
    for kind, document in chosen.documents.items():
        if kind in _RESOURCE_KINDS:
            message = f"the {kind} input is a resource's: a hook is tested with pre_{kind}"
            hint = f"name it inputs_{chosen.number}_pre_{kind}.json"
            found.append(
                Diagnostic("contract.hook-input-kind", Severity.WARNING, message, document.locate(), hint=hint)
            )
            continue
        for name, model in document.value.items():
            if not isinstance(model, dict):
                message = f'the {kind} input has no target model for "{name}"'
                found.append(
                    Diagnostic("contract.hook-input", Severity.ERROR, message, document.locate((name,)), _SHAPE)
                )
            elif "::" in name and not any(part in model for part in HOOK_PARTS):
                message = f'the {kind} input of "{name}" has neither of {" and ".join(HOOK_PARTS)}'
                found.append(
                    Diagnostic("contract.hook-input", Severity.ERROR, message, document.locate((name,)), _SHAPE)
                )
    return found


def check_targets(
    schema: HookSchema, known: Mapping[str, ResourceSchema], named: list[tuple[str, HookInputs]]
) -> list[Diagnostic]:
    """Return a warning if neither a schema nor an input is at hand for some targets: those cannot be tested."""
    given = {name for _, inputs in named for name in inputs.target_names}
    names = {name for handler in schema.handlers.values() for name in handler.target_names if "::" in name}
    missing = sorted(each for each in names - given - set(known) if "*" not in each and "?" not in each)
    if not missing:
        return []
    some = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    message = f"nothing is known of the target{'s' if len(missing) > 1 else ''} {some}"
    hint = (
        f"`cfn generate` fetches schemas; or put them into {TARGET_SCHEMAS_FOLDER}/, or examples into {INPUTS_FOLDER}/"
    )
    location = schema.document.locate(("handlers",), key=True)
    return [Diagnostic("contract.hook-target", Severity.WARNING, message, location, hint=hint)]
