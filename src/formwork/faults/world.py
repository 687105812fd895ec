"""What exists behind handlers: the state of moto and of stubs, to see what an operation made, left or lost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

# Keys by the place that has them: `iam roles` → the names of roles.
Contents: TypeAlias = Mapping[str, frozenset[str]]
_MOST_NAMED = 4


class WorldPart(Protocol):
    """A stand-in for services whose contents can be listed."""

    def contents(self) -> Contents:
        """Return the keys of what exists, by place."""
        ...

    def reset(self) -> None:
        """Forget everything."""
        ...


class World(Struct, frozen=True):
    """All stand-ins of a run; `unseen` names services whose contents can't be listed."""

    parts: Sequence[WorldPart]
    unseen: tuple[str, ...] = ()

    def contents(self) -> Contents:
        """Return the keys of all that exists, by place."""
        found: dict[str, frozenset[str]] = {}
        for part in self.parts:
            found.update(part.contents())
        return found

    def reset(self) -> None:
        """Forget everything, where that can be done."""
        for part in self.parts:
            part.reset()


def made_since(before: Contents, after: Contents, noise: Iterable[str] = ()) -> dict[str, frozenset[str]]:
    """Return the keys that were not there `before`, by place; places in `noise` are left out."""
    ignored = set(noise)
    found = {place: keys - before.get(place, frozenset()) for place, keys in after.items() if place not in ignored}
    return {place: keys for place, keys in found.items() if keys}


def counted(made: Mapping[str, frozenset[str]]) -> Counter[str]:
    """Return how many keys each place has."""
    return Counter({place: len(keys) for place, keys in made.items()})


def told(made: Mapping[str, frozenset[str]]) -> str:
    """Return keys in words, of many the first: `iam roles web-role, s3 buckets logs`.

    What lies in something that is named is left out.
    """
    outermost = sorted(
        (place, key)
        for place, keys in made.items()
        for key in keys
        if not any(_is_within(place, key, other, others) for other, others in made.items())
    )
    named = [f"{place} {key}" for place, key in outermost[:_MOST_NAMED]]
    more = len(outermost) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _is_within(place: str, key: str, other: str, others: frozenset[str]) -> bool:
    return place.startswith(f"{other}.") and any(key.startswith(f"{each}/") for each in others)
