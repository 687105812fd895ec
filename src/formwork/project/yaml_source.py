"""Schemas written in YAML, and the JSON beside them that other tools read and that is packaged.

The JSON says in its `$comment` that it is generated: this distinguishes it from a hand-written one, which is
the source itself.

The reasons are in docs/decisions/0206.
"""

import json
from pathlib import Path

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, DocumentFormat, load_document, parse_document, read_text

_MARK = "Generated from {} by `cfn generate`: change it there."
_YAML_SUFFIXES = (".yaml", ".yml")


def is_generated(path: Path) -> bool:
    """Return whether the JSON schema at `path`, valid or not, says that it is generated from the YAML beside it."""
    try:
        text = read_text(path)
    except BadInputError:
        return False
    return any(json.dumps(_mark(path.with_suffix(each)))[1:-1] in text for each in _YAML_SUFFIXES)


def json_beside(path: Path) -> Path | None:
    """Return where the JSON of the schema at `path` belongs; None where the schema is JSON itself."""
    return path.with_suffix(".json") if path.suffix.lower() in _YAML_SUFFIXES else None


def render_json(document: Document) -> str:
    """Return the JSON that follows from a schema in YAML, as `cfn generate` writes it and packages hold it."""
    written = parse_document(document.text, name=document.name, format=DocumentFormat.YAML)  # before references
    value = dict(written.value)
    own = value.pop("$comment", None)
    mark = _mark(Path(document.name))
    comment = f"{mark} {own}" if isinstance(own, str) else mark
    return json.dumps({"$comment": comment, **value}, indent=4, ensure_ascii=False) + "\n"


def check_generated(path: Path) -> list[Diagnostic]:
    """Return a diagnostic if the JSON beside the YAML schema at `path` differs from what would be generated.

    A schema that cannot be parsed is left to the check of the schema.
    """
    beside = json_beside(path)
    if beside is None or not beside.is_file():
        return []
    try:
        document = load_document(path)
        current = read_text(beside) == render_json(document) if isinstance(document.value, dict) else True
    except BadInputError:
        return []
    if current:
        return []
    message = f"{beside.name} differs from {path.name}: it is older or was changed by hand"
    hint = f"run `cfn generate` to write it again; make changes in {path.name}"
    return [Diagnostic("project.schema-stale", Severity.WARNING, message, Location(str(beside)), hint=hint)]


def _mark(path: Path) -> str:
    return _MARK.format(path.name)
