"""A hook's project folder as subjects: one an input set, or one with generated target models."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.hook_subject import HookSubject
from formwork.contract.patience import Patience
from formwork.contract.subject import Effort, Limits, Memory
from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession
from formwork.project import Project
from formwork.project.inputs import INPUTS_FOLDER, InputKind, InputSet, load_input_sets
from formwork.project.overrides import HOOK_PARTS, OVERRIDES_FILE, load_overrides
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


@dataclass(frozen=True, slots=True)
class LoadedHookSubjects:
    """Subjects by the name of their inputs, and what the user should know about the project's files (warnings)."""

    project: Project
    schema: HookSchema
    subjects: tuple[tuple[str, HookSubject], ...]
    diagnostics: tuple[Diagnostic, ...]


def load_hook_subjects(  # noqa: PLR0913 - what a run consists of
    project: Project,
    schema: HookSchema,
    session: HandlerSession,
    *,
    limits: Limits | None = None,
    effort: Effort = Effort.QUICK,
    seed: int = 0,
    exports: Mapping[str, str] | None = None,
    patience: Patience | None = None,
    before_test: Callable[[], None] = lambda: None,
) -> LoadedHookSubjects:
    """The subjects of a hook's project.

    Raises:
        BadInputError: a target schema, an input or the overrides cannot be used.
    """
    named, diagnostics = load_hook_inputs(project, schema, seed=seed, exports={} if exports is None else exports)
    known = known_targets(project, schema, given={name for _, inputs in named for name in inputs.target_names})
    memory = Memory()
    subjects = tuple(
        (
            name,
            HookSubject(
                schema,
                session,
                inputs,
                known,
                limits=limits,
                effort=effort,
                before_test=before_test,
                patience=patience,
                memory=memory,
                seed=seed,
            ),
        )
        for name, inputs in named
    )
    return LoadedHookSubjects(project, schema, subjects, (*diagnostics, *_unknown_targets(schema, known, named)))


def known_targets(project: Project, schema: HookSchema, given: Collection[str] = ()) -> dict[str, ResourceSchema]:
    """The target types of which a schema is at hand; their schemas are other people's and not judged here.

    A wildcard that means one of the `given` types, those of the inputs, means no others than the project describes.
    """
    wanted = [name for name in resource_targets(schema) if not is_wildcard(name) or missing_targets([name], given)]
    return {
        name: build_resource_schema(parse_document(_json(value), name=name, format=DocumentFormat.JSON))
        for name, value in expect_target_schemas(project, targets=wanted).items()
    }


def _json(value: object) -> str:
    import json  # noqa: PLC0415 - beside its only use

    return json.dumps(value)


def load_hook_inputs(
    project: Project, schema: HookSchema, *, seed: int, exports: Mapping[str, str]
) -> tuple[list[tuple[str, HookInputs]], list[Diagnostic]]:
    """The input sets of `inputs/` by name; the overrides, if any, where the folder has none.

    Raises:
        BadInputError: a file is broken.
    """
    targets = {name for handler in schema.handlers.values() for name in handler.target_names}
    loaded = load_input_sets(project, exports=exports, known=targets)
    diagnostics = [*loaded.diagnostics, *(found for each in loaded.sets for found in _set_problems(each))]
    _raise_errors(diagnostics)
    if not loaded.sets:
        overrides = load_overrides(project, exports=exports)
        _raise_errors([*overrides.diagnostics])
        return [("generated", HookInputs(overrides=overrides, seed=seed))], [*diagnostics, *overrides.diagnostics]
    if (project.root / OVERRIDES_FILE).is_file():
        message = "overrides.json is not read: the inputs/ folder says what to test with"
        location = Location(str(project.root / OVERRIDES_FILE))
        diagnostics.append(Diagnostic("contract.overrides-ignored", Severity.WARNING, message, location))
    named = [
        (
            f"inputs_{each.number}",
            HookInputs({kind: document.value for kind, document in each.documents.items()}, seed=seed),
        )
        for each in loaded.sets
    ]
    return named, diagnostics


def _set_problems(chosen: InputSet) -> list[Diagnostic]:
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
                message = f'the {kind} input says nothing usable of "{name}"'
                found.append(
                    Diagnostic("contract.hook-input", Severity.ERROR, message, document.locate((name,)), _SHAPE)
                )
            elif "::" in name and not any(part in model for part in HOOK_PARTS):
                message = f'the {kind} input of "{name}" has neither of {" and ".join(HOOK_PARTS)}'
                found.append(
                    Diagnostic("contract.hook-input", Severity.ERROR, message, document.locate((name,)), _SHAPE)
                )
    return found


def _unknown_targets(
    schema: HookSchema, known: Mapping[str, ResourceSchema], named: list[tuple[str, HookInputs]]
) -> list[Diagnostic]:
    """Targets of which neither a schema nor an input is at hand: nothing can be asked about them."""
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


def _raise_errors(diagnostics: list[Diagnostic]) -> None:
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
