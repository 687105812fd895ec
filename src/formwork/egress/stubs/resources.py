"""Which resources the paths of a document are: collections, their items, single resources, and actions.

/things             a collection: POST creates, GET lists
/things/{id}        its items
/things/{id}/parts  a collection in each item
/things/{id}/state  one resource in each item: it has a GET that does not list, and a PUT or PATCH
/things/{id}/stop   an action on an item
/things/{a}/{b}     its items, where their schema has both properties and the document no path /things/{a}
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from formwork.egress.stubs.envelopes import Envelope, item_envelope, list_envelope, node_at
from formwork.egress.stubs.names import plain
from formwork.egress.stubs.operations import ApiOperation
from formwork.egress.stubs.store import Scope

_PARAMETER = re.compile(r"\{([^{}/]+)\}")


class PathKind(StrEnum):
    """The kind of resource that a path leads to."""

    COLLECTION = "collection"
    ITEM = "item"
    SINGLE = "single"
    ACTION = "action"


class ResourcePath(Struct, frozen=True):
    """A path of a document as a resource.

    `collection` is the template of the collection that an item or a collection is stored as. `parent` is the template
    of the item around it, None at the top; `id_name` the property of items that is their id, None where none is.
    `qualifiers` are the properties that tell items with the same id apart: of the parameters before the id.
    `creatable` says that requests create items: only then an unknown id is an error.
    """

    template: str
    kind: PathKind
    collection: str
    parent: str | None
    operations: Mapping[str, ApiOperation]
    id_name: str | None = None
    qualifiers: tuple[str, ...] = ()
    item: Envelope = ()
    creatable: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters in the path."""
        return tuple(_PARAMETER.findall(self.template))

    def place(self, scope: Scope) -> tuple[Scope, str]:
        """Return the scope of the collection of an item, and its key there, by the parameters of the item's path."""
        end = len(scope) - len(self.qualifiers) - 1
        return scope[:end], _key(scope[end:])

    def key(self, value: Mapping[str, Any], identifier: Any) -> str:
        """Return the key of an item with these properties and this id."""
        return _key((*(str(value.get(name, "")) for name in self.qualifiers), str(identifier)))


def _key(values: Scope) -> str:
    """Return several values of a path as one; one value is itself."""
    return values[0] if len(values) == 1 else "/".join(quote(each, safe="") for each in values)


def read_resources(operations: list[ApiOperation]) -> dict[str, ResourcePath]:
    """Return the resources that a document's paths lead to, by path template."""
    by_path: dict[str, dict[str, ApiOperation]] = {}
    for operation in operations:
        by_path.setdefault(operation.template, {})[operation.method] = operation
    composite = {template: found for template in by_path if (found := _composite(template, by_path)) is not None}
    kinds = {template: _kind(template, by_path) for template in by_path}
    linked = {template: collection for template, (collection, _) in composite.items()}
    kinds |= dict.fromkeys(linked.values(), PathKind.COLLECTION)
    for template in [each for each in by_path if each not in composite]:
        collection = _linked(template, kinds, by_path)
        if collection is not None:
            linked[template] = collection
            kinds[collection] = PathKind.COLLECTION
    qualifiers = {each: names for path, (collection, names) in composite.items() for each in (path, collection)}
    read = {template: _resource(template, linked, kinds, by_path) for template in by_path}
    return {path: replace(each, qualifiers=qualifiers.get(path, ())) for path, each in read.items()}


def collection_of(template: str) -> str:
    """Return the template of the collection that an item's template belongs to."""
    return template.rstrip("/").rpartition("/")[0]


def _composite(template: str, by_path: Mapping[str, Mapping[str, ApiOperation]]) -> tuple[str, tuple[str, ...]] | None:
    """Return the collection of `/things/{a}/{b}`, and the properties of items that the parameters before the last are.

    None where the document has a path between them, or the items lack such properties.
    """
    above, names = collection_of(template), list[str]()
    while (found := _PARAMETER.fullmatch(above.rpartition("/")[2])) and above not in by_path:
        names.insert(0, found[1])
        above = collection_of(above)
    operation = by_path[template].get("get")
    response = None if operation is None else operation.success(200)
    content = None if response is None else response.json
    if not names or content is None or not {"get", "post"} <= by_path.get(above, {}).keys():
        return None
    envelope, identifier = item_envelope(content.schema, _PARAMETER.findall(template)[-1], above)
    declared = {plain(name): name for name in content.schema.properties(node_at(content.schema, envelope))}
    found_names = [declared[plain(name)] for name in names if plain(name) in declared]
    return (above, tuple(found_names)) if identifier is not None and len(found_names) == len(names) else None


def _kind(template: str, by_path: Mapping[str, Mapping[str, ApiOperation]]) -> PathKind:
    last = template.rstrip("/").rpartition("/")[2]
    if _PARAMETER.fullmatch(last):
        return PathKind.ITEM
    if _PARAMETER.search(last):  # `{id}:stop`
        return PathKind.ACTION
    operations = by_path[template]
    items = [each for each in by_path if collection_of(each) == template.rstrip("/") and each.endswith("}")]
    if any(_PARAMETER.fullmatch(each.rpartition("/")[2]) for each in items):
        return PathKind.COLLECTION
    if "get" in operations and _lists(operations["get"]):
        return PathKind.COLLECTION
    return PathKind.SINGLE if "get" in operations or "put" in operations or "patch" in operations else PathKind.ACTION


def _lists(operation: ApiOperation) -> bool:
    response = operation.success(200)
    content = None if response is None else response.json
    return content is not None and list_envelope(content.schema, operation.template.rpartition("/")[2]) is not None


def _resource(
    template: str,
    linked: Mapping[str, str],
    kinds: Mapping[str, PathKind],
    by_path: Mapping[str, Mapping[str, ApiOperation]],
) -> ResourcePath:
    kind = kinds[template]
    collection = collection_of(template) if kind is PathKind.ITEM else template.rstrip("/")
    collection = linked.get(template, collection)
    item_path = next(
        (
            each
            for each in by_path
            if kinds[each] is PathKind.ITEM and linked.get(each, collection_of(each)) == collection
        ),
        None,
    )
    item_operations = by_path.get(item_path or "", {})
    id_name, envelope = _identifier(item_path, item_operations, by_path.get(collection, {}))
    return ResourcePath(
        template=template,
        kind=kind,
        collection=collection,
        parent=_parent(collection if kind is PathKind.ITEM else template, kinds),
        operations=by_path[template],
        id_name=id_name,
        item=envelope,
        creatable=_is_creatable(collection, item_operations, by_path, kinds),
    )


def _linked(
    template: str, kinds: Mapping[str, PathKind], by_path: Mapping[str, Mapping[str, ApiOperation]]
) -> str | None:
    """Return the collection that creates the items of `/orders/{id}`: `POST /users/{id}/orders`, by its schema."""
    own = collection_of(template)
    operation = by_path[template].get("get")
    is_own = kinds[template] is PathKind.ITEM and "post" not in by_path.get(own, {}) and "put" not in by_path[template]
    if operation is None or not is_own:
        return None
    wanted = _named(operation)
    found = [
        each
        for each, operations in by_path.items()
        if wanted is not None
        and kinds[each] in (PathKind.COLLECTION, PathKind.ACTION)
        and each.rpartition("/")[2] == own.rpartition("/")[2]
        and "post" in operations
        and _named(operations["post"]) == wanted
        and not any(collection_of(other) == each and kinds[other] is PathKind.ITEM for other in by_path)
    ]
    return found[0] if len(found) == 1 else None


def _named(operation: ApiOperation) -> Any:
    response = operation.success(201, 200) if operation.method == "post" else operation.success(200)
    content = None if response is None else response.json
    return None if content is None else content.named


def _parent(template: str, kinds: Mapping[str, PathKind]) -> str | None:
    parts = template.split("/")
    for end in range(len(parts) - 1, 1, -1):
        above = "/".join(parts[:end])
        if kinds.get(above) is PathKind.ITEM:
            return above
    return None


def _is_creatable(
    collection: str, item: Mapping[str, ApiOperation], by_path: Mapping[str, Any], kinds: Mapping[str, PathKind]
) -> bool:
    """Whether requests create items: POST to the collection, or a PUT to an item that says so."""
    own: Mapping[str, ApiOperation] = next((by_path[each] for each in by_path if each.rstrip("/") == collection), {})
    is_collection = any(each.rstrip("/") == collection and kinds[each] is PathKind.COLLECTION for each in by_path)
    return (is_collection and "post" in own) or ("put" in item and creates_by_put(item["put"], own))


def creates_by_put(operation: ApiOperation, collection: Mapping[str, ApiOperation]) -> bool:
    """Whether PUT of an item with an unknown id creates it: it declares 201, or the collection has no POST."""
    return operation.declares(201) or "post" not in collection


def _identifier(
    template: str | None, item: Mapping[str, ApiOperation], collection: Mapping[str, ApiOperation]
) -> tuple[str | None, Envelope]:
    operations = [item.get("get"), collection.get("post"), item.get("put"), item.get("patch")]
    parameter = _PARAMETER.findall(template)[-1] if template else "id"
    for operation in operations:
        response = None if operation is None else operation.success(200, 201)
        content = None if response is None else response.json
        if content is not None:
            envelope, name = item_envelope(content.schema, parameter, (template or "").rpartition("/")[0])
            if name is not None:
                return name, envelope
    return None, ()
