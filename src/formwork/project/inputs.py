"""`inputs/`: the property models that contract tests use instead of generated ones.

A file is named `inputs_<n>_<kind>.json`; the files of one number are one set, and the tests run once a set.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from formwork.diagnostics import Diagnostic, Location, Severity
from formwork.documents import Document
from formwork.project.data_file import read_data_file
from formwork.project.project import Project
from formwork.project.sample_inputs import is_stale_sample

INPUTS_FOLDER = "inputs"
_FILE_NAME = re.compile(r"inputs_(?P<number>[0-9]{1,6})_(?P<kind>.+)\.json")


class InputKind(StrEnum):
    """The purpose of an input file; of several kinds in a file name, the first in this order counts."""

    INVALID_PRE_CREATE = "invalid_pre_create"
    INVALID_PRE_UPDATE = "invalid_pre_update"
    INVALID_PRE_DELETE = "invalid_pre_delete"
    PRE_CREATE = "pre_create"
    PRE_UPDATE = "pre_update"
    PRE_DELETE = "pre_delete"
    CREATE = "create"
    UPDATE = "update"
    INVALID = "invalid"


class InputSet(Struct, frozen=True):
    """The input files of one number. A document's `value` is shared: copy it before changing it."""

    number: int
    documents: Mapping[InputKind, Document]


class LoadedInputs(Struct, frozen=True):
    """The sets by number, and what is wrong with files of the folder; a broken file is in no set."""

    sets: tuple[InputSet, ...]
    diagnostics: tuple[Diagnostic, ...]


def load_input_sets(
    project: Project, *, exports: Mapping[str, str] | None = None, known: Collection[str] | None = None
) -> LoadedInputs:
    """The input sets of the project; none where it has no `inputs/` folder or no file there is named like an input.

    `exports` are the values of the CloudFormation exports that `{{Name}}` stands for. `known` are the names that an
    input may have at its top (the schema's properties, of a hook its target types): the samples of `cfn init` that
    have others are in no set, and one diagnostic names them.
    """
    documents: dict[int, dict[InputKind, Document]] = {}
    folder = project.root / INPUTS_FOLDER
    diagnostics = list(_no_folder(folder))
    taken: dict[tuple[int, InputKind], Path] = {}
    stale: list[Path] = []
    for number, kind, path in _input_files(folder):
        if kind is None:
            diagnostics.append(_ignored(path, f'"{path.name}" does not name a kind of input', _kinds_hint()))
            continue
        first = taken.setdefault((number, kind), path)
        if first != path:
            message = f'"{path.name}" is ignored: "{first.name}" already is the {kind} input of set {number}'
            diagnostics.append(_ignored(path, message, "give one of them another number"))
            continue
        document, found = read_data_file(path, exports={} if exports is None else exports)
        diagnostics += found
        if document is not None and not isinstance(document.value, dict):
            diagnostics.append(_no_object(document))
        elif document is not None and known is not None and is_stale_sample(path.name, document, known):
            stale.append(path)
        elif document is not None:
            documents.setdefault(number, {})[kind] = document
    diagnostics += _stale_samples(stale)
    sets = tuple(InputSet(number, documents[number]) for number in sorted(documents))
    return LoadedInputs(sets, tuple(diagnostics))


def input_kind_of(file_name: str) -> InputKind | None:
    """Return the kind of input that the file name contains, or None."""
    found = _FILE_NAME.fullmatch(file_name)
    return next((kind for kind in InputKind if found and kind in found["kind"]), None)


def _input_files(folder: Path) -> Iterator[tuple[int, InputKind | None, Path]]:
    """Yield number, kind and path of each JSON file; the kind is None if the file name has another form."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        found = _FILE_NAME.fullmatch(path.name)
        if path.suffix == ".json" and path.is_file():
            yield int(found["number"]) if found else 0, input_kind_of(path.name), path


def _no_folder(path: Path) -> Iterator[Diagnostic]:
    """Report a file at the folder's path: its content would be ignored silently."""
    if (path.exists() or path.is_symlink()) and not path.is_dir():
        yield _ignored(path, f'"{path.name}" is not a folder', "replace it with a folder that contains the input files")


def _stale_samples(paths: list[Path]) -> Iterator[Diagnostic]:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        message = f"the samples of `cfn init` do not fit this schema and are not used: {paths[0].name}{more}"
        hint = "replace them with inputs of this type, or delete them: inputs are generated where there are none"
        yield _ignored(paths[0].parent, message, hint)


def _no_object(document: Document) -> Diagnostic:
    return Diagnostic(
        "project.input-not-an-object",
        Severity.ERROR,
        "the input is not a JSON object",
        document.locate(()),
        'an object of properties, such as {"Name": "a"}',
    )


def _kinds_hint() -> str:
    return f"name it inputs_<n>_<kind>.json, with one of {', '.join(InputKind)}"


def _ignored(path: Path, message: str, hint: str) -> Diagnostic:
    return Diagnostic("project.input-ignored", Severity.WARNING, message, Location(str(path)), hint=hint)
