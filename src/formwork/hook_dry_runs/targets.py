"""The targets of hooks in a dry run: the resources of a template, the template, its change set."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import Location
from formwork.documents import Document
from formwork.engine.changes.differences import KNOWN_AFTER_APPLY
from formwork.hooks import HookTarget
from formwork.template.expansion import ModuleInfo

_DYNAMIC = "{{resolve:"
PropertyPath = tuple[str | int, ...]


class Places(Struct, frozen=True, kw_only=True):
    """The places of a processed template's resources in the original document."""

    document: Document
    modules: Mapping[str, ModuleInfo] = field(default_factory=dict)

    def locate(self, logical_id: str, path: PropertyPath = ()) -> Location:
        """Return the place of a property, or the nearest one above it; `path` begins below the resource."""
        resources = self.document.value.get("Resources") if isinstance(self.document.value, dict) else None
        declared = resources if isinstance(resources, dict) else {}
        if logical_id in declared:
            return self.document.locate(("Resources", logical_id, *path), key=True)
        info = self.modules.get(logical_id)
        trail = [] if info is None else info.logical_id_hierarchy.split("/")
        # What a transform made of a resource is named after it: MyFunctionRole of MyFunction.
        named = [each for each in declared if isinstance(each, str) and logical_id.startswith(each)]
        owner = next((each for each in (*trail, *sorted(named, key=len, reverse=True)) if each in declared), None)
        return self.document.locate(("Resources",) if owner is None else ("Resources", owner), key=True)

    def whole(self) -> Location:
        """Return the place of the document as a whole."""
        return Location(self.document.name)


class DryRunTarget(Struct, frozen=True, kw_only=True):
    """A target, with the payload for hooks.

    `model` and `payload` are as in `HookCall`. Values that are known only after deployment are the text that AWS's
    change sets have in their place.
    """

    target: HookTarget
    places: Places
    model: Mapping[str, Any] = field(default_factory=dict)
    payload: Mapping[str, Any] | None = None
    secrets: tuple[str, ...] = ()

    @property
    def properties(self) -> Mapping[str, Any]:
        """The properties of the resource, {} where the target is none."""
        found = self.model.get("resourceProperties")
        return found if isinstance(found, Mapping) else {}

    @property
    def unknown(self) -> tuple[PropertyPath, ...]:
        """The paths of properties that are known only after deployment."""
        return tuple(_unknown(self.properties, ()))

    def is_unknown(self, path: PropertyPath) -> bool:
        """Return whether the value at a property path, or one above it, is known only after deployment."""
        return any(path[: len(each)] == each for each in self.unknown)

    def locate(self, path: PropertyPath = ()) -> Location:
        """Return the place of a property in the template, of the resource, or of the template as a whole."""
        if not self.target.kind.holds_resources:
            return self.places.whole()
        return self.places.locate(self.target.identifier, ("Properties", *path) if path else ())


def _unknown(value: Any, path: PropertyPath) -> Iterator[PropertyPath]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _unknown(each, (*path, name))
        case list():
            for index, each in enumerate(value):
                yield from _unknown(each, (*path, index))
        case str() if KNOWN_AFTER_APPLY in value or _DYNAMIC in value:
            yield path
        case _:
            return
