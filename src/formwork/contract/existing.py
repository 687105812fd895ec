"""The resources that a run has created and not deleted yet, and whether two may have the same input.

A type may keep more unique than its identifiers: a title, a domain name. The schema can't say so, and a create that
fails because the suite itself has such a resource is the suite's doing, not the handler's.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.contract.inputs import identities_of
from formwork.contract.models import Identity, Model
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.view import UNKNOWN


class ExistingResource(Struct, frozen=True):
    """A resource of this run: `likeness` is that of the input it was created with, `models` are its states."""

    likeness: str
    models: tuple[Model, ...]


class SharedValue(Struct, frozen=True):
    """A value that a request shares with the resource `identity`: a property as a pointer, or "an identifier"."""

    identity: Identity
    name: str


class Existing(Struct):
    """The resources of a run, by identity.

    `twins`: whether two resources with the same input may exist at a time; None while that is unknown.
    """

    twins: bool | None = None
    _by_identity: dict[Identity, ExistingResource] = field(default_factory=dict)

    def add(self, identity: Identity, likeness: str, *models: Model) -> None:
        """A create with this input succeeded."""
        if any(each.likeness == likeness for other, each in self._by_identity.items() if other != identity):
            self.twins = True
        self._by_identity[identity] = ExistingResource(likeness, models)

    def change(self, identity: Identity, model: Model) -> None:
        """An update asked for `model`."""
        if (known := self._by_identity.get(identity)) is not None:
            self._by_identity[identity] = ExistingResource(known.likeness, (*known.models, model))

    def discard(self, identity: Identity) -> None:
        """The resource is gone."""
        self._by_identity.pop(identity, None)

    def __contains__(self, identity: object) -> bool:
        """Return whether the run made this resource and has not deleted it."""
        return identity in self._by_identity

    def like(self, likeness: str) -> bool:
        """Return whether a resource that was created with the same input exists."""
        return any(each.likeness == likeness for each in self._by_identity.values())

    def shared(self, schema: ResourceSchema, request: Model) -> SharedValue | None:
        """Return a possibly unique value that `request` and an existing resource have in common, or None.

        That is an identifier, or a property whose value is a text. A part of an identifier alone is not: the schema
        says that the whole is unique.
        """
        identifiers, names = identities_of(schema, request), dict(_names(schema, request, ()))
        for identity, resource in self._by_identity.items():
            for model in resource.models:
                if identifiers & identities_of(schema, model):
                    return SharedValue(identity, "an identifier")
                for path, value in _names(schema, model, ()):
                    if names.get(path) == value:
                        return SharedValue(identity, "/" + "/".join(path))
        return None


def _names(schema: ResourceSchema, value: Any, path: PropertyPath) -> Iterator[tuple[PropertyPath, str]]:
    """The texts in a model that could name a resource: not those of an enum or a const, nor parts of identifiers."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _names(schema, each, (*path, name))
    elif isinstance(value, str):
        node = schema.subschema_at(path) or UNKNOWN
        part = any(path in paths for paths in (schema.primary_identifier, *schema.additional_identifiers))
        if "enum" not in node and "const" not in node and not part:
            yield path, value
