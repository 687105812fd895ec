"""How resources are tagged: which operations do it, which property holds the tags."""

import re
from functools import cached_property

from msgspec import Struct

from formwork.smithy.bindings import Bindings
from formwork.smithy.model import Model
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, ServiceShape, Shape

TAGGABLE = "aws.api#taggable"
TAG_ENABLED = "aws.api#tagEnabled"

# The reference's expression, bars included.
_TAGS_MEMBER = re.compile(r"[T|t]ag(s|s?[M|m]ap|[L|l]ist)")
_DEFAULT_NAMES = {"tagApi": "TagResource", "untagApi": "UntagResource", "listTagsApi": "ListTagsForResource"}
APIS = tuple(_DEFAULT_NAMES)


class TagOperations(Struct, frozen=True):
    """The operations that tag a resource; None for one that isn't modelled."""

    tag: OperationShape | None = None
    untag: OperationShape | None = None
    list_tags: OperationShape | None = None

    @property
    def all(self) -> tuple[OperationShape, ...]:
        """The tagging operations that the model has: tag, list, untag."""
        return tuple(each for each in (self.tag, self.list_tags, self.untag) if each is not None)


class TaggingIndex:
    """Tagging of the resources of one service."""

    def __init__(self, model: Model, service: ServiceShape) -> None:
        self.model = model
        self.service = service
        self._bindings = Bindings(model)

    @cached_property
    def service_operations(self) -> TagOperations:
        """The operations of the service itself."""
        if not self.service.has_trait(TAG_ENABLED):
            return TagOperations()
        config = (self.service.trait(TAG_ENABLED) or {}).get("apiConfig", {})
        return TagOperations(*(self._service_operation(api, config.get(api)) for api in APIS))

    def _service_operation(self, api: str, configured: str | None) -> OperationShape | None:
        for operation_id in self.service.operations:
            operation = self.model.get(operation_id)
            wanted = operation_id == configured if configured else _name(operation) == _DEFAULT_NAMES[api]
            if wanted and isinstance(operation, OperationShape):
                return operation
        return None

    def operations_for(self, resource: ResourceShape) -> TagOperations:
        """Return the operations that tag a resource: its own if configured, else the service's."""
        if not self.service.has_trait(TAG_ENABLED):
            return TagOperations()
        config = (resource.trait(TAGGABLE) or {}).get("apiConfig")
        if not isinstance(config, dict):
            return self.service_operations
        found = (self.model.get(config.get(api, "")) for api in APIS)
        return TagOperations(*(each if isinstance(each, OperationShape) else None for each in found))

    def tags_member(self, operation: OperationShape | None) -> MemberShape | None:
        """Return the member of an operation's input that holds tags; the last where several could."""
        structure = self._bindings.input_of(operation) if operation is not None else None
        found = [
            member
            for name, member in (structure.members if structure is not None else {}).items()
            if _TAGS_MEMBER.fullmatch(name)
        ]
        return found[-1] if found else None

    def is_tagged_on_create(self, resource: ResourceShape) -> bool:
        """Return whether creating a resource can set its tags."""
        tags = (resource.trait(TAGGABLE) or {}).get("property")
        if not tags:
            return False
        for lifecycle in ("create", "put"):
            operation = self.model.get(resource.lifecycle.get(lifecycle, ""))
            if not isinstance(operation, OperationShape):
                continue
            # Of the input itself: tags in nested properties are not found there by the reference.
            structure = self._bindings.input_of(operation)
            members = structure.members.values() if structure is not None else ()
            if any(self._bindings.bound_property(member) == tags for member in members):
                return True
        return False


def _name(shape: Shape | None) -> str | None:
    return None if shape is None else shape.name
