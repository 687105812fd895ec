"""Keeping secrets out of everything that is shown: logs, reports, printed requests and responses.

What is secret is known by place: the writeOnly properties of a schema, credentials, a type configuration. `mask_at` and
`mask_leaves` hide values by their place; `secrets_at` and `mask_text` find the same values again where they were copied
to (a log line, a callback context), in whatever form: see `secret_forms`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from formwork.diagnostics.secret_forms import SHORTEST_ANYWHERE, SHORTEST_WORD, leaf_texts, secret_spans

MASK = "********"
# What the service shows instead of the value of a NoEcho parameter.
NO_ECHO_MASK = "****"


class Secret(str):
    """A string whose `repr`, `str` and formatting give a mask; `reveal` returns its value.

    `parts` are the secrets in a longer text that is not secret as a whole: a password in an address.
    """

    __slots__ = ("parts",)
    parts: tuple[str, ...]

    def __new__(cls, text: str, parts: Iterable[str] = ()) -> Self:
        """Create the secret `text`."""
        made = super().__new__(cls, text)
        made.parts = tuple(parts)
        return made

    def reveal(self) -> str:
        """Return the unmasked value."""
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"Secret({MASK!r})"

    def __str__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)


def mask_at(value: Any, paths: Iterable[Sequence[str]], mask: str = MASK) -> Any:
    """Return a copy of the JSON value with the values at `paths` masked; `value` itself where it has none of them.

    A path is a sequence of property names, "*" for every item of an array or every member of an object. A null stays
    null: it says that there is no secret.
    """
    for path in paths:
        value = _mask_path(value, tuple(path), mask)
    return value


def _mask_path(value: Any, path: tuple[str, ...], mask: str) -> Any:
    if not path:
        return None if value is None else mask
    step, rest = path[0], path[1:]
    match value:
        case dict() if step == "*":
            return {name: _mask_path(each, rest, mask) for name, each in value.items()}
        case dict() if step in value:
            return {**value, step: _mask_path(value[step], rest, mask)}
        case list() if step == "*":
            return [_mask_path(each, rest, mask) for each in value]
        case list() if step.isdecimal() and int(step) < len(value):
            return [_mask_path(each, rest, mask) if str(at) == step else each for at, each in enumerate(value)]
        case _:
            return value


def mask_leaves(value: Any) -> Any:
    """Return a copy of the JSON value with its shape and every string, number and boolean in it masked."""
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
    """Return the texts and numbers that stand at or below `paths` in the JSON value; for `mask_text`."""
    return frozenset(text for path in paths for found in _find(value, tuple(path)) for text in leaf_texts(found))


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
    """Return the values of the `Secret`s anywhere in a JSON value, and their parts."""
    marked = [each for each in _texts(value) if isinstance(each, Secret)]
    return frozenset(text for each in marked for text in (each.reveal(), *each.parts))


def strings_in(value: Any) -> Iterator[str]:
    """Return every string in the JSON value, member names aside."""
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


def mask_text(text: str, secrets: Iterable[str], mask: str = MASK, *, cut: bool = False) -> str:
    """Return `text` with every form of a secret masked; `secret_forms` lists the forms of short ones.

    If `cut`, the text is a piece of a longer one, and parts of secrets are masked at its ends; in every text where
    an ellipsis says that it was cut.
    """
    shown, last = [], 0
    for start, end in secret_spans(text, frozenset(secrets), cut=cut):
        shown += [text[last:start], mask]
        last = end
    return "".join([*shown, text[last:]])


def mask_copies(value: Any, secrets: Iterable[str], mask: str = MASK) -> Any:
    """Return a copy of the JSON value with every string and member name in it passed through `mask_text`.

    Numbers that repeat a long secret are masked. Values of one and two characters are not looked for: here each string
    is a text by itself, and many are "1".
    """
    known = frozenset(each for each in secrets if len(each) >= SHORTEST_WORD)
    return _mask_copies(value, known, mask) if known else value


def _mask_copies(value: Any, secrets: frozenset[str], mask: str) -> Any:
    match value:
        case str():
            return mask_text(value, secrets, mask)
        case bool() | None:
            return value
        case int() | float():
            text = repr(value)
            return value if len(text) < SHORTEST_ANYWHERE or mask_text(text, secrets) == text else mask
        case dict():
            return {mask_text(name, secrets, mask): _mask_copies(each, secrets, mask) for name, each in value.items()}
        case list() | tuple():
            return [_mask_copies(each, secrets, mask) for each in value]
        case _:
            return value
