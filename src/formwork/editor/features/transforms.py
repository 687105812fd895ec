"""What a property transform makes of an example: of the first inputs, else of a generated model."""

import json
from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import get_at, parse_pointer
from formwork.diagnostics.pointer import PointerError
from formwork.diagnostics.secrets import mask_at
from formwork.editor.reading.view import DocumentView
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.jsonata.errors import TransformError
from formwork.schema.resource import ResourceSchema, build_resource_schema
from formwork.schema.transforms import apply_transform, parse_transform

_MOST_SHOWN = 400


def explain_transform(view: DocumentView, pointer: str) -> Iterator[str]:
    """Yield what each alternative of the transform at `pointer` yields on an example, secrets masked."""
    schema = view.schema
    text = get_at(view.value, ("propertyTransform", pointer))
    if schema is None or not isinstance(schema.value, dict) or not isinstance(text, str):
        return
    try:
        built = build_resource_schema(schema)
        tokens = tuple(each for each in parse_pointer(pointer) if each != "properties")
        alternatives = parse_transform(text)
    except TransformError as error:
        yield f"The transform cannot be read: {error}"
        return
    except PointerError:
        return
    example, origin = _example(view, built)
    parent = _parent(example, tokens)
    if parent is None:
        yield f"The example ({origin}) has no `{pointer}`"
        return
    lines = [f"On the example ({origin}), where it is {_shown(get_at(parent, tokens[-1:]))}:"]
    for number, alternative in enumerate(alternatives, 1):
        try:
            lines.append(f"{number}. yields {_shown(apply_transform(alternative, parent))}")
        except TransformError as error:
            lines.append(f"{number}. fails: {error}")
    yield "\n".join(lines)


def _example(view: DocumentView, schema: ResourceSchema) -> tuple[Any, str]:
    example: Any = None
    origin = "generated from the schema"
    files = sorted((view.root / "inputs").glob("inputs_*_create.json")) if view.root is not None else []
    for file in files:
        document = view.load(file)
        if document is not None and isinstance(document.value, dict):
            example, origin = document.value, file.name
            break
    if example is None:
        try:
            example = InstanceGenerator(schema).maximal()
        except UnsatisfiableError:
            example = {}
    return mask_at(example, schema.write_only), origin


def _parent(example: Any, tokens: tuple[str, ...]) -> Any:
    path = tuple("0" if each == "*" else each for each in tokens)
    parent = get_at(example, path[:-1])
    return parent if isinstance(parent, dict) and path[-1] in parent else None


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + '…'}`"
