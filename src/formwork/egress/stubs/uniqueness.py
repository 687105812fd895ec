"""New items: their ids, and what must be unique among them."""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.egress.stubs.envelopes import list_envelope, node_at, request_envelope
from formwork.egress.stubs.identifiers import new_identifier
from formwork.egress.stubs.operations import ApiOperation, Content
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.resources import PathKind, ResourcePath
from formwork.egress.stubs.schemas import ClosedSchema
from formwork.egress.stubs.store import Scope, StoredItem, StubStore
from formwork.instances.errors import DeadEndError

_ATTEMPTS = 20
UNIQUE = "x-unique"


class NewItems:
    """Makes items for the collections of a document."""

    def __init__(self, resources: Mapping[str, ResourcePath], store: StubStore) -> None:
        self._resources = resources
        self._store = store

    def item(self, resource: ResourcePath, operation: ApiOperation, scope: Scope, sent: dict[str, Any]) -> StoredItem:
        """Return a new item with an id: the client's, or the next one.

        Raises:
            RefusalError: an item with this id, or with the same value of a unique property, exists (409).
        """
        self.check_unique(resource, operation, StoredItem(scope, "", sent), sent)
        given = sent.get(resource.id_name) if resource.id_name is not None else None
        if given is not None:
            if self._store.find(resource.collection, scope, resource.key(sent, given)) is not None:
                raise RefusalError((409, 422, 400), f'{resource.template}: "{given}" exists already')
            made = given
        else:
            made = self._next(resource, operation, scope)
        value = sent if resource.id_name is None else {**sent, resource.id_name: made}
        return StoredItem(scope, resource.key(sent, made), value)

    def check_unique(
        self, resource: ResourcePath, operation: ApiOperation, item: StoredItem, value: Mapping[str, Any]
    ) -> None:
        """Refuse a value of an item that another has in a property with `x-unique: true`.

        Raises:
            RefusalError: 409.
        """
        body = operation.json_body
        if body is None:
            return
        schema = body.schema
        declared = schema.properties(node_at(schema, request_envelope(schema, resource.item, resource.collection)))
        unique = [name for name, node in declared.items() if schema.merged(node).get(UNIQUE) is True and name in value]
        for other in self._store.all(resource.collection, item.scope):
            for name in unique:
                if other.key != item.key and other.value.get(name) == value[name]:
                    raise RefusalError((409, 422, 400), f'{name} "{value[name]}" exists already')

    def given_item(self, resource: ResourcePath, operation: ApiOperation, scope: Scope) -> StoredItem | None:
        """Return an item of a collection that no request can add to; None where lists have no schema."""
        response = operation.success(200)
        content = None if response is None else response.json
        if content is None:
            return None
        envelope = list_envelope(content.schema, resource.template.rpartition("/")[2]) or ()
        items = content.schema.merged(node_at(content.schema, envelope)).get("items", {})
        node = content.schema.properties(items).get(resource.id_name or "")
        if node is None or resource.id_name is None:
            return StoredItem(scope, "1", {})
        key = self._identifier(content.schema, node, resource, scope)
        return StoredItem(scope, str(key), {resource.id_name: key})

    def _next(self, resource: ResourcePath, operation: ApiOperation, scope: Scope) -> Any:
        for content in self._shown_by(resource, operation):
            node = content.schema.properties(node_at(content.schema, resource.item)).get(resource.id_name or "")
            if node is not None:
                return self._identifier(content.schema, node, resource, scope)
        parameter = None
        for each in self._items_of(resource):
            parameter = next(iter(each.operations.values())).key_parameter
        if parameter is not None:
            return self._identifier(parameter.schema, parameter.schema.root, resource, scope)
        return str(self._store.next_number(resource.collection))

    def _shown_by(self, resource: ResourcePath, operation: ApiOperation) -> Iterator[Content]:
        operations = [operation, *(op for each in self._items_of(resource) for op in each.operations.values())]
        for each in operations:
            response = each.success(200, 201)
            if response is not None and response.json is not None:
                yield response.json

    def _items_of(self, resource: ResourcePath) -> list[ResourcePath]:
        return [
            each
            for each in self._resources.values()
            if each.kind is PathKind.ITEM and each.collection == resource.collection
        ]

    def _identifier(self, schema: ClosedSchema, node: Any, resource: ResourcePath, scope: Scope) -> Any:
        parameters = [
            parameter
            for each in self._items_of(resource)
            for operation in each.operations.values()
            if (parameter := operation.key_parameter) is not None
        ]
        places = [(schema, node), *((each.schema, each.schema.root) for each in parameters[:1])]
        made: Any = None
        for chosen, wanted in places:
            for _ in range(_ATTEMPTS):
                number = self._store.next_number(resource.collection)
                try:
                    made = new_identifier(chosen, wanted, resource.collection, number)
                except DeadEndError:
                    break
                if self._store.find(resource.collection, scope, str(made)) is not None:
                    continue
                if all(each.schema.is_valid(made) or each.schema.is_valid(str(made)) for each in parameters[:1]):
                    return made
                break
        return made if made is not None else str(self._store.next_number(resource.collection))
