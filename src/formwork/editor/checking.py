"""What is wrong with open documents: what `cfn validate` finds, with texts that are not saved in place of the files.

Of files that it does not read, what the commands that read them find.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, Diagnostic
from formwork.documents import DocumentFormat, parse_document
from formwork.documents.opening import unsaved_texts
from formwork.documents.remote import RemoteDocuments
from formwork.editor.kinds import DocumentKind, kind_of, project_root
from formwork.editor.parsing import parse_once
from formwork.extensions import ExtensionKind
from formwork.project.check import check_document, check_path
from formwork.project.config import CONFIG_FILE
from formwork.project.project import Project, has_smithy_source, load_project
from formwork.schema.at_hand import NO_SCHEMAS, SchemaCatalog

if TYPE_CHECKING:
    from formwork.project.schema_file import ExtensionSchema


class CheckTarget(Struct, frozen=True):
    """What is checked at a time: a project by its folder, or one document that belongs to none."""

    root: Path | None
    uri: str = ""


class OpenFile(Struct, frozen=True):
    """An open document as checks see it; `path` is None for one that is in no file."""

    uri: str
    path: Path | None
    language: str
    text: str

    @property
    def name(self) -> str:
        """What diagnostics call it."""
        return str(self.path) if self.path is not None else self.uri


class CheckInput(Struct, frozen=True):
    """The open documents and the workspace's folders at one moment; `schemas` are those of types on this machine.

    `own_types_only`: of templates only resources are checked whose type is not AWS's.
    """

    files: tuple[OpenFile, ...]
    folders: tuple[Path, ...] = ()
    remote: RemoteDocuments | None = None
    schemas: SchemaCatalog = NO_SCHEMAS
    own_types_only: bool = False

    def target_of(self, file: OpenFile) -> CheckTarget:
        """Return what is checked for a document."""
        root = None if file.path is None else project_root(file.path, within=self.folders)
        return CheckTarget(root, "" if root is not None else file.uri)


class Findings(Struct):
    """Diagnostics by the name of the file they are in; a file without any has an empty list."""

    of: dict[str, list[Diagnostic]] = field(default_factory=dict)

    def add(self, found: Iterable[Diagnostic], *, default: str) -> None:
        """Add diagnostics; those of a folder or of no file are shown at the file `default`."""
        homes: dict[str | None, str] = {None: default}  # the disk is asked once per file, not once per diagnostic
        for each in found:
            name = each.location.file
            if name is not None and name not in homes:
                homes[name] = default if Path(name).is_dir() else name
            self.of.setdefault(homes[name], []).append(each)


def check_target(target: CheckTarget, given: CheckInput) -> Findings:
    """Return what is wrong with a project or a single document."""
    unsaved = {each.path: each.text for each in given.files if each.path is not None}
    with unsaved_texts(unsaved):
        if target.root is not None:
            return _check_project(target.root, given)
        file = next((each for each in given.files if each.uri == target.uri), None)
        findings = Findings()
        if file is not None:
            findings.of[file.name] = []
            findings.add(_check_single(file, given), default=file.name)
        return findings


def _check_project(root: Path, given: CheckInput) -> Findings:
    findings = Findings()
    findings.add(check_path(root, remote=given.remote).diagnostics, default=str(root / CONFIG_FILE))
    project = open_project(root, given.remote)
    smithy = project is not None and project.kind is ExtensionKind.RESOURCE and has_smithy_source(project)
    for file in given.files:
        if file.path is None or project_root(file.path, within=given.folders) != root:
            continue
        findings.of.setdefault(file.name, [])
        kind = kind_of(file.path, file.text, language=file.language, root=root, project=project)
        if not (smithy and kind is DocumentKind.SMITHY):  # of which the project's check has reported already
            findings.add(_check_kind(file, kind, given, project), default=file.name)
    return findings


def open_project(root: Path, remote: RemoteDocuments | None) -> Project | None:
    """Return the project in a folder, None where it can't be loaded."""
    try:
        return load_project(root, remote=remote)
    except BadInputError:
        return None


def _check_single(file: OpenFile, given: CheckInput) -> Iterable[Diagnostic]:
    kind = kind_of(file.path, file.text, language=file.language, root=None, project=None)
    if kind is DocumentKind.SCHEMA:
        try:
            return check_document(parse_once(file.text, file.name), remote=given.remote).diagnostics
        except BadInputError as error:
            return error.diagnostics
    return _check_kind(file, kind, given)


def _check_kind(
    file: OpenFile, kind: DocumentKind, given: CheckInput, project: Project | None = None
) -> Iterable[Diagnostic]:
    """Return what is wrong with a file that `cfn validate` does not read."""
    found: Iterable[Diagnostic] = ()
    try:
        match kind:
            case DocumentKind.FUNCTIONS:
                found = _check_functions(file)
            case DocumentKind.EGRESS:
                found = _check_egress(file)
            case DocumentKind.SMITHY:
                found = list(_check_smithy(file))  # here, where a model that cannot be read is caught
            case DocumentKind.TEMPLATE:
                found = _check_template(file, given)
            case DocumentKind.TYPE_CONFIGURATION:
                found = _check_configuration(file, project)
            case _:
                pass
    except BadInputError as error:
        found = error.diagnostics
    return found


def _check_configuration(file: OpenFile, project: Project | None) -> Iterable[Diagnostic]:
    """Return what `cfn validate --configuration` says of a type configuration, which is only read without a project."""
    document = parse_document(file.text, name=file.name, format=DocumentFormat.JSON)
    schema = None if project is None else _loaded_schema(project)
    return () if schema is None else schema.validate_configuration(document)


def _loaded_schema(project: Project) -> "ExtensionSchema | None":
    """Return the schema of a project, None where it has errors, which are reported with the project."""
    from formwork.project.schema_file import load_project_schema  # noqa: PLC0415 - imported when such a file is open

    try:
        return load_project_schema(project)[0]
    except BadInputError:
        return None


def _check_functions(file: OpenFile) -> Iterable[Diagnostic]:
    from formwork.lambda_host.template import read_template  # noqa: PLC0415 - imported when such a file is open

    return read_template(parse_document(file.text, name=file.name, short_tags=True)).diagnostics


def _check_egress(file: OpenFile) -> Iterable[Diagnostic]:
    from formwork.egress.rules_file import read_egress  # noqa: PLC0415 - as above

    read_egress(parse_document(file.text, name=file.name))
    return ()


def _check_template(file: OpenFile, given: CheckInput) -> Iterable[Diagnostic]:
    from formwork.editor.templates import check_own_types, check_template  # noqa: PLC0415 - as above

    if not given.own_types_only:
        return check_template(parse_document(file.text, name=file.name, short_tags=True), given.schemas)
    try:
        return check_own_types(parse_document(file.text, name=file.name, short_tags=True), given.schemas)
    except BadInputError:  # which the other server reports
        return ()


def _check_smithy(file: OpenFile) -> Iterator[Diagnostic]:
    """Yield what `cfn smithy validate` says of the models in the file's folder; only of this file what is in it."""
    from formwork.convert.files import check_models  # noqa: PLC0415 - as above
    from formwork.smithy.events import EventSeverity  # noqa: PLC0415 - as above

    if file.path is None:
        return
    together = sorted(file.path.parent.glob("*.smithy")) or [file.path]
    checked = check_models(together if file.path in together else [*together, file.path])
    for event in checked.told(EventSeverity.WARNING):
        diagnostic = event.to_diagnostic()
        if diagnostic.location.file in (None, file.name):
            yield diagnostic
