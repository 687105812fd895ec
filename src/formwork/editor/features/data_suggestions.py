"""What may be written in the files beside a schema: inputs, overrides, configurations, rules for what handlers send."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from formwork.diagnostics import render_pointer
from formwork.editor.features.suggestions import ENUM, PROPERTY, REFERENCE, VALUE, Suggestion
from formwork.editor.kinds import DocumentKind
from formwork.editor.reading.cursor import CursorPlace
from formwork.editor.reading.guide import SchemaGuide
from formwork.editor.reading.pointers import list_properties
from formwork.editor.reading.view import DocumentView
from formwork.extensions import ExtensionKind
from formwork.project.overrides import HOOK_ACTIONS, HOOK_PARTS, RESOURCE_ACTIONS
from formwork.schema.view import SchemaView


def suggest_in_data(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:
    """Yield what may be written at the cursor."""
    if view.kind is DocumentKind.OVERRIDES and cursor.in_key:
        yield from _overrides(view, cursor)
        return
    guide = guide_of(view)
    if guide is None:
        return
    if not cursor.in_key:
        yield from (
            Suggestion(each, kind=ENUM if isinstance(each, str) else VALUE) for each in guide.values(cursor.path)
        )
        return
    taken = view.taken(cursor)
    for name, node in guide.names(cursor.holder).items():
        if name not in taken:
            yield Suggestion(name, guide.type_of(node), guide.describe(node), PROPERTY)


def guide_of(view: DocumentView) -> SchemaGuide | None:
    """Return what says which values a file may hold; None where no schema does."""
    value = view.schema.value if view.schema is not None and isinstance(view.schema.value, dict) else {}
    match view.kind:
        case DocumentKind.CONFIG:
            return SchemaGuide(_config_schema())
        case DocumentKind.EGRESS:
            from formwork.egress.rules_file import egress_schema  # noqa: PLC0415 - on first use

            return SchemaGuide(egress_schema())
        case DocumentKind.INPUTS if value:
            return SchemaGuide(value)
        case DocumentKind.TYPE_CONFIGURATION if isinstance(value.get("typeConfiguration"), dict):
            return SchemaGuide(_configuration_schema(view, value))
        case _:
            return None


def _configuration_schema(view: DocumentView, value: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type configuration's file; a hook's properties are inside three objects."""
    inner = {**value["typeConfiguration"], "definitions": value.get("definitions", {})}
    if view.extension is not ExtensionKind.HOOK:
        return inner
    for name in ("Properties", "HookConfiguration", "CloudFormationConfiguration"):
        inner = {"properties": {name: inner}}
    return inner


def _overrides(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:
    holder = cursor.holder
    hook = view.extension is ExtensionKind.HOOK
    if not holder:
        yield from (Suggestion(each, "action", kind=ENUM) for each in (HOOK_ACTIONS if hook else RESOURCE_ACTIONS))
    elif hook and len(holder) == 2:
        yield from (Suggestion(each, kind=ENUM) for each in HOOK_PARTS)
    elif len(holder) == (3 if hook else 1) and view.schema is not None and not hook:
        for path, node in list_properties(SchemaView(view.schema.value if isinstance(view.schema.value, dict) else {})):
            text = render_pointer(tuple("0" if each == "*" else each for each in path))
            yield Suggestion(text, ", ".join(node.target.types) or None, node.keyword("description"), REFERENCE)


@cache
def _config_schema() -> dict[str, Any]:
    from formwork.languages.catalogue import language_names  # noqa: PLC0415 - on first use

    text = {"type": "string"}
    return {
        "properties": {
            "artifact_type": {"enum": [*ExtensionKind], "description": "The kind of extension"},
            "typeName": {**text, "description": "The type's name: Organization::Service::Name"},
            "language": {"enum": [*language_names()], "description": "The language of the handlers"},
            "runtime": {**text, "description": "The runtime of Lambda"},
            "entrypoint": {**text, "description": "The function that Lambda calls"},
            "testEntrypoint": {**text, "description": "The function that takes the guide's test events"},
            "executableEntrypoint": {**text, "description": "The program that tests start, in compiled languages"},
            "settings": {
                "type": "object",
                "description": "Settings of the language and of other tools",
                "properties": {
                    "protocolVersion": {"enum": ["2.0.0", "1.0.0"], "description": "Of the handler protocol"}
                },
            },
            "canarySettings": {"type": "object", "description": "Which canary files `cfn generate` writes"},
        }
    }
