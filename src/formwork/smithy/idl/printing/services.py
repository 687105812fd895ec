"""The bodies of services and resources."""

from collections.abc import Iterable, Iterator, Mapping

from formwork.smithy.idl.printing.names import Names
from formwork.smithy.idl.printing.nodes import INDENT, key, quote
from formwork.smithy.shapes import LIFECYCLES, ResourceShape, ServiceShape


def service_body(shape: ServiceShape, names: Names) -> Iterator[str]:
    """Yield the lines between the braces of a service."""
    own = shape.own
    if own.get("version"):
        yield f"{INDENT}version: {quote(own['version'])}"
    for name in ("operations", "resources", "errors"):
        yield from _list(name, own.get(name, ()), names)
    if own.get("rename"):
        yield f"{INDENT}rename: {{"
        yield from (f"{INDENT}{INDENT}{quote(old)}: {quote(new)}" for old, new in own["rename"].items())
        yield f"{INDENT}}}"


def resource_body(shape: ResourceShape, names: Names) -> Iterator[str]:
    """Yield the lines between the braces of a resource."""
    yield from _map("identifiers", shape.identifiers, names)
    yield from _map("properties", shape.properties, names)
    for lifecycle in LIFECYCLES:
        if lifecycle in shape.lifecycle:
            yield f"{INDENT}{lifecycle}: {names.short(shape.lifecycle[lifecycle])}"
    yield from _list("operations", shape.operations, names)
    yield from _list("collectionOperations", shape.collection_operations, names)
    yield from _list("resources", shape.resources, names)


def _list(name: str, ids: Iterable[str], names: Names) -> Iterator[str]:
    lines = [f"{INDENT}{INDENT}{names.short(each)}" for each in ids]
    if lines:
        yield f"{INDENT}{name}: ["
        yield from lines
        yield f"{INDENT}]"


def _map(name: str, ids: Mapping[str, str], names: Names) -> Iterator[str]:
    if ids:
        yield f"{INDENT}{name}: {{"
        yield from (f"{INDENT}{INDENT}{key(each)}: {names.short(target)}" for each, target in ids.items())
        yield f"{INDENT}}}"
