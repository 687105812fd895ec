"""What requests do to the resources of a stub, and the replies: create, list, read, update, delete."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from formwork.egress.messages import Reply
from formwork.egress.stubs.envelopes import list_envelope, node_at, value_at
from formwork.egress.stubs.operations import ApiOperation
from formwork.egress.stubs.paging import take_page
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.replies import KnownItem, item_reply, list_reply, success_of
from formwork.egress.stubs.requests import CheckedRequest
from formwork.egress.stubs.resources import PathKind, ResourcePath, creates_by_put
from formwork.egress.stubs.sent_items import merged_patch, replaced, sent_item, typed_key
from formwork.egress.stubs.store import Scope, StoredItem, StubStore
from formwork.egress.stubs.uniqueness import NewItems

_CREATED, _NO_CONTENT = 201, 204
_ITEMS = "items"  # of a list that was written as a whole


class Answers:
    """Answers the requests that were checked."""

    def __init__(self, resources: Mapping[str, ResourcePath], store: StubStore) -> None:
        self._resources = resources
        self._store = store
        self._new = NewItems(resources, store)

    def reply(self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, address: str) -> Reply:
        """Return the reply to a request; `address` is its URL without the query.

        Raises:
            RefusalError: what it is about does not exist (404) or exists (409), or a stub cannot do it (501).
        """
        self._check_parent(resource, checked.path)
        scope = tuple(checked.path[name] for name in resource.names)
        method = operation.method
        match resource.kind:
            case PathKind.COLLECTION if method == "post":
                return self._create(resource, operation, checked, scope, address)
            case PathKind.COLLECTION if method == "get":
                return self._list(resource, operation, checked, scope, address)
            case PathKind.COLLECTION:
                return self._write_list(resource, operation, checked, scope)
            case PathKind.ITEM:
                return self._item(resource, operation, checked, scope)
            case PathKind.SINGLE:
                return self._single(resource, operation, checked, scope)
            case PathKind.ACTION:
                return self._act(resource, operation, checked, scope)

    def add_given(self, resource: ResourcePath, scope: Scope) -> StoredItem:
        """Add an item that was there before any request; the reply that first shows it gives it its properties."""
        named = next(iter(resource.operations.values()))
        item = StoredItem(*resource.place(scope), _named(resource, named, scope))
        self._store.add(resource.collection, item)
        return item

    def _check_parent(self, resource: ResourcePath, path: Mapping[str, str]) -> None:
        above = resource.parent
        while above is not None:
            parent = self._resources[above]
            if parent.creatable:
                scope = tuple(path[name] for name in parent.names)
                if self._find(parent, scope) is None:
                    raise RefusalError((404,), f'{parent.template}: "{scope[-1]}" not found')
                return
            above = parent.parent

    def _find(self, resource: ResourcePath, scope: Scope) -> StoredItem | None:
        """Return the item that a path with these parameters names."""
        around, key = resource.place(scope)
        own = resource.template.startswith(f"{resource.collection}/")
        return self._store.find(resource.collection, around if own else None, key)

    def _create(
        self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope, address: str
    ) -> Reply:
        sent = sent_item(resource, checked)
        item = self._new.item(resource, operation, scope, sent)
        response = success_of(operation, _CREATED, 200, 202, 203, _NO_CONTENT)
        location = f"{address.rstrip('/')}/{quote(item.key, safe='')}" if response.status == _CREATED else None
        reply, shown = item_reply(resource, operation, response, _shown(resource, item), location)
        item.value = {**shown, **item.value}
        self._store.add(resource.collection, item)
        return reply

    def _list(
        self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope, address: str
    ) -> Reply:
        response = success_of(operation, 200)
        whole = self._store.single(resource.template, scope)
        if whole is not None:
            found = [(str(index), value) for index, value in enumerate(whole[_ITEMS])]
        else:
            items = self._store.all(resource.collection, scope)
            if not items and not resource.creatable:
                items = self._first_item(resource, operation, scope)
            found = [(item.key, item.value) for item in items if _is_wanted(item.value, operation, checked)]
        page = take_page(operation, checked.query, found)
        return list_reply(resource, operation, response, page, address, checked.request.query)

    def _first_item(self, resource: ResourcePath, operation: ApiOperation, scope: Scope) -> list[StoredItem]:
        """Return the one item of a collection that no request can add to; none where it was deleted."""
        item = self._new.given_item(resource, operation, scope)
        if item is None or self._store.was_removed(resource.collection, scope, item.key):
            return []
        self._store.add(resource.collection, item)
        return [item]

    def _write_list(
        self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope
    ) -> Reply:
        response = success_of(operation, 200, _NO_CONTENT, 202)
        if operation.method == "delete":
            for item in self._store.all(resource.collection, scope):
                self._store.remove(resource.collection, item)
            self._store.set_single(resource.template, scope, {_ITEMS: []})
            return item_reply(resource, operation, response, KnownItem({}, resource.template))[0]
        content = checked.content
        envelope = None if content is None else list_envelope(content.schema, resource.template.rpartition("/")[2])
        items = None if envelope is None else value_at(checked.body, envelope)
        if operation.method != "put" or not isinstance(items, list):
            named = f"{operation.method.upper()} {operation.template}"
            raise RefusalError((501, 500), f"stubs do not support {named}: it is not a list that replaces another")
        self._store.set_single(resource.template, scope, {_ITEMS: items})
        page = take_page(operation, {}, [(str(index), value) for index, value in enumerate(items)])
        return list_reply(resource, operation, response, page, "", "")

    def _item(self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope) -> Reply:
        item = self._find(resource, scope) or self._presumed(resource, scope)
        collection = self._resources.get(resource.collection)
        if item is None:
            own = {} if collection is None else collection.operations
            if operation.method != "put" or not creates_by_put(operation, own):
                raise RefusalError((404,), f'{resource.template}: "{scope[-1]}" not found')
            return self._put_new(resource, operation, checked, scope)
        match operation.method:
            case "delete":
                reply = self._shows(resource, operation, item, _NO_CONTENT, 200, 202)
                self._store.remove(resource.collection, item)
                return reply
            case "put":
                changed = replaced(resource, checked, item.value)
            case "patch" | "post":
                changed = merged_patch(resource, checked, item.value)
            case _:
                changed = item.value
        names = [*resource.qualifiers, *([] if resource.id_name is None else [resource.id_name])]
        changed = {**changed, **{name: item.value[name] for name in names if name in item.value}}
        self._new.check_unique(resource, operation, item, changed)
        before, item.value = item.value, changed
        try:
            return self._shows(resource, operation, item, 200, 202, _NO_CONTENT)
        except RefusalError:
            item.value = before
            raise

    def _put_new(self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope) -> Reply:
        value = {**sent_item(resource, checked), **_named(resource, operation, scope)}
        item = StoredItem(*resource.place(scope), value)
        self._new.check_unique(resource, operation, item, value)
        reply, shown = item_reply(
            resource, operation, success_of(operation, _CREATED, 200, 202, _NO_CONTENT), _shown(resource, item)
        )
        item.value = {**shown, **item.value}
        self._store.add(resource.collection, item)
        return reply

    def _presumed(self, resource: ResourcePath, scope: Scope) -> StoredItem | None:
        """Return an item of a collection that no request can add to: each id exists, until it is deleted."""
        if resource.creatable or self._store.was_removed(resource.collection, *resource.place(scope)):
            return None
        return self.add_given(resource, scope)

    @staticmethod
    def _shows(resource: ResourcePath, operation: ApiOperation, item: StoredItem, *statuses: int) -> Reply:
        reply, shown = item_reply(resource, operation, success_of(operation, *statuses), _shown(resource, item))
        item.value = {**shown, **item.value}
        return reply

    def _single(self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope) -> Reply:
        value = self._store.single(resource.template, scope)
        if value is None and operation.method in ("get", "delete", "patch") and _is_absent(resource):
            raise RefusalError((404,), f"{resource.template} not found")
        value = value or {}
        match operation.method:
            case "delete":
                self._store.set_single(resource.template, scope, None)
            case "put":
                value = sent_item(resource, checked)
            case "patch" | "post":
                value = merged_patch(resource, checked, value)
            case _:
                pass
        statuses = (_NO_CONTENT, 200) if operation.method == "delete" else (200, _CREATED, 202, _NO_CONTENT)
        shown = KnownItem(value, f"{resource.template}/{'/'.join(scope)}")
        reply, told = item_reply(resource, operation, success_of(operation, *statuses), shown)
        if operation.method in ("put", "patch", "post"):
            self._store.set_single(resource.template, scope, {**told, **value})
        return reply

    def _act(self, resource: ResourcePath, operation: ApiOperation, checked: CheckedRequest, scope: Scope) -> Reply:
        """Answer an action with members of its item or of the request body, as far as the response has them."""
        known: dict[str, Any] = {}
        if resource.parent is not None:
            parent = self._resources[resource.parent]
            item = self._find(parent, tuple(checked.path[name] for name in parent.names))
            known = dict(item.value) if item is not None else {}
        sent = checked.body if isinstance(checked.body, dict) else {}
        response = success_of(operation, 200, 202, _CREATED, _NO_CONTENT)
        shown = KnownItem({**sent, **known}, f"{resource.template}/{'/'.join(scope)}")
        return item_reply(resource, operation, response, shown)[0]


def _named(resource: ResourcePath, operation: ApiOperation, scope: Scope) -> dict[str, Any]:
    """Return the properties of an item that its path has."""
    if resource.id_name is None:
        return {}
    qualifiers = dict(zip(resource.qualifiers, scope[-len(resource.qualifiers) - 1 : -1], strict=True))
    return {**qualifiers, resource.id_name: typed_key(resource, operation, scope[-1])}


def _shown(resource: ResourcePath, item: StoredItem) -> KnownItem:
    return KnownItem(item.value, f"{resource.collection}/{'/'.join((*item.scope, item.key))}")


def _is_absent(resource: ResourcePath) -> bool:
    """Whether a single resource does not exist before it is written: requests create and delete it."""
    return "delete" in resource.operations and bool({"put", "post"} & resource.operations.keys())


def _is_wanted(value: Mapping[str, Any], operation: ApiOperation, checked: CheckedRequest) -> bool:
    """Whether an item has the values of the query's parameters that are named as its properties."""
    response = operation.success(200)
    content = None if response is None else response.json
    if content is None:
        return True
    envelope = list_envelope(content.schema, operation.template.rpartition("/")[2]) or ()
    node = content.schema.merged(node_at(content.schema, envelope)).get("items", {})
    declared = content.schema.properties(node)
    for name, wanted in checked.query.items():
        if name in declared and not isinstance(value.get(name), dict | list):
            found = wanted if isinstance(wanted, list) else [wanted]
            if value.get(name) not in found:
                return False
    return True
