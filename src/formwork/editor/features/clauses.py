"""The clauses of the handler contract that a project's handlers are judged by, for a client's list of tests.

`formwork/clauses` is a request of our own. No code of the project runs: the states are those of the last `cfn test`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from formwork.contract_results.clauses import CLAUSES, clauses_of
from formwork.diagnostics import BadInputError
from formwork.diagnostics.extras import install_extra
from formwork.documents import Document, load_document
from formwork.documents.opening import unsaved_texts
from formwork.editor.checking import open_project
from formwork.editor.protocol.addresses import address_of, path_of
from formwork.editor.protocol.positions import PositionIndex
from formwork.editor.protocol.wire import ErrorCode, ProtocolError
from formwork.editor.reading.models import as_document, handler_place
from formwork.editor.session import EditorSession
from formwork.extensions import ExtensionKind
from formwork.project.project import Project, is_project
from formwork.schema.at_hand import knows_awss_types


def answer_clauses(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return the clauses of a project, and where its handlers are declared; null for a module.

    Raises:
        ProtocolError: the parameters name no folder of a project in the workspace.
    """
    root = path_of(params["folder"]) if isinstance(params.get("folder"), str) else None
    if root is None or not _is_open(root, session) or not is_project(root):
        raise ProtocolError(ErrorCode.INVALID_PARAMS, "the folder is not a project in the workspace")
    with unsaved_texts(session.unsaved()):
        project = open_project(root, session.dependencies.remote)
        if project is None or project.kind is ExtensionKind.MODULE:
            return None
        schema = _load(project.schema_path)
    states = session.dependencies.last_clauses(root)
    tested = _tested()
    return {
        "typeName": project.type_name,
        "kind": str(project.kind),
        "schema": address_of(project.schema_path),
        "handlers": [] if schema is None else _handlers(schema, project, session),
        "clauses": [
            {
                "id": each,
                "text": CLAUSES[each].text,
                "level": str(CLAUSES[each].level),
                "state": states.get(each),
                "tested": each in tested,
                "unprovable": CLAUSES[each].unprovable,
            }
            for each in clauses_of(project.kind)
        ],
    }


def answer_status(session: EditorSession, _params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return whether AWS's own types are known, and if not, how to install what has them."""
    known = session.dependencies.own_types_only or knows_awss_types(session.dependencies.schemas)
    return {"awsTypes": known, "hint": None if known else install_extra("lsp")}


def _is_open(root: Path, session: EditorSession) -> bool:
    return any(root == each or each in root.parents for each in session.folders)


def _tested() -> frozenset[str]:
    """Return the clauses that `cfn test --focus` shows as a whole run does: events are judged in all tests."""
    import formwork.contract.requirements  # noqa: F401, PLC0415 - registers the tests; only this request needs them
    from formwork.contract.requirement import REQUIREMENTS  # noqa: PLC0415 - as above

    named = (clause for each in REQUIREMENTS.values() for clause in each.clauses)
    return frozenset(each for each in named if not each.startswith("event."))


def _load(path: Path) -> Document | None:
    try:
        return load_document(path)
    except BadInputError:
        return None


def _handlers(schema: Document, project: Project, session: EditorSession) -> list[dict[str, Any]]:
    """Return the handlers that a schema declares, each with its name for `--focus`, its key, and its Python code."""
    found = schema.value.get("handlers") if isinstance(schema.value, dict) else None
    index = PositionIndex(schema.text, session.encoding)
    rows: list[dict[str, Any]] = []
    for name in found if isinstance(found, dict) else ():
        location = schema.locate(("handlers", name), key=True)
        start = index.offset_of(location.start) if location.start else 0
        end = index.offset_of(location.end) if location.end else start
        word = name if project.kind is ExtensionKind.RESOURCE else f"{name.removeprefix('pre').lower()}_pre_provision"
        row = {"name": name, "focus": word, "range": index.range(start, end), "code": _code(project, name, session)}
        rows.append(row)
    return rows


def _code(project: Project, name: str, session: EditorSession) -> dict[str, Any] | None:
    place = handler_place(project, name)
    if place is None:
        return None
    file, start, end = place
    return {"uri": address_of(file), "range": PositionIndex(as_document(file).text, session.encoding).range(start, end)}
