"""Which resources refer to which: by ARN, URL or id, by `relationshipRef`, or by a property named after the type."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import parse_pointer
from formwork.provisioning.physical_ids import physical_id_of
from formwork.schema import ResourceSchema
from formwork.schema.paths import ANY

Path = tuple[str, ...]
# Texts that name one thing wherever they stand: an ARN, a URL, an identifier such as vpc-0a1b2c3d4e5f6a7b8 or a UUID.
_DISTINCTIVE = re.compile(
    r"arn:[^ ]+|https?://[^ ]+|[a-z]+(?:-[a-z]+)*-[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


class Related(Struct, frozen=True):
    """A resource with its schema, as far as relations depend on it."""

    schema: ResourceSchema
    model: Mapping[str, Any]

    def names(self) -> dict[str, str | None]:
        """Return the texts that stand for the resource: to the attribute of `Fn::GetAtt`, None for `Ref`."""
        found: dict[str, str | None] = {}
        for path in self.schema.read_only:
            value = value_at(self.model, path)
            if isinstance(value, str) and value:
                found[value] = ".".join(path)
        physical_id = physical_id_of(self.schema, self.model)
        if physical_id:
            found[physical_id] = None
        for path in self.schema.primary_identifier:
            value = value_at(self.model, path)
            if isinstance(value, str) and value:
                found.setdefault(value, None if len(self.schema.primary_identifier) == 1 else ".".join(path))
        return found

    def mentions(self) -> Iterator[tuple[Path, str]]:
        """Yield the texts of the model with their property paths."""
        yield from _texts(self.model, ())


def refers(source: Related, path: Path, value: str, target: Related) -> bool:
    """Return whether `value` at `path` of `source`, which is one of the names of `target`, refers to `target`."""
    node = source.schema.subschema_at(path)
    declared = None if node is None else node.keyword("relationshipRef")
    if isinstance(declared, Mapping):
        if declared.get("typeName") != target.schema.type_name:
            return False
        pointer = parse_pointer(str(declared.get("propertyPath", "")))
        return bool(value_at(target.model, tuple(pointer[1:])) == value)
    if _DISTINCTIVE.fullmatch(value):
        return True
    noun = target.schema.type_name.rpartition("::")[2].lower()
    name = next((step for step in reversed(path) if step != ANY), "").lower()
    return noun in name or (name != "name" and name.removesuffix("name").removesuffix("id") == noun)


class RelationIndex:
    """The names of resources, to find those that others mention; `None` among schemas is a type that is gone."""

    def __init__(self, resources: Iterable[Related]) -> None:
        self._resources = list(resources)
        self._by_name: dict[str, list[int]] = {}
        for number, each in enumerate(self._resources):
            for name in each.names():
                self._by_name.setdefault(name, []).append(number)

    def references(self, number: int) -> Iterator[tuple[Path, str, int]]:
        """Yield a resource's references to others: path, text, and the other resource's number."""
        source = self._resources[number]
        for path, value in source.mentions():
            for other in self._by_name.get(value, ()):
                if other != number and refers(source, path, value, self._resources[other]):
                    yield path, value, other

    def related(self, numbers: set[int]) -> list[int]:
        """Return the resources that these mention, and those that mention them, in their order."""
        found = {other for number in numbers for _, _, other in self.references(number)}
        found |= {
            number
            for number in range(len(self._resources))
            if number not in numbers and any(other in numbers for _, _, other in self.references(number))
        }
        return sorted(found - numbers)


def value_at(model: Any, path: Path) -> Any:
    """Return the value at a property path without wildcards, None where there is none."""
    for step in path:
        model = model.get(step) if isinstance(model, Mapping) else None
    return model


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    match value:
        case str():
            yield path, value
        case Mapping():
            for name, each in value.items():
                yield from _texts(each, (*path, name))
        case list():
            for each in value:
                yield from _texts(each, (*path, ANY))
        case _:
            return
