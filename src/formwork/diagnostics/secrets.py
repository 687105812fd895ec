"""Keeping secrets out of everything that is shown: logs, reports, printed requests and responses.

What is secret is known by place: the writeOnly properties of a schema, credentials, a type configuration. `mask_at` and
`mask_leaves` hide values by their place; `secrets_at` and `mask_text` find the same values again where they were copied
to (a log line, a callback context).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

MASK = "********"

# Shorter values are everywhere by chance ("1", "true", "eu"): masking them in free text garbles it and hides nothing.
_SHORTEST_IN_TEXT = 6


class Secret(str):
    """A string that shows itself only where it is asked for by `reveal`; `repr`, `str` and formatting give the mask."""

    __slots__ = ()

    def reveal(self) -> str:
        """The value itself."""
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"Secret({MASK!r})"

    def __str__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)


def mask_at(value: Any, paths: Iterable[Sequence[str]]) -> Any:
    """A copy of the JSON value with what stands at `paths` masked; `value` itself where nothing does.

    A path is a sequence of property names, "*" for every item of an array or every member of an object. A null stays
    null: it says that there is no secret.
    """
    for path in paths:
        value = _mask_path(value, tuple(path))
    return value


def _mask_path(value: Any, path: tuple[str, ...]) -> Any:
    if not path:
        return None if value is None else MASK
    step, rest = path[0], path[1:]
    match value:
        case dict() if step == "*":
            return {name: _mask_path(each, rest) for name, each in value.items()}
        case dict() if step in value:
            return {**value, step: _mask_path(value[step], rest)}
        case list() if step == "*":
            return [_mask_path(each, rest) for each in value]
        case list() if step.isdecimal() and int(step) < len(value):
            return [_mask_path(each, rest) if str(at) == step else each for at, each in enumerate(value)]
        case _:
            return value


def mask_leaves(value: Any) -> Any:
    """A copy of the JSON value with its shape and every string, number and boolean in it masked."""
    match value:
        case dict():
            return {name: mask_leaves(each) for name, each in value.items()}
        case list():
            return [mask_leaves(each) for each in value]
        case None:
            return None
        case _:
            return MASK


def secrets_at(value: Any, paths: Iterable[Sequence[str]]) -> frozenset[str]:
    """The strings that stand at or below `paths` in the JSON value; for `mask_text`."""
    return frozenset(text for path in paths for found in _find(value, tuple(path)) for text in strings_in(found))


def _find(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    if not path:
        yield value
        return
    step, rest = path[0], path[1:]
    match value:
        case dict():
            members = list(value.values()) if step == "*" else [value[step]] if step in value else []
        case list():
            members = value if step == "*" else value[int(step) : int(step) + 1] if step.isdecimal() else []
        case _:
            members = []
    for each in members:
        yield from _find(each, rest)


def marked_secrets(value: Any) -> frozenset[str]:
    """The values of the `Secret`s anywhere in a JSON value."""
    return frozenset(each.reveal() for each in _texts(value) if isinstance(each, Secret))


def strings_in(value: Any) -> Iterator[str]:
    """Every string in the JSON value, member names aside."""
    return (each.reveal() if isinstance(each, Secret) else each for each in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)
        case _:
            pass


def mask_text(text: str, secrets: Iterable[str]) -> str:
    """`text` with every occurrence of a secret masked; secrets of fewer than six characters are left alone."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_IN_TEXT:
            text = text.replace(secret, MASK)
    return text


def mask_copies(value: Any, secrets: Iterable[str]) -> Any:
    """A copy of the JSON value with every string in it passed through `mask_text`."""
    known = sorted({each for each in secrets if len(each) >= _SHORTEST_IN_TEXT}, key=len, reverse=True)
    return _mask_strings(value, known) if known else value


def _mask_strings(value: Any, secrets: Sequence[str]) -> Any:
    match value:
        case str():
            return mask_text(value, secrets)
        case dict():
            return {name: _mask_strings(each, secrets) for name, each in value.items()}
        case list():
            return [_mask_strings(each, secrets) for each in value]
        case _:
            return value
