"""Models: checked against their type's schema, stripped of what is never returned, filled with defaults, identified."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.diagnostics import Diagnostic, Location, Severity, render_pointer
from formwork.documents import Document
from formwork.schema.findings import SchemaViolation, list_findings, one_line
from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.view import UNKNOWN, SchemaView, Subschema

JOINT = "|"  # between the values of a composite identifier


def check_model(
    validator: Any, model: Any, *, secret: Iterable[PropertyPath] = (), document: Document | None = None
) -> list[Diagnostic]:
    """Return the errors of jsonschema-rs's `validator` on `model` as our diagnostics.

    Values at the `secret` paths are masked in them. `document` is the model's own, for places; without it the
    diagnostics have pointers alone.
    """
    if validator.is_valid(model):
        return []
    from formwork.diagnostics.secrets import mask_at  # noqa: PLC0415 - 2 ms, for a model with a fault

    findings = list_findings(validator.iter_errors(model), mask_at(model, secret))
    return [_diagnostic(each, document) for each in _without_echoes(findings)]


def _without_echoes(findings: list[SchemaViolation]) -> list[SchemaViolation]:
    """One finding a value where its type is wrong already."""
    mistyped = {each.path for each in findings if each.slug == "wrong-type"}
    kept = [each for each in findings if each.slug == "wrong-type" or each.path not in mistyped]
    return list(dict.fromkeys(kept))


def _diagnostic(finding: SchemaViolation, document: Document | None) -> Diagnostic:
    slug, hint = _WORDS.get(finding.slug, (finding.slug, None))
    location = Location(pointer=render_pointer(finding.path))
    if document is not None:
        location = document.locate(finding.path, key=finding.key)
    message = one_line(finding.message.replace("is not known here", "is not declared"))
    return Diagnostic(f"model.{slug}", Severity.ERROR, message, location, finding.expected, hint)


_WORDS: dict[str, tuple[str, str | None]] = {
    "unknown-member": ("undeclared-property", "remove it, or declare it in the schema"),
    "missing-member": ("missing-property", None),
    "missing-dependency": ("missing-property", "another property calls for it"),
}


def without_paths(model: Any, paths: Iterable[Sequence[str]]) -> Any:
    """Return a copy of `model` without the values at the property paths; emptied objects and arrays stay."""
    for path in paths:
        model = _without(model, tuple(path))
    return model


def _without(value: Any, path: PropertyPath) -> Any:
    if not path:
        return value
    name, rest = path[0], path[1:]
    if isinstance(value, list):
        return [_without(each, rest) for each in value] if name == ANY and rest else value
    if not isinstance(value, dict):
        return value
    if name == ANY and name not in value:
        return {key: _without(each, rest) for key, each in value.items()} if rest else value
    if name not in value:
        return value
    if not rest:
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: _without(value[name], rest)}


def with_defaults(schema: Subschema, value: Any) -> Any:
    """Return a copy of a value with its schema's defaults where it has none; objects that are absent stay so."""
    if isinstance(value, list):
        items = schema.child(ANY)
        return value if items is None else [with_defaults(items, each) for each in value]
    if not isinstance(value, dict):
        return value
    filled = dict(value)
    for name, node in schema.target.properties.items():
        if name in filled:
            filled[name] = with_defaults(node, filled[name])
        elif (default := node.get("default", node.target.get("default"))) is not None:
            filled[name] = default
    return filled


def read_identifier(model: Any, paths: Sequence[PropertyPath]) -> dict[PropertyPath, Any] | None:
    """Return the values at the identifier's `paths`, or None where one of them is absent or null."""
    found: dict[PropertyPath, Any] = {}
    for path in paths:
        value = model
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            return None
        found[path] = value
    return found or None


def render_identifier(values: Mapping[PropertyPath, Any]) -> str:
    """Return the text of an identifier: its values joined by `|`, as Cloud Control writes them."""
    return JOINT.join(_scalar(each) for each in values.values())


def parse_identifier(text: str, paths: Sequence[PropertyPath], view: SchemaView) -> dict[str, Any] | None:
    """The model that holds just the identifier `text`: values joined by `|` in the order of `paths`, or a JSON object.

    Numbers and booleans are read as their property's type says. None where the text does not fit the paths.
    """
    if text.lstrip().startswith("{"):
        return _parse_object(text, paths)
    parts = text.split(JOINT, len(paths) - 1) if len(paths) > 1 else [text]
    if len(parts) != len(paths) or not all(parts):
        return None
    model: dict[str, Any] = {}
    for path, part in zip(paths, parts, strict=True):
        _put(model, path, _typed(part, view.at(path) or UNKNOWN))
    return model


def _parse_object(text: str, paths: Sequence[PropertyPath]) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    flat = {path: value["/".join(path)] for path in paths if "/".join(path) in value}
    model: dict[str, Any] = {}
    for path, each in (flat if len(flat) == len(paths) else read_identifier(value, paths) or {}).items():
        _put(model, path, each)
    return model or None


def _put(model: dict[str, Any], path: PropertyPath, value: Any) -> None:
    for name in path[:-1]:
        model = model.setdefault(name, {})
    model[path[-1]] = value


def _typed(text: str, schema: Subschema) -> Any:
    try:
        match schema.get("type"):
            case "integer":
                return int(text)
            case "number":
                return float(text)
            case "boolean" if text in ("true", "false"):
                return text == "true"
            case _:
                return text
    except ValueError:
        return text


def _scalar(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
