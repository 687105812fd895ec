"""Property transforms: JSONata expressions that turn a template's value into the one that the service reports.

Drift and the contract comparison share `matches`: the template's value is compared as it is; where it differs, each
alternative of the property's transform is applied to the template's side only, with the property's parent object as
input, and its result is compared by the schema's equality, then as a regular expression that has to match in full.

Expressions come from strangers, so evaluating one is bounded: see `transform_engine`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from formwork.diagnostics import expect_at
from formwork.jsonata.errors import TransformError
from formwork.patterns import PatternError, PatternTimeoutError, compile_pattern
from formwork.schema.paths import ANY
from formwork.schema.resource import ResourceSchema

MAX_LENGTH = 10_000  # characters of an expression
_SECONDS_A_MATCH = 0.5
_OPENERS, _CLOSERS = "([{", ")]}"
# What hides a `$OR`: texts, quoted names, comments.
_HIDING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|`[^`]*`|/\*.*?\*/', re.DOTALL)
_OR = re.compile(r"\$OR\b")


def split_alternatives(text: str) -> tuple[str, ...]:
    """Return the alternatives of a transform: `text` cut at each `$OR` outside brackets and texts.

    Raises:
        TransformError: an alternative is empty, or `$OR` stands inside brackets or a text, where it has no effect.
    """
    parts: list[str] = []
    start = depth = at = 0
    while at < len(text):
        hidden = _HIDING.match(text, at)
        if hidden:
            if _OR.search(hidden[0]) and not hidden[0].startswith("/*"):
                raise TransformError("$OR stands inside a text, where it separates nothing", at)
            at = hidden.end()
            continue
        found = _OR.match(text, at)
        if found and depth:
            raise TransformError("$OR stands inside brackets, where it separates nothing", at)
        if found:
            parts.append(text[start:at])
            start = at = found.end()
            continue
        depth += (text[at] in _OPENERS) - (text[at] in _CLOSERS)
        at += 1
    parts.append(text[start:])
    if not all(part.strip() for part in parts):
        raise TransformError("an alternative is empty")
    return tuple(part.strip() for part in parts)


@lru_cache(maxsize=1024)
def parse_transform(text: str) -> tuple[Any, ...]:
    """Return the alternatives of a transform, compiled.

    Raises:
        TransformError: it is too long, or an alternative is not a JSONata expression.
    """
    if len(text) > MAX_LENGTH:
        raise TransformError(f"the transform has {len(text):,} characters; at most {MAX_LENGTH:,} are read")
    return tuple(_compile(part, text.find(part)) for part in split_alternatives(text))


def _compile(expression: str, offset: int) -> Any:
    engine = _engine()
    try:
        compiled = engine(f"{expression} ")  # its reader looks for a character behind a comment
    except RecursionError:
        raise TransformError("the expression nests too deeply", offset) from None
    except IndexError:
        raise TransformError("no JSONata expression: it ends inside a comment or a text", offset) from None
    except Exception as error:  # noqa: BLE001 - jsonata-python's parser lets Python's own errors through on odd input
        location = getattr(error, "location", None)
        place = offset + min(location, len(expression)) if isinstance(location, int) and location >= 0 else offset
        raise TransformError(f"no JSONata expression: {error}", place) from None
    from formwork.jsonata.names import find_unknown_name  # noqa: PLC0415 - imports JSONata

    unknown = find_unknown_name(compiled.ast, engine.static_frame.bindings)
    if unknown is not None:
        name, position = unknown
        raise TransformError(f'JSONata has no "${name}", and the expression does not define it', offset + position)
    return compiled


def apply_transform(alternative: Any, parent: Any) -> Any:
    """Return the value that a compiled alternative makes of the property's `parent` object, None where it makes none.

    Raises:
        TransformError: it fails on this value, or goes over a bound.
    """
    try:
        return alternative.evaluate(parent)
    except (RecursionError, MemoryError):
        raise TransformError("the expression goes over its bounds") from None
    except Exception as error:  # noqa: BLE001 - jsonata-python lets Python's own errors through on odd values
        raise TransformError(str(error)) from None


def matches(schema: ResourceSchema, pointer: Sequence[str | int], desired: Any, actual: Any) -> bool:
    """Return whether the property at `pointer` (names and item numbers) is the same in two models of the type.

    `desired` is the template's model, `actual` what the service reports. A property that only one of them has differs.
    """
    try:
        parent = expect_at(desired, pointer[:-1])
        wanted, found = expect_at(desired, pointer), expect_at(actual, pointer)
    except ValueError:
        return False
    path = tuple(ANY if isinstance(each, int) or each.isdecimal() else each for each in pointer)
    return value_matches(schema, path, parent, wanted, found)


def value_matches(schema: ResourceSchema, path: Sequence[str], parent: Any, desired: Any, actual: Any) -> bool:
    """`matches` for one value: of the property at `path`, a member of the template's object `parent`."""
    if schema.equal(path, desired, actual):
        return True
    return any(
        schema.equal(path, result, actual) or _matches_text(result, actual)
        for result in _results(schema, tuple(path), parent)
    )


def _results(schema: ResourceSchema, path: tuple[str, ...], parent: Any) -> Iterator[Any]:
    text = schema.property_transform.get(path)
    if text is None:
        return
    try:
        alternatives = parse_transform(text)
    except TransformError:
        return  # the rules have said so; what cannot be read transforms nothing
    for each in alternatives:
        try:
            yield apply_transform(each, parent)
        except TransformError:
            continue


def _matches_text(result: Any, actual: Any) -> bool:
    if not isinstance(result, str) or not isinstance(actual, str):
        return False
    try:
        return compile_pattern(result).matches(actual, seconds=_SECONDS_A_MATCH)
    except (PatternError, PatternTimeoutError):
        return False


@cache
def _engine() -> Any:
    """Return the JSONata engine with our bounds; made on first use, as importing it takes 50 ms."""
    import sys  # noqa: PLC0415 - as above

    limit = sys.getrecursionlimit()
    from formwork.jsonata.engine import BoundedJsonata  # noqa: PLC0415 - as above

    sys.setrecursionlimit(limit)  # the import raises it for the whole process
    return BoundedJsonata
