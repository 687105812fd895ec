"""Where two values differ, leaf by leaf."""

import json
from collections.abc import Iterator

from msgspec import Struct

from formwork.documents.scalar_text import as_text
from formwork.engine.changes.values import AttributeChangeType
from formwork.template.evaluation import Value, replace_unknown
from formwork.template.expressions import Path

KNOWN_AFTER_APPLY = "{{changeSet:KNOWN_AFTER_APPLY}}"
_MISSING = object()


class ValueDifference(Struct, frozen=True):
    """A path at which values differ; `before` is None for an added value, `after` for a removed one."""

    path: Path
    kind: AttributeChangeType
    before: Value
    after: Value


def find_differences(before: Value, after: Value, path: Path = ()) -> Iterator[ValueDifference]:
    """Yield the differences between two evaluated values, in the order of their paths.

    Numbers and booleans equal their texts, as in the service's comparison.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _find_member(before.get(key, _MISSING), after.get(key, _MISSING), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from find_differences(old, new, (*path, index))
    elif not _same(before, after):
        yield ValueDifference(path, AttributeChangeType.MODIFY, before, after)


def _find_member(before: Value, after: Value, path: Path) -> Iterator[ValueDifference]:
    if before is _MISSING:
        yield ValueDifference(path, AttributeChangeType.ADD, None, after)
    elif after is _MISSING:
        yield ValueDifference(path, AttributeChangeType.REMOVE, before, None)
    else:
        yield from find_differences(before, after, path)


def _same(before: Value, after: Value) -> bool:
    texts = as_text(before), as_text(after)
    return bool(before == after if None in texts else texts[0] == texts[1])


def shown(value: Value) -> str | None:
    """Return a value as a change set shows it: a scalar's text, JSON for other values, None for None."""
    if value is None:
        return None
    known = replace_unknown(value, KNOWN_AFTER_APPLY)
    text = as_text(known)
    return json.dumps(texts(known), separators=(",", ":"), ensure_ascii=False) if text is None else text


def texts(value: Value) -> Value:
    """Return the value with scalars as texts and unknown values marked: the form of events and contexts."""
    match value:
        case dict():
            return {key: texts(each) for key, each in value.items()}
        case list():
            return [texts(each) for each in value]
        case None:
            return None
        case _:
            return KNOWN_AFTER_APPLY if (text := as_text(value)) is None else text
