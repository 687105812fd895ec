"""A project folder as subjects: its schema, and one subject an input set or one with generated inputs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from formwork.contract.inputs import GeneratedInputs, GivenInputs, Inputs, create_only_changes, keep_create_only
from formwork.contract.models import Model
from formwork.contract.patience import Patience
from formwork.contract.subject import Effort, Limits, Memory, Subject
from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document
from formwork.documents.remote import RemoteDocuments
from formwork.invoke import HandlerSession
from formwork.project import Project, load_project
from formwork.project.inputs import INPUTS_FOLDER, InputKind, InputSet, load_input_sets
from formwork.project.overrides import Overrides, load_overrides
from formwork.project.schema_document import schema_references
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.schema.model_document import check_model_document


@dataclass(frozen=True, slots=True)
class LoadedSubjects:
    """Subjects by the name of their inputs, and what the user should know about the project's files (warnings)."""

    project: Project
    schema: ResourceSchema
    subjects: tuple[tuple[str, Subject], ...]
    diagnostics: tuple[Diagnostic, ...]


def load_subjects(  # noqa: PLR0913 - what a run consists of
    root: Path,
    open_session: Callable[[ResourceSchema], HandlerSession],
    *,
    limits: Limits | None = None,
    effort: Effort = Effort.QUICK,
    seed: int = 0,
    examples: int | None = None,
    exports: Mapping[str, str] | None = None,
    patience: Patience | None = None,
    before_test: Callable[[], None] = lambda: None,
    remote: RemoteDocuments | None = None,
) -> LoadedSubjects:
    """The subjects of the resource project in `root`; `before_test` empties what the handlers' AWS calls go to.

    `remote` is as in `load_project`.

    Raises:
        BadInputError: the project, its schema or its inputs cannot be used.
    """
    project = load_project(root, remote=remote)
    schema = expect_schema(project)
    named, diagnostics = load_inputs(project, schema, seed=seed, exports={} if exports is None else exports)
    session = open_session(schema)
    memory = Memory()
    subjects = tuple(
        (
            name,
            Subject(
                schema,
                session,
                inputs,
                limits=limits,
                effort=effort,
                seed=seed,
                examples=examples,
                before_test=before_test,
                patience=patience,
                memory=memory,
            ),
        )
        for name, inputs in named
    )
    return LoadedSubjects(project, schema, subjects, tuple(diagnostics))


def expect_schema(project: Project) -> ResourceSchema:
    """The project's schema.

    Raises:
        BadInputError: it has errors.
    """
    loaded = load_resource_schema(project.schema_path, references=schema_references(project))
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    if not loaded.schema.primary_identifier:
        message = "the schema has no primaryIdentifier: no resource of the type can be told from another"
        raise BadInputError.of("contract.no-identifier", message, location=Location(str(project.schema_path)))
    return loaded.schema


def load_inputs(
    project: Project, schema: ResourceSchema, *, seed: int, exports: Mapping[str, str]
) -> tuple[list[tuple[str, Inputs]], list[Diagnostic]]:
    """The input sets of `inputs/` by name; generated inputs with the overrides where the folder has none.

    Raises:
        BadInputError: a file is broken, a set has no create model, an update changes a createOnly value.
    """
    loaded = load_input_sets(project, exports=exports, known=schema.properties)
    diagnostics = list(loaded.diagnostics)
    _raise_errors(diagnostics)
    if not loaded.sets:
        overrides = load_overrides(project, exports=exports)
        diagnostics += overrides.diagnostics
        _raise_errors([*diagnostics, *_create_only_overrides(schema, overrides)])
        generated = GeneratedInputs(
            schema,
            seed=seed,
            create_overrides=overrides.for_action("CREATE"),
            update_overrides=overrides.for_action("UPDATE"),
        )
        return [("generated", generated)], diagnostics
    problems = [each for one in loaded.sets for each in _set_problems(project, schema, one)]
    diagnostics += problems
    _raise_errors(problems)
    if (project.root / "overrides.json").is_file():
        diagnostics.append(_overrides_ignored(project))
    return [(f"inputs_{each.number}", _given(schema, each, loaded.sets, seed)) for each in loaded.sets], diagnostics


def _given(schema: ResourceSchema, chosen: InputSet, sets: tuple[InputSet, ...], seed: int) -> GivenInputs:
    documents = chosen.documents
    update, invalid = documents.get(InputKind.UPDATE), documents.get(InputKind.INVALID)
    others = [each.documents[InputKind.CREATE].value for each in sets if each is not chosen]
    return GivenInputs(
        schema,
        create=documents[InputKind.CREATE].value,
        update=None if update is None else update.value,
        invalid=None if invalid is None else invalid.value,
        others=others,
        name=f"inputs/ set {chosen.number}",
        seed=seed,
    )


def _set_problems(project: Project, schema: ResourceSchema, chosen: InputSet) -> list[Diagnostic]:
    documents = chosen.documents
    problems = []
    needed = {InputKind.CREATE: Severity.ERROR, InputKind.INVALID: Severity.WARNING}
    if "update" in schema.handlers:
        needed[InputKind.UPDATE] = Severity.WARNING
    for kind, severity in needed.items():
        if kind not in documents:
            problems.append(_missing(project, chosen.number, kind, severity))
    for kind in needed:
        if kind in documents and not isinstance(documents[kind].value, dict):
            message = f"the {kind} input is no JSON object of properties"
            problems.append(
                Diagnostic("contract.input-not-an-object", Severity.ERROR, message, documents[kind].locate())
            )
    if any(each.severity is Severity.ERROR for each in problems):
        return problems
    create, update = documents[InputKind.CREATE], documents.get(InputKind.UPDATE)
    problems += _invalid(schema, create, create.value)
    if update is None:
        return problems
    problems += _invalid(schema, update, keep_create_only(schema, create.value, update.value))
    return problems + _changed_create_only(schema, create, update)


def _invalid(schema: ResourceSchema, document: Document, model: Model) -> list[Diagnostic]:
    """What is wrong with an input as a model of the type, as warnings; `model` is what comes of it in a request."""
    validator = schema.input_validator
    if validator.is_valid(dict(model)):
        return []
    told = check_model_document(validator, document, read_only=schema.read_only, write_only=schema.write_only)
    found = [each for each in told if each.severity is Severity.ERROR]
    if model is not document.value:  # of what it leaves out, `model` has some
        found = [each for each in found if each.code != "model.missing-property"]
    return [replace(each, severity=Severity.WARNING) for each in found]


def _changed_create_only(schema: ResourceSchema, create: Document, update: Document) -> list[Diagnostic]:
    return [
        Diagnostic(
            "contract.input-create-only",
            Severity.ERROR,
            f'the update input changes the createOnly property "{"/".join(path)}"',
            update.locate(path),
            f"{before!r}, as the create input has it",
            "an update of a createOnly property replaces the resource, and no update handler is ever asked for it",
        )
        for path, before, _ in create_only_changes(schema, create.value, update.value)
    ]


def _missing(project: Project, number: int, kind: InputKind, severity: Severity) -> Diagnostic:
    name = f"inputs_{number}_{kind}.json"
    why = {
        InputKind.CREATE: "nothing can be created",
        InputKind.UPDATE: "nothing about updates can be proved",
        InputKind.INVALID: "nothing about invalid input can be proved",
    }[kind]
    message = f"input set {number} has no {kind} input: {why}"
    location = Location(str(project.root / INPUTS_FOLDER))
    return Diagnostic("contract.input-missing", severity, message, location, hint=f"add {INPUTS_FOLDER}/{name}")


def _create_only_overrides(schema: ResourceSchema, overrides: Overrides) -> list[Diagnostic]:
    found = []
    for each in overrides.values:
        path = tuple("*" if step.isdecimal() else step for step in each.path)
        if each.action == "UPDATE" and any(path[: len(one)] == one for one in schema.create_only if one):
            message = f'the overrides for UPDATE set the createOnly property "{"/".join(each.path)}"'
            hint = "set it for CREATE only: an update keeps the value that the resource was created with"
            found.append(Diagnostic("contract.override-create-only", Severity.ERROR, message, each.location, hint=hint))
    return found


def _overrides_ignored(project: Project) -> Diagnostic:
    message = "overrides.json is not read: the inputs/ folder says what to test with"
    location = Location(str(project.root / "overrides.json"))
    return Diagnostic("contract.overrides-ignored", Severity.WARNING, message, location)


def _raise_errors(diagnostics: list[Diagnostic]) -> None:
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
