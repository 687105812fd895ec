"""Checks of a whole project or schema file: all findings at once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document, DocumentFormat, load_document, parse_document
from formwork.documents.remote import RemoteDocuments
from formwork.extensions import ExtensionKind
from formwork.project.project import Project, has_smithy_source, load_project
from formwork.project.schema_document import check_type_name, load_schema_document, schema_references
from formwork.schema import detect_kind, validate_schema
from formwork.schema.folder_references import FolderReferences

if TYPE_CHECKING:
    from formwork.project.inputs import LoadedInputs
    from formwork.schema import ResourceSchema
    from formwork.template import Template

# Says only that a value is not known on this machine, which tests find out and a check need not.
_NOT_A_FAULT = "project.export-unknown"


class CheckResult(Struct, frozen=True):
    """The result of a check; `type_name` is None where the name could not be read."""

    path: Path
    kind: ExtensionKind | None
    type_name: str | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing found is an error."""
        return all(each.severity is not Severity.ERROR for each in self.diagnostics)


class ModuleChecks(Struct, frozen=True):
    """Options of module checks: see `project.module.load_module`."""

    public: bool = False
    find_child: "Callable[[str], Template | None] | None" = None


_PLAIN = ModuleChecks()


def check_path(path: Path, *, remote: RemoteDocuments | None = None, modules: ModuleChecks = _PLAIN) -> CheckResult:
    """Check the project in the folder `path`, or the schema in the file `path`; without `remote` nothing is fetched."""
    try:
        return (
            _check_project(load_project(path, remote=remote), modules) if path.is_dir() else _check_file(path, remote)
        )
    except BadInputError as error:
        return CheckResult(path, None, None, error.diagnostics)


def _check_file(path: Path, remote: RemoteDocuments | None) -> CheckResult:
    return check_document(load_document(path), remote=remote)


def check_text(text: str, *, name: str, remote: RemoteDocuments | None = None) -> CheckResult:
    """Check the schema in `text`, JSON or YAML, that diagnostics call `name`; its `$ref`s start at this folder."""
    try:
        return check_document(parse_document(text, name=name), remote=remote)
    except BadInputError as error:
        return CheckResult(Path(name), None, None, error.diagnostics)


def check_document(document: Document, *, remote: RemoteDocuments | None = None) -> CheckResult:
    """Check the schema in a document; its `$ref`s start at the folder of its name."""
    path = Path(document.name)
    kind = detect_kind(document)
    named = document.value.get("typeName") if isinstance(document.value, dict) else None
    return CheckResult(
        path,
        kind,
        named if isinstance(named, str) else None,
        tuple(validate_schema(document, kind=kind, references=FolderReferences(path.parent, remote=remote))),
    )


def _check_project(project: Project, modules: ModuleChecks) -> CheckResult:
    found = list(project.diagnostics)
    document: Document | None = None
    if project.kind is ExtensionKind.MODULE:
        found += _check_fragment(project, modules)
    else:
        try:
            document, judged = _judged_schema(project)
            found += [*judged, *check_type_name(project, document)]
            if document.format is DocumentFormat.YAML:
                from formwork.project.yaml_source import check_generated  # noqa: PLC0415 - YAML only

                found += check_generated(project.schema_path)
            if any(each.severity is Severity.ERROR for each in judged):
                document = None  # nothing can be checked against it
        except BadInputError as error:
            found += error.diagnostics
    found += _check_data_files(project, document)
    told = tuple(each for each in found if each.code != _NOT_A_FAULT)
    return CheckResult(project.root, project.kind, project.type_name, told)


def _judged_schema(project: Project) -> tuple[Document, list[Diagnostic]]:
    """Return the schema and its diagnostics; a schema with a Smithy source is converted again first."""
    if project.kind is not ExtensionKind.RESOURCE or not has_smithy_source(project):
        document = load_schema_document(project)
        return document, validate_schema(document, kind=project.kind, references=schema_references(project))
    from formwork.project.smithy_source import convert_source, plan_schema  # noqa: PLC0415 - Smithy only

    converted, diagnostics = convert_source(project)
    _name, text = plan_schema(converted)
    return parse_document(text, name=str(project.schema_path)), diagnostics


def _check_fragment(project: Project, modules: ModuleChecks) -> tuple[Diagnostic, ...]:
    from formwork.project.module import load_module  # noqa: PLC0415 - modules only

    try:
        return load_module(project, public=modules.public, find_child=modules.find_child).diagnostics
    except BadInputError as error:
        return error.diagnostics


def _input_names(document: Document) -> set[str]:
    """The names that inputs may have at their top: the properties of a resource type, the target types of a hook."""
    properties, handlers = document.value.get("properties"), document.value.get("handlers")
    targets = [name for each in (handlers or {}).values() for name in each.get("targetNames", ())]
    return {*(properties or {}), *targets}


def _check_inputs(inputs: "LoadedInputs", schema: "ResourceSchema") -> Iterator[Diagnostic]:
    from formwork.project.check_data import check_input  # noqa: PLC0415 - the same
    from formwork.project.inputs import InputKind  # noqa: PLC0415 - the same

    # Whether the value of an export fits is not known here.
    unknown = {each.location.file for each in inputs.diagnostics if each.code == _NOT_A_FAULT}
    for each in inputs.sets:
        for kind in (InputKind.CREATE, InputKind.UPDATE):
            document = each.documents.get(kind)
            if document is not None and document.name not in unknown:
                yield from check_input(schema, document)


def _check_data_files(project: Project, document: Document | None) -> Iterator[Diagnostic]:
    """Yield diagnostics of inputs and overrides, checked against the schema in `document` if it is given."""
    inputs_here, overrides_here = (project.root / "inputs").is_dir(), (project.root / "overrides.json").is_file()
    schema: ResourceSchema | None = None
    if document is not None and project.kind is ExtensionKind.RESOURCE and (inputs_here or overrides_here):
        from formwork.schema.resource import build_resource_schema  # noqa: PLC0415 - the same

        schema = build_resource_schema(document)
    if inputs_here:
        from formwork.project.inputs import load_input_sets  # noqa: PLC0415 - most schemas come without inputs

        inputs = load_input_sets(project, known=None if document is None else _input_names(document))
        yield from inputs.diagnostics
        if schema is not None:
            yield from _check_inputs(inputs, schema)
    if overrides_here:
        from formwork.project.overrides import load_overrides  # noqa: PLC0415 - the same

        overrides = load_overrides(project)
        yield from overrides.diagnostics
        if schema is not None:
            from formwork.project.check_data import check_overrides  # noqa: PLC0415 - the same

            yield from check_overrides(overrides, schema)
    if project.kind is ExtensionKind.HOOK:
        from formwork.project.targets import load_targets  # noqa: PLC0415 - hooks only

        yield from load_targets(project).diagnostics
