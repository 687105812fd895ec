"""The generated models and the handlers of a project in Python: where a property and a handler are in them."""

import re
from pathlib import Path

from formwork.documents import Document, DocumentFormat
from formwork.editor.reading.place import Tokens
from formwork.project.project import Project

_HANDLER = r"@(?:resource|hook)\.handler\((?:Action|HookInvocationPoint)\.{}\)"


def model_places(project: Project, declared: Tokens) -> list[tuple[Path, int, int]]:
    """Return where the class of a property's holder assigns it: file, and offsets of the name."""
    file = project.root / "src" / project.package_name / "models.py"
    text = _read(file)
    holder = declared[1] if declared[0] == "definitions" and len(declared) == 4 else "ResourceModel"
    if text is None or (declared[0] != "definitions" and len(declared) != 2):
        return []
    begin = re.search(rf"^class {re.escape(str(holder))}\b", text, re.MULTILINE)
    if begin is None:
        return []
    following = re.compile(r"^class ", re.MULTILINE).search(text, begin.end())
    end = following.start() if following else len(text)
    found = re.compile(rf"self\.({re.escape(str(declared[-1]))})\s*[:=]").search(text, begin.end(), end)
    return [(file, *found.span(1))] if found else []


def handler_place(project: Project, name: str) -> tuple[Path, int, int] | None:
    """Return where the handler `create` (or another, or a hook's) is in the project's handlers: file and offsets."""
    file = project.root / "src" / project.package_name / "handlers.py"
    text = _read(file)
    if text is None:
        return None
    action = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
    points = {"PRE_CREATE": "CREATE_PRE_PROVISION", "PRE_UPDATE": "UPDATE_PRE_PROVISION",
              "PRE_DELETE": "DELETE_PRE_PROVISION"}  # fmt: skip
    found = re.search(_HANDLER.format(re.escape(points.get(action, action))), text)
    return (file, *found.span()) if found else None


def as_document(path: Path) -> Document:
    """Return a file of code as a document without a value: for its name and text."""
    return Document(str(path), _read(path) or "", {}, DocumentFormat.JSON)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
