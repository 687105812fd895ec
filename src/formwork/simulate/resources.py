"""The resources of one type, in the order they were made, found at once by any identifier and by their token."""

from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from formwork.schema import PropertyPath
from formwork.schema.paths import value_at

MISSING = object()
"""What stands where a model has nothing."""

_Identifier: TypeAlias = Sequence[PropertyPath]


class SimulatedResource(Struct):
    """One resource: everything it has, secrets too."""

    key: str
    model: dict[str, Any]
    token: str


class Resources(MutableMapping[str, SimulatedResource]):
    """Resources by key. To change a model, assign the resource again; it keeps its position.

    `touched` are the keys that were added, changed or removed, in this order, for a caller that stores them
    elsewhere as well and clears it.
    """

    def __init__(self, identifiers: Sequence[_Identifier]) -> None:
        self.touched: dict[str, None] = {}
        self._by_key: dict[str, SimulatedResource] = {}
        self._by_token: dict[str, dict[str, None]] = {}
        self._identifiers = [tuple(each) for each in identifiers]
        self._by_value: dict[Any, dict[str, None]] = {}
        self._terms: dict[str, tuple[str, list[Any]]] = {}  # what each is found by

    def __getitem__(self, key: str) -> SimulatedResource:
        """Return the resource with this key."""
        return self._by_key[key]

    def __setitem__(self, key: str, resource: SimulatedResource) -> None:
        """Put it in, or in again."""
        self._let_go(key)
        self._by_key[key] = resource
        terms = [_term(paths, [at(resource.model, path) for path in paths]) for paths in self._identifiers]
        self._terms[key] = resource.token, terms
        self._by_token.setdefault(resource.token, {})[key] = None
        for term in terms:
            self._by_value.setdefault(term, {})[key] = None
        self.touched[key] = None

    def __delitem__(self, key: str) -> None:
        """Remove it."""
        del self._by_key[key]
        self._let_go(key)
        self.touched[key] = None

    def __iter__(self) -> Iterator[str]:
        """Return the keys, in the order that the resources were made."""
        return iter(self._by_key)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._by_key)

    def with_token(self, token: str) -> SimulatedResource | None:
        """One that was made with this client request token."""
        return self._one_of(self._by_token.get(token))

    def identified(self, paths: _Identifier, values: list[Any]) -> SimulatedResource | None:
        """One that has these values at `paths`, which are one of its identifiers."""
        return self._one_of(self._by_value.get(_term(paths, values)))

    def _one_of(self, keys: dict[str, None] | None) -> SimulatedResource | None:
        return self._by_key[next(iter(keys))] if keys else None

    def _let_go(self, key: str) -> None:
        token, terms = self._terms.pop(key, (None, []))
        for index, term in ((self._by_token, token), *((self._by_value, each) for each in terms)):
            keys = index.get(term)
            if keys is not None:
                keys.pop(key, None)
                if not keys:
                    del index[term]


def at(model: Any, path: PropertyPath) -> Any:
    """Return what stands at a property path; `MISSING` where nothing does."""
    return value_at(model, path, MISSING)


def _term(paths: _Identifier, values: list[Any]) -> Any:
    return tuple(paths), _hashable(values)


def _hashable(value: Any) -> Any:
    match value:
        case dict():
            return frozenset((name, _hashable(each)) for name, each in value.items())
        case list():
            return tuple(_hashable(each) for each in value)
        case _:
            return value
