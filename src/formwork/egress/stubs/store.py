"""What a stub remembers: the items of its collections, its single resources, and replies to repeated creations."""

from typing import Any, TypeAlias

from msgspec import Struct, field

# The values of the parameters in the path of a collection, percent-decoded.
Scope: TypeAlias = tuple[str, ...]


class StoredItem(Struct):
    """An item: its id as paths name it, and its properties."""

    scope: Scope
    key: str
    value: dict[str, Any]


class StubStore(Struct):
    """Items by collection and id, in the order of their creation."""

    _items: dict[str, dict[tuple[Scope, str], StoredItem]] = field(default_factory=dict)
    _singles: dict[tuple[str, Scope], dict[str, Any]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _removed: set[tuple[str, Scope, str]] = field(default_factory=set)

    def find(self, collection: str, scope: Scope | None, key: str) -> StoredItem | None:
        """Return an item; with no scope, the first with that id in any."""
        items = self._items.get(collection, {})
        if scope is not None:
            return items.get((scope, key))
        return next((item for (_, own), item in items.items() if own == key), None)

    def all(self, collection: str, scope: Scope | None = None) -> list[StoredItem]:
        """Return the items of a collection, in one scope or in all."""
        items = self._items.get(collection, {}).values()
        return [item for item in items if scope is None or item.scope == scope]

    def add(self, collection: str, item: StoredItem) -> None:
        """Keep an item, in place of one with the same id."""
        self._items.setdefault(collection, {})[item.scope, item.key] = item
        self._removed.discard((collection, item.scope, item.key))

    def remove(self, collection: str, item: StoredItem) -> None:
        """Remove an item and everything in it."""
        self._items.get(collection, {}).pop((item.scope, item.key), None)
        self._removed.add((collection, item.scope, item.key))
        within = (*item.scope, item.key)
        for name, items in self._items.items():
            if name.startswith(f"{collection}/"):
                for scope, key in [each for each in items if each[0][: len(within)] == within]:
                    del items[scope, key]
        for name, scope in [each for each in self._singles if each[0].startswith(f"{collection}/")]:
            if scope[: len(within)] == within:
                del self._singles[name, scope]

    def contents(self) -> dict[str, frozenset[str]]:
        """Return the ids of the items of each collection, and of the resources that are one for their path."""
        found = {
            name: frozenset("/".join((*scope, key)) for scope, key in items) for name, items in self._items.items()
        }
        for template, scope in self._singles:
            found[template] = found.get(template, frozenset()) | {"/".join(scope)}
        return found

    def was_removed(self, collection: str, scope: Scope, key: str) -> bool:
        """Whether an item was removed and not created again."""
        return (collection, scope, key) in self._removed

    def single(self, template: str, scope: Scope) -> dict[str, Any] | None:
        """Return a resource that is one for its path, None where it was not written."""
        return self._singles.get((template, scope))

    def set_single(self, template: str, scope: Scope, value: dict[str, Any] | None) -> None:
        """Keep a single resource; None removes it."""
        if value is None:
            self._singles.pop((template, scope), None)
        else:
            self._singles[template, scope] = value

    def next_number(self, collection: str) -> int:
        """Return 1, 2, 3 … for each collection."""
        self._numbers[collection] = self._numbers.get(collection, 0) + 1
        return self._numbers[collection]
