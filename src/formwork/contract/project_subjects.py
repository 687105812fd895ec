"""The project in a folder as subjects: one per input set, or one with generated inputs; of any kind."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar, Unpack, overload

from msgspec import Struct

from formwork.contract.hook_input_files import check_hook_input_set, check_targets, known_targets
from formwork.contract.hook_inputs import HookInputs
from formwork.contract.inputs import GeneratedInputs, Inputs
from formwork.contract.memory import Memory
from formwork.contract.resource_input_files import check_input_set, check_overrides, given_inputs
from formwork.contract.subject import AnySubject, HookSubject, ResourceSubject, RunOptions
from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.invoke import HandlerSession
from formwork.project import Project
from formwork.project.inputs import InputSet, load_input_sets
from formwork.project.overrides import OVERRIDES_FILE, Overrides, load_overrides
from formwork.project.schema_document import schema_references
from formwork.schema import HookSchema, ResourceSchema, load_resource_schema

InputsT = TypeVar("InputsT")


class LoadedSubjects(Struct, frozen=True):
    """Subjects, each with the name of its inputs, and warnings about the project's files."""

    subjects: tuple[tuple[str, AnySubject], ...]
    diagnostics: tuple[Diagnostic, ...]


def load_subjects(
    project: Project,
    schema: ResourceSchema | HookSchema,
    session: HandlerSession,
    *,
    examples: int | None = None,
    exports: Mapping[str, str] | None = None,
    **options: Unpack[RunOptions],
) -> LoadedSubjects:
    """Return the subjects of a resource's or a hook's project; `examples` is for resources only.

    Raises:
        BadInputError: the inputs, the overrides or a target's schema cannot be used.
    """
    options.setdefault("memory", Memory())
    seed = options.get("seed", 0)
    if isinstance(schema, ResourceSchema):
        named, diagnostics = load_inputs(project, schema, seed=seed, exports={} if exports is None else exports)
        return LoadedSubjects(
            tuple(
                (name, ResourceSubject(schema, session, inputs, examples=examples, **options)) for name, inputs in named
            ),
            tuple(diagnostics),
        )
    asked, diagnostics = load_inputs(project, schema, seed=seed, exports={} if exports is None else exports)
    known = known_targets(project, schema, given={name for _, inputs in asked for name in inputs.target_names})
    return LoadedSubjects(
        tuple((name, HookSubject(schema, session, inputs, known, **options)) for name, inputs in asked),
        (*diagnostics, *check_targets(schema, known, asked)),
    )


def expect_schema(project: Project) -> ResourceSchema:
    """Return the schema of a resource's project.

    Raises:
        BadInputError: it has errors.
    """
    loaded = load_resource_schema(project.schema_path, references=schema_references(project))
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    if not loaded.schema.primary_identifier:
        message = "the schema has no primaryIdentifier: resources of the type cannot be distinguished"
        raise BadInputError.of("contract.no-identifier", message, location=Location(str(project.schema_path)))
    return loaded.schema


@overload
def load_inputs(
    project: Project, schema: ResourceSchema, *, seed: int, exports: Mapping[str, str]
) -> tuple[list[tuple[str, Inputs]], list[Diagnostic]]: ...


@overload
def load_inputs(
    project: Project, schema: HookSchema, *, seed: int, exports: Mapping[str, str]
) -> tuple[list[tuple[str, HookInputs]], list[Diagnostic]]: ...


def load_inputs(
    project: Project, schema: ResourceSchema | HookSchema, *, seed: int, exports: Mapping[str, str]
) -> tuple[Any, list[Diagnostic]]:
    """Return the input sets of `inputs/` by name; generated inputs with the overrides where the folder has none.

    Raises:
        BadInputError: a file is broken, a resource's set has no create model, an update changes a createOnly value.
    """
    if isinstance(schema, HookSchema):
        return _load_named(
            project,
            exports,
            known={name for handler in schema.handlers.values() for name in handler.target_names},
            check=check_hook_input_set,
            check_overrides=lambda _overrides: [],
            generate=lambda overrides: HookInputs(overrides=overrides, seed=seed),
            give=lambda chosen, _sets: HookInputs(
                {kind: document.value for kind, document in chosen.documents.items()}, seed=seed
            ),
        )
    return _load_named(
        project,
        exports,
        known=schema.properties,
        check=lambda chosen: check_input_set(project, schema, chosen),
        check_overrides=lambda overrides: check_overrides(schema, overrides),
        generate=lambda overrides: GeneratedInputs(
            schema,
            seed=seed,
            create_overrides=overrides.for_action("CREATE"),
            update_overrides=overrides.for_action("UPDATE"),
        ),
        give=lambda chosen, sets: given_inputs(schema, chosen, sets, seed),
    )


def _load_named(  # noqa: PLR0913 - what the kinds of extensions do differently
    project: Project,
    exports: Mapping[str, str],
    *,
    known: Collection[str],
    check: Callable[[InputSet], list[Diagnostic]],
    check_overrides: Callable[[Overrides], list[Diagnostic]],
    generate: Callable[[Overrides], InputsT],
    give: Callable[[InputSet, Sequence[InputSet]], InputsT],
) -> tuple[list[tuple[str, InputsT]], list[Diagnostic]]:
    loaded = load_input_sets(project, exports=exports, known=known)
    diagnostics = list(loaded.diagnostics)
    _raise_errors(diagnostics)
    if not loaded.sets:
        overrides = load_overrides(project, exports=exports)
        diagnostics += overrides.diagnostics
        _raise_errors([*diagnostics, *check_overrides(overrides)])
        return [("generated", generate(overrides))], diagnostics
    diagnostics += [problem for chosen in loaded.sets for problem in check(chosen)]
    _raise_errors(diagnostics)
    if (project.root / OVERRIDES_FILE).is_file():
        message = "overrides.json is not read: the inputs/ folder says what to test with"
        location = Location(str(project.root / OVERRIDES_FILE))
        diagnostics.append(Diagnostic("contract.overrides-ignored", Severity.WARNING, message, location))
    return [(f"inputs_{chosen.number}", give(chosen, loaded.sets)) for chosen in loaded.sets], diagnostics


def _raise_errors(diagnostics: Sequence[Diagnostic]) -> None:
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        raise BadInputError(diagnostics)
