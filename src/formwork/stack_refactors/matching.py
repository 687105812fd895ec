"""Which resource becomes which: by the mappings of the request, and where these are silent by likeness.

Source: CloudFormation user guide, "Stack refactoring". How the service matches resources by itself is not documented:
here one keeps its logical id in another stack, or is the only one of its type with these properties, or the only one of
its type.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from formwork.stack_refactors.records import GivenMapping, ResourcePlace
from formwork.stacks.errors import StackError

Names = Mapping[str, str]  # of stacks, by their ids


class Declared(Struct, frozen=True):
    """The compared parts of a resource's declaration: its type, and its properties as written."""

    type: str
    properties: Any

    @property
    def text(self) -> str:
        """A text that is equal for equal declarations."""
        return json.dumps([self.type, self.properties], sort_keys=True)


class Match(Struct, frozen=True):
    """A resource that is there, and its place after the refactor; `given` by a mapping of the request."""

    source: ResourcePlace
    destination: ResourcePlace
    given: bool


class Matching:
    """Matches the resources that stacks have (`present`) with those of their new templates (`wanted`)."""

    def __init__(
        self, present: Mapping[ResourcePlace, Declared], wanted: Mapping[ResourcePlace, Declared], names: Names
    ) -> None:
        self._present = present
        self._wanted = wanted
        self._names = names
        self._found: dict[ResourcePlace, Match] = {}  # by destination
        self._taken: set[ResourcePlace] = set()

    def run(self, mappings: Iterable[GivenMapping]) -> list[Match]:
        """Return a match for every resource.

        Raises:
            StackError: a mapping is wrong, or a resource would be created or deleted.
        """
        given = list(mappings)
        for each in given:
            self._check(each)
            self._take(each.source, each.destination, given=True)
        for place in self._wanted:
            if place not in self._found and place in self._present and place not in self._taken:
                self._take(place, place)
        for each in given:
            if each.source in self._wanted and each.source not in self._found:
                raise StackError(
                    f"The resource {each.source.logical_id} defined in the resources mapping did no move from its "
                    f"original stack {self._names[each.source.stack]}. Review your stack template desired state."
                )
        self._pair(lambda place, declared: f"{place.logical_id} {declared.type}")
        self._pair(lambda _place, declared: declared.text)
        self._pair(lambda _place, declared: declared.type)
        self._refuse_rest()
        return [self._found[place] for place in self._wanted]

    def _check(self, mapping: GivenMapping) -> None:
        source, destination = mapping.source, mapping.destination
        if source not in self._present:
            raise StackError(f"Resource {source.logical_id} does not exist in stack {self._names[source.stack]}")
        if destination not in self._wanted:
            raise StackError(
                f"The resource {destination.logical_id} defined in the resources mapping does not exist in the "
                f"template of stack {self._names[destination.stack]}. Review your stack template desired state."
            )
        if source in self._taken:
            raise StackError(f"The resource {source.logical_id} cannot be refactored into multiple stacks.")
        if destination in self._found:
            raise StackError(f"More than one resource is mapped to {destination.logical_id}.")

    def _take(self, source: ResourcePlace, destination: ResourcePlace, *, given: bool = False) -> None:
        self._found[destination] = Match(source, destination, given)
        self._taken.add(source)

    def _pair(self, key: Callable[[ResourcePlace, Declared], str]) -> None:
        """Match those that share a key with just one other."""
        sources = self._grouped(key, self._present, self._taken)
        for name, places in self._grouped(key, self._wanted, self._found).items():
            others = sources.get(name, [])
            if len(places) == len(others) == 1:
                self._take(others[0], places[0])

    @staticmethod
    def _grouped(
        key: Callable[[ResourcePlace, Declared], str],
        places: Mapping[ResourcePlace, Declared],
        done: Iterable[ResourcePlace],
    ) -> dict[str, list[ResourcePlace]]:
        groups: dict[str, list[ResourcePlace]] = {}
        for place in places.keys() - set(done):
            groups.setdefault(key(place, places[place]), []).append(place)
        return groups

    def _refuse_rest(self) -> None:
        lost = sorted(self._present.keys() - self._taken)
        new = sorted(self._wanted.keys() - self._found.keys())
        if unclear := {self._present[each].type for each in lost} & {self._wanted[each].type for each in new}:
            named = [each.logical_id for each in lost if self._present[each].type in unclear]
            raise StackError(
                f"The destination of resources [{', '.join(named)}] is ambiguous. Specify it in ResourceMappings."
            )
        for what, places in (("delete", lost), ("create", new)):
            if places:
                named = [f"{self._names[each.stack]}.{each.logical_id}" for each in places]
                raise StackError(f"Stack Refactor can not {what} resources: [{', '.join(named)}].")
