"""A resource project's input files: what is wrong with them, and the inputs that they give."""

from collections.abc import Sequence

from msgspec.structs import replace

from formwork.contract.inputs import GivenInputs, create_only_changes, keep_create_only
from formwork.contract.models import Model
from formwork.diagnostics import Diagnostic, Location, Severity
from formwork.documents import Document
from formwork.project import Project
from formwork.project.inputs import INPUTS_FOLDER, InputKind, InputSet
from formwork.project.overrides import Overrides
from formwork.schema import ResourceSchema
from formwork.schema.model_document import check_model_document


def given_inputs(schema: ResourceSchema, chosen: InputSet, sets: Sequence[InputSet], seed: int) -> GivenInputs:
    """Return the inputs of the chosen set. Identifiers in the other `sets` are taken: nothing generated uses them."""
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


def check_input_set(project: Project, schema: ResourceSchema, chosen: InputSet) -> list[Diagnostic]:
    """Return what is missing from an input set, or wrong with its files."""
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
            message = f"the {kind} input is not a JSON object of properties"
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
    """Return warnings about an input that is invalid against the schema; `model` is the input as it is sent."""
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


def check_overrides(schema: ResourceSchema, overrides: Overrides) -> list[Diagnostic]:
    """Return an error for each override that would change a createOnly property in an update."""
    found = []
    for each in overrides.values:
        path = tuple("*" if step.isdecimal() else step for step in each.path)
        if each.action == "UPDATE" and any(path[: len(one)] == one for one in schema.create_only if one):
            message = f'the overrides for UPDATE set the createOnly property "{"/".join(each.path)}"'
            hint = "set it for CREATE only: an update keeps the value that the resource was created with"
            found.append(Diagnostic("contract.override-create-only", Severity.ERROR, message, each.location, hint=hint))
    return found
