"""The schemas of types that templates use: of projects in the workspace, else of this machine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.documents import Document
from formwork.documents.opening import unsaved_texts
from formwork.editor.checking import open_project
from formwork.editor.kinds import is_aws_type
from formwork.editor.reading.view import DocumentView
from formwork.extensions import ExtensionKind
from formwork.project.config import CONFIG_FILE
from formwork.project.project import Project

_MOST_PROJECTS = 200


def find_type(view: DocumentView, name: str) -> dict[str, Any] | None:
    """Return the schema of a type or module, None where it is unknown or left to another server."""
    if view.leaves_out_aws and is_aws_type(name):
        return None
    document = find_type_document(view, name)
    if document is not None:
        return document.value if isinstance(document.value, dict) else None
    text = view.session.dependencies.schemas.find(name)
    try:
        value: Any = json.loads(text) if text is not None else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def find_type_document(view: DocumentView, name: str) -> Document | None:
    """Return the schema's document of a type that a project in the workspace develops, None where none does."""
    for project in projects(view):
        if project.type_name == name:
            return view.load(project.schema_path)
    return None


def projects(view: DocumentView) -> Iterator[Project]:
    """Yield the projects in the workspace's folders, and in those up to two below them."""
    roots: list[Path] = []
    for folder in view.session.folders:
        for pattern in (CONFIG_FILE, f"*/{CONFIG_FILE}", f"*/*/{CONFIG_FILE}"):
            roots += [each.parent for each in folder.glob(pattern)][: _MOST_PROJECTS - len(roots)]
    if view.root is not None and view.root not in roots:
        roots.append(view.root)
    with unsaved_texts(view.session.unsaved()):
        opened = [open_project(each, view.session.dependencies.remote) for each in roots]
    yield from (each for each in opened if each is not None)


def module_fragment(project: Project) -> Path | None:
    """Return the fragment of a module's project."""
    if project.kind is not ExtensionKind.MODULE:
        return None
    from formwork.project.fragment import find_fragment  # noqa: PLC0415 - modules only

    try:
        return find_fragment(project)
    except BadInputError:
        return None
