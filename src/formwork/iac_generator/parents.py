"""The inputs that some list handlers need, taken from resources that were found before.

A node group is listed by the name of its cluster: the property is called after the type of the other resource and its
identifier (`ClusterName` for `Name` of a `Cluster`), or has the name of the identifier itself.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from formwork.schema import ResourceSchema
from formwork.schema.paths import PropertyPath

_MOST_INPUTS = 10_000


class ParentModels:
    """The values of identifiers by the names under which other types may ask for them, service by service."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], list[Any]] = {}

    def add(self, schema: ResourceSchema, model: Mapping[str, Any]) -> None:
        """Remember the identifying values of a resource."""
        service, resource = _service(schema), schema.type_name.rpartition("::")[2]
        for path in dict.fromkeys(_known(schema)):
            if len(path) == 1 and path[0] in model:
                for name in dict.fromkeys((path[0], f"{resource}{path[0]}")):
                    values = self._values.setdefault((service, name), [])
                    if model[path[0]] not in values:
                        values.append(model[path[0]])

    def list_inputs(self, schema: ResourceSchema, required: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Yield the models to call the list handler of a type with: {} where it requires nothing."""
        choices = [self._values.get((_service(schema), name), []) for name in required]
        for values in itertools.islice(itertools.product(*choices), _MOST_INPUTS):
            yield dict(zip(required, values, strict=True))


def _service(schema: ResourceSchema) -> str:
    return schema.type_name.rpartition("::")[0]


def parents_of(schema: ResourceSchema, candidates: Iterable[ResourceSchema]) -> list[str]:
    """Return the types of the same service whose identifiers are inputs of the type's list handler."""
    required = set(list_inputs_of(schema))
    return [
        each.type_name
        for each in candidates
        if _service(each) == _service(schema) and each.type_name != schema.type_name and required & _offered(each)
    ]


def list_inputs_of(schema: ResourceSchema) -> tuple[str, ...]:
    """Return the properties that the list handler of a type requires."""
    handler = schema.handlers.get("list")
    required = (handler.schema or {}).get("required", ()) if handler is not None else ()
    return tuple(each for each in required if isinstance(each, str))


def _offered(schema: ResourceSchema) -> set[str]:
    """Return the property names by which other types may refer to a resource's identifier."""
    resource = schema.type_name.rpartition("::")[2]
    return {name for path in _known(schema) if len(path) == 1 for name in (path[0], f"{resource}{path[0]}")}


def _known(schema: ResourceSchema) -> list[PropertyPath]:
    identifying = [*schema.primary_identifier, *(path for each in schema.additional_identifiers for path in each)]
    return [*identifying, *(path for path in schema.read_only if path[-1].endswith("Arn"))]
